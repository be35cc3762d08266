"""FedeRank, user-controlled feedback (Anelli et al. 2021).

paper   table 2, figures 1 to 3 and claims F4 to F6; what it shares with FPL is in papers/pairwise_*.py
"""
