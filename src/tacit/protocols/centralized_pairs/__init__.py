"""Centralized pair-wise learning (BPR-MF)."""
