"""Gossip to views (PEPPER): every node sends to its view, received models are weighed as a whole."""
