"""Where in somebody's own code something is: for messages that name a file and a line."""

from __future__ import annotations

import inspect
import os
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType
from typing import Any

_OURS = str(Path(__file__).resolve().parent.parent) + os.sep
_LIBRARIES = (sys.prefix + os.sep + "lib", sys.base_prefix + os.sep + "lib")


def where_defined(thing: Any) -> str:
    """The file and the line of a class, a function or a kernel, as far as they are known.

    >>> "where.py, line " in where_defined(where_defined)
    True
    """
    thing = getattr(thing, "py_func", thing)
    owner = thing if isinstance(thing, type) or hasattr(thing, "__code__") else type(thing)
    try:
        return place(inspect.getfile(owner), inspect.getsourcelines(owner)[1])
    except (OSError, TypeError):  # a cell of a notebook: its functions know where they are
        codes = [code for member in vars(owner).values() if (code := _code(member)) is not None]
        first = min(codes, key=lambda code: code.co_firstlineno, default=None)
        name = getattr(owner, "__name__", "?")
        return f"class {name}" if first is None else place(first.co_filename, first.co_firstlineno)


def where_raised(error: BaseException) -> str:
    """The last line outside tacit and outside libraries that an error went through; empty where there is none."""
    found, trace = "", error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_foreign(file) and not file.startswith("<frozen"):
            found = place(file, trace.tb_lineno)
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename:
        return place(error.filename, error.lineno or 0)
    return found


def is_foreign(file: str) -> bool:
    """Whether a file is neither ours nor a library's."""
    whole = str(Path(file).resolve()) if not file.startswith("<") else file
    return not whole.startswith((_OURS, *_LIBRARIES)) and "site-packages" not in whole


def place(file: str, line: int) -> str:
    """A file, from here if that is shorter, and a line.

    >>> place("<cell 3>", 7)
    '<cell 3>, line 7'
    """
    if not file.startswith("<"):
        with suppress(ValueError):  # another drive, on Windows
            file = min(file, os.path.relpath(file), key=len)
    return f"{file}, line {line}"


def _code(member: Any) -> CodeType | None:
    """The code of a method, a property or a kernel that somebody wrote, and no decorator made."""
    inner = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
    code = getattr(getattr(inner, "py_func", inner), "__code__", None)
    return code if isinstance(code, CodeType) and code.co_filename != "<string>" else None
