"""Where in somebody's own code something is: for messages that name a file and a line."""

from __future__ import annotations

import inspect
import linecache
import os
import re
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
    code = getattr(thing, "__code__", None)
    if isinstance(code, CodeType):
        return place(code.co_filename, code.co_firstlineno)
    return _class_place(thing if isinstance(thing, type) else type(thing))


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


def is_ours(thing: Any) -> bool:
    """Whether a function, a class, or an object's class is defined inside tacit.

    >>> is_ours(place), is_ours(Path())
    (True, False)
    """
    return str(getattr(thing, "__module__", "")).partition(".")[0] == "tacit"


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


def _class_place(owner: type) -> str:
    """Where a class is: its first line, else its first function's (a notebook's cell has no file).

    `inspect.getsourcelines` would parse the file, and Python 3.11 cannot parse in several threads at a time.
    """
    codes = [code for member in vars(owner).values() if (code := _code(member)) is not None]
    try:
        file = inspect.getfile(owner)
    except (OSError, TypeError):
        file = ""
    firsts = sorted(code.co_firstlineno for code in codes if not file or code.co_filename == file)
    opening = re.compile(rf"\s*class\s+{re.escape(owner.__name__)}\b")
    linecache.checkcache(file)
    text = linecache.getlines(file)
    lines = [at for at, line in enumerate(text, start=1) if opening.match(line)]
    if lines:
        above = [line for line in lines if firsts and line <= firsts[0]]
        at = above[-1] if above else lines[0]
        while at > 1 and text[at - 2].lstrip().startswith("@"):  # decorators belong to it
            at -= 1
        return place(file, at)
    first = min(codes, key=lambda code: code.co_firstlineno, default=None)
    return f"class {owner.__name__}" if first is None else place(first.co_filename, first.co_firstlineno)


def _code(member: Any) -> CodeType | None:
    """The code of a method, a property or a kernel that somebody wrote, and no decorator made."""
    inner = getattr(member, "fget", None) or getattr(member, "__func__", None) or member
    code = getattr(getattr(inner, "py_func", inner), "__code__", None)
    return code if isinstance(code, CodeType) and code.co_filename != "<string>" else None
