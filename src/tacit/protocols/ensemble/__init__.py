"""Ensembles (Dymbe): nodes judge the models they receive, keep the best, and vote."""
