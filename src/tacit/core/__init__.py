"""What everything else is built on. Nothing here knows a clock, a socket or a file format of the outside world.

interactions node_state scorer    the user-item table; what a node holds; whatever can rank items
rng                               counter-based random numbers
settings registry                 how a setting is declared and read; models, merges and other parts by name
traffic                           counts of what nodes sent
errors                            every error raised on purpose
atomic_files child_process        files that appear whole or not at all; the environment of a child process
message/                          what leaves a node, and its bytes
compiled/                         Numba: the `@kernel` decorator, its cache on disk, threads
math/                             algorithms that several parts share
"""
