"""FPL, federated pair-wise learning (Anelli et al. 2021).

paper     tables 2 and 4 and figures 2 to 4, as exhibits
runs      the algorithms, data sets and values of pi that are run
figures   what is drawn beside F1 over pi: coverage, communication cost, category bias
claims    F1 to F4, and the communication cost of table 3
"""
