"""Gossip, federation, centralized learning: what a node does, with no I/O and no clock in it. Hosts own those."""
