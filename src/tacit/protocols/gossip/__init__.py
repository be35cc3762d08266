"""Gossip (Hegedűs et al.): every node sends to one random peer per period."""
