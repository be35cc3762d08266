"""PEPPER, personalized gossip (Belal et al. 2022).

paper    tables 2 to 8 and figures 4 to 9, as exhibits
beyond   churn, nodes in their own time, and the text's choices one by one
runs     the runs that they are made of
claims   P1 to P7
"""
