"""Which nodes are online when: the sessions themselves, their statistics, a generator, and traces from a file."""
