"""Federated learning (Hegedűs et al.): clients return how their rows changed."""
