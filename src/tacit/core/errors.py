"""Errors: every exception that tacit raises on purpose.

    TacitError                what a user can correct; the command line prints one line and exits with 2
      BadInput                a file, a value or an option that cannot be used
        NotWritten            a folder that took no more, for example on a full disk
      BadMessage              bytes from outside that are not a valid update
      TooBig                  a run that does not fit into this machine's memory
    Interrupted               Ctrl-C or another signal; the state on disk can be resumed

A message says what was wrong, what was got, what is allowed and where, in one line.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_MANY = 20
"""Names that nobody reads to the end."""


class TacitError(Exception):
    """What a user can correct."""


class BadInput(TacitError):  # noqa: N818 - reads as what happened
    """A file, a value or an option that cannot be used.

    >>> str(BadInput("epochs", got="many", allowed="a whole number from 1", where="--set epochs=many"))
    'epochs: got many; allowed: a whole number from 1 (--set epochs=many)'
    """

    def __init__(self, what: str, *, got: object = None, allowed: str = "", where: object = "") -> None:
        line = what
        if got is not None:
            line += f": got {got}"
        if allowed:
            line += f"; allowed: {allowed}"
        if where != "":
            line += f" ({where})"
        super().__init__(" ".join(line.split()))


class NotWritten(BadInput):
    """A folder that took no more, for example on a full disk. What was to be written is still in memory."""


class BadMessage(TacitError):  # noqa: N818
    """Bytes from outside that are not a valid update."""


class TooBig(TacitError):  # noqa: N818
    """A run that does not fit into this machine's memory."""


class Interrupted(Exception):  # noqa: N818
    """Ctrl-C or another signal; the state on disk can be resumed."""

    signal: int = 2
    """The number of the signal that asked for it; 2 is that of Ctrl-C."""


def unknown(what: str, got: str, known: Iterable[str], where: object = "") -> BadInput:
    """An error for a name that does not exist, with the nearest ones that do; of many only those.

    >>> str(unknown("recipe", "hegedus/gosip", ["hegedus/gossip", "hegedus/federated"]))
    'recipe: got hegedus/gosip; did you mean hegedus/gossip? known: hegedus/federated, hegedus/gossip'
    """
    names = sorted(known)
    near = get_close_matches(got, names, n=1)
    few = names if len(names) <= _MANY else [*names[:3], f"... ({len(names)} in all)"]
    allowed = f"did you mean {near[0]}? " if near else ""
    if not near or len(names) <= _MANY:
        allowed += "known: " + ", ".join(few)
    return BadInput(f"{what}: got {got or 'nothing'}; {allowed.strip()}", where=where)


def install(extra: str) -> str:
    """The command that installs what an extra has; tacit is not on PyPI.

    >>> install("node")
    "pip install '.[node]' in a checkout of tacit"
    """
    return f"pip install '.[{extra}]' in a checkout of tacit"
