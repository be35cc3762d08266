"""What Numba says about code that it cannot compile, in one line. The whole text is the context of the error."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core.errors import NumbaError, NumbaTypeSafetyWarning, UnsupportedBytecodeError

from tacit.core.errors import BadInput
from tacit.core.where import is_foreign, place

_PLACE = re.compile(r'File "([^"]+)", line (\d+)| at (\S+\.py|<[^>]+>) \((\d+)\)')
_NO_REASON = ("Failed in", "During:", "File ", "def ", "^", "There are", "- ")
_GLOBAL = re.compile(r"Untyped global name '(\w+)': Cannot determine Numba type of (.*)")

OUTSIDE = "index is out of bounds"
"""What Numba says of an index outside of its array."""


@contextmanager
def compiling_explained() -> Iterator[None]:
    """Inside, what Numba cannot compile is one line with the file and the line of the code that it is about."""
    try:
        with warnings.catch_warnings():  # what is said before an error about the same types
            warnings.filterwarnings("ignore", "unsafe cast from Poison<", NumbaTypeSafetyWarning)
            yield
    except (NumbaError, UnsupportedBytecodeError) as error:
        raise BadInput(f"code that Numba cannot compile: {reason(error)}", where=_where(error)) from None


def reason(error: Exception) -> str:
    """What is wrong, without where and without what was tried.

    >>> reason(NumbaError("Failed in nopython mode pipeline (step: x)\\nUnknown attribute 'foo' of type int64"))
    "Unknown attribute 'foo' of type int64"
    """
    lines = [line.strip() for line in _plain(str(error)).splitlines()]
    said = [line for line in lines if line and not line.startswith(_NO_REASON)]
    first = (said[0] if said else type(error).__name__).partition(". Raised from")[0]
    if first.startswith("No implementation of function"):
        call = next((line.removeprefix(">>> ") for line in said if line.startswith(">>>")), "")
        return f"there is no {call}" if call else first
    found = _GLOBAL.match(first)
    if found:
        return (
            f"{found[1]} is no number, array or kernel ({found[2]}); "
            f"give the number a name of its own above the function, as in _STREAM = Stream.PEERS"
        )
    return first


def _where(error: Exception) -> str:
    """The first place that is somebody's own; else the first there is."""
    found = _PLACE.findall(_plain(str(error)))
    places = [(file or other, int(line or at_line)) for file, line, other, at_line in found]
    at: Any = getattr(error, "loc", None)
    if at is not None:
        places.append((str(at.filename), int(at.line)))
    places += _compiled(error)
    foreign = [one for one in places if is_foreign(one[0])]
    return place(*(foreign or places)[0]) if places else ""


def _compiled(error: Exception) -> list[tuple[str, int]]:
    """The functions that were being compiled, the innermost first, by what the compiler's frames hold."""
    found: list[tuple[str, int]] = []
    trace = error.__traceback__
    while trace is not None:
        function = getattr(trace.tb_frame.f_locals.get("self"), "py_func", None)
        code = getattr(function, "__code__", None)
        if code is not None:
            found.insert(0, (code.co_filename, code.co_firstlineno))
        trace = trace.tb_next
    return found


def _plain(text: str) -> str:
    """Without the colours that Numba may add."""
    return re.sub(r"\x1b\[[0-9;]*m", "", text)
