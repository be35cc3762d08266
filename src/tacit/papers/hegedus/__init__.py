"""Hegedűs, Danner, Jelasity (2020): gossip against federated matrix factorization.

paper    figures 3 and 4, as exhibits
runs     the runs that they are made of
claims   H1 to H7
"""
