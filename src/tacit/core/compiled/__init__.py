"""Compiled code (Numba).

compiling      the decorator `@kernel`, and the folder where machine code is kept
kernel_cache   machine code on disk
fingerprint    the key of that cache: a hash of everything that a kernel is compiled from
interpreted    a kernel as plain Python, to see whether it stays inside its arrays
threads        one kernel on all cores
"""
