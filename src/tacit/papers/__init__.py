"""Papers that can be run again: their tables, figures and claims as data.

    base              what a paper is: exhibits with rows, claims, and runs that are wanted
    reproduce         run a paper again and judge its claims
    item_names        tables and figures by the names people would try
    read_curves       values read off a learning curve
    data_tables       what papers print about their data sets
    verdicts          verdicts of full runs that were recorded (verdicts.csv)
    measured          their numbers (PAPER/measured.csv)
    pairwise_runs pairwise_claims   what FPL and FedeRank share
    hegedus/ dymbe/ fpl/ federank/ pepper/   one folder per paper

In a paper's folder:

    paper.py          its tables and figures, and the `paper` itself
    runs.py           the runs they are made of
    claims.py         judges the claims
    data_table.py     table 1
    *.csv             the numbers that the paper prints
"""
