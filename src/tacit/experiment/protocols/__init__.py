"""How each protocol is built from a run's parameters, one a file: its own parameters, its memory, its simulation."""
