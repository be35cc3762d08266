"""Evaluations: ways to measure a run, one per file. `evaluate=NAME` picks one.

base       what an evaluation is
rating     errors of predicted ratings
full       ranking of the whole catalogue
sampled    ranking of held-out items among sampled negatives
sampled_per_item    the same, with negatives of its own for each held-out item
accuracy   classified images
"""
