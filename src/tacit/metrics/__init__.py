"""Metrics, one per file, with its formula in the docstring.

rmse mae                                     errors of predicted ratings
accuracy                                     classified images
precision recall f1 hr map mrr ndcg          a user's K best items against the held-out ones; top_k.py lists them
sampled_ranking                              HR, NDCG and F1 of held-out items ranked among sampled negatives
item_coverage evenness category_bias         what is recommended to everybody together
convergence                                  rounds until a user's curve has settled
auc matched_auc expected_precision           how well an attacker's scores tell a victim's items from others
higher_is_better                             which way each metric is better

A metric has the name of its file: `from tacit.metrics.ndcg import ndcg`.
"""
