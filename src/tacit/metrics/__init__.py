"""One metric a file, its formula in the docstring."""
