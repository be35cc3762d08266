"""FPL, federated pair-wise learning (Anelli et al. 2021).

paper        tables 1 to 4 and figures 2 to 4, as exhibits
data_table   table 1, which needs no run
cost_table   table 3, which needs no run
runs         the algorithms, data sets and values of pi that are run
figures      what is drawn beside F1 over pi: coverage, communication cost, category bias
claims       F1 to F4, F7 to F9, F14 and F16 to F21, and the communication cost of table 3
"""
