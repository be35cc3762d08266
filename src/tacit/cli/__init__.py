"""The command line. `main` is the program `tacit`."""

from __future__ import annotations


def main() -> None:
    """Run the program and leave with its exit code."""
    import sys

    from tacit.cli.main import call

    sys.exit(call(sys.argv[1:]))
