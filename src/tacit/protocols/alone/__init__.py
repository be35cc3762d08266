"""Alone: nobody sends anything."""
