"""Recipes: every system of the papers as one small TOML file, named by its folder and file. No code."""
