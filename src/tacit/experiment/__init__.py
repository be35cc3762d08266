"""Recipes, runs, checkpoints, results: from a name and some data to figures that anyone can reproduce."""
