"""FedeRank, user-controlled feedback (Anelli et al. 2021). What it shares with FPL is in papers/pairwise_*.py.

paper        tables 1 and 2 and figures 1 to 3, as exhibits
data_table   table 1, which needs no run
runs         the algorithms, data sets and values of pi that are run
claims       F4 to F6, F10 to F13 and F15
"""
