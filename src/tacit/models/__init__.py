"""Learning rules, one a file. Each is a set of small compiled functions on one node's arrays."""
