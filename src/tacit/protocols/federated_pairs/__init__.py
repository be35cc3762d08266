"""Federated pair-wise learning (FPL, FedeRank): clients return updates that pass their disclosure."""
