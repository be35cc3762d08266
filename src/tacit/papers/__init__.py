"""Papers that can be run again: their tables, figures and claims as data.

    base              what a paper is: exhibits with rows, claims, and runs that are wanted
    reproduce         run a paper again and judge its claims
    read_curves       values read off a learning curve
    pairwise_runs pairwise_claims   what FPL and FedeRank share
    hegedus/ dymbe/ fpl/ federank/ pepper/   one folder per paper

In a paper's folder, paper.py lists its tables and figures and holds the `paper`, runs.py says which runs they are made
of, claims.py judges the claims, and .csv files have the numbers that it prints.
"""
