"""Clusters (Dymbe): agents that learn for several users gossip with each other."""
