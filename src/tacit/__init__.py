"""Recommendations that people learn from each other without telling anyone what they like."""

__version__ = "0.1.0"
