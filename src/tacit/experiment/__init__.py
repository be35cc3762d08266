"""Experiments: a recipe and data become a result that anyone can reproduce.

Up to "ready to start":
    recipes run_settings    recipes by name; every setting of a run, typed and checked
    prepare experiment      `prepare` checks everything and gives an `Experiment`, the record of a run that can start
    memory_estimate warmup  refuse what does not fit into memory; compile what a run needs
    time_estimate           about how long a run learns
One run:
    run                     `Run`: build the simulation, advance it, measure, save
    evaluations/            what is measured
    choose_rounds instruments   the number of rounds by a validation part; what goes on inside a model
    callbacks               what is called at every measured point
    result run_folder       what a run gives back; its files
    trained recommend       a run's models and what they can be asked; the best items of one user
Many runs:
    batch                   `run_all`: many runs, in turn or side by side, each with its folder
    out_folder              what `--out` holds, and what may replace it
    compare significance    recipes, or arms, on the same ground; paired tests
    sweep                   search for good settings
    audit                   attackers on a recipe's messages
"""
