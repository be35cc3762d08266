"""Compiled code (Numba).

compiling      the decorator `@kernel`, and the folder where machine code is kept
kernel_cache   machine code on disk
fingerprint    the key of that cache: a hash of everything that a kernel is compiled from
threads        one kernel on all cores
"""
