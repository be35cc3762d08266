"""A baseline, fitted once in one place. The recommenders themselves are in `tacit.baselines`."""
