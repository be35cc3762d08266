"""Dymbe (2021), a master's thesis: merges, data-based starts and clusters for ratings, ensembles for MNIST.

paper    its figures of ratings, as exhibits
images   chapter 3: exhibits and claims about MNIST
runs     the runs that all are made of, by short names
claims   D0 to D28; D12 to D14 and D23 to D27 are in images
"""
