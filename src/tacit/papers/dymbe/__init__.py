"""Dymbe (2021), a master's thesis: merges, data-based starts and clusters for ratings, ensembles for MNIST.

paper    its figures, and the table of MNIST, as exhibits
runs     the runs that they are made of, by short names
claims   D1 to D10
"""
