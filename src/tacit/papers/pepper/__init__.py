"""PEPPER, personalized gossip (Belal et al. 2022).

paper        tables 1 to 8 and figures 4 to 15, as exhibits
beyond       churn, nodes in their own time, and the text's choices one by one
data_table   table 1, which needs no run
runs         the runs that the others are made of
claims       P1 to P14; P6, P7 and P9 are in round_claims
"""
