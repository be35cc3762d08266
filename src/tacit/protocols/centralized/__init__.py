"""Centralized learning: the ceiling that decentralization is measured against."""
