"""Hegedűs, Danner, Jelasity (2020): gossip against federated matrix factorization.

paper             table 1 and figures 1 to 4, as exhibits
data_and_churn    table 1 and figures 1 and 2, which need no run
runs              the runs that figures 3 and 4 are made of
claims            H1 to H9
"""
