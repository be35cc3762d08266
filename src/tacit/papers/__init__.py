"""Papers, one a file: their tables, figures and claims as data, each under the name `paper` (see base.py)."""
