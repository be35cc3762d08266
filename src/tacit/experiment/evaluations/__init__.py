"""Ways to measure a run, one a file: `evaluate=NAME` picks one."""
