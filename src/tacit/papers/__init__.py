"""Papers that can be run again: their tables, figures and claims as data.

    base              what a paper is: exhibits with rows, claims, and runs that are wanted
    reproduce         run a paper again and judge its claims
    item_names        tables and figures by the names people would try
    read_curves       values read off a learning curve
    data_tables       what papers print about their data sets
    verdicts          verdicts of full runs that were recorded (verdicts.csv)
    pairwise_runs pairwise_claims   what FPL and FedeRank share
    hegedus/ dymbe/ fpl/ federank/ pepper/   one folder per paper

In a paper's folder, paper.py lists its tables and figures and holds the `paper`, runs.py says which runs they are made
of, claims.py judges the claims, data_table.py has table 1, and .csv files have the numbers that it prints.
"""
