"""The words of Python in place of those of the command line: `seed`, where a shared message says `--seed`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from tacit.core.errors import BadInput

P = ParamSpec("P")
T = TypeVar("T")
_WORDS = (
    (r"--(overwrite|resume)\b(?!:)", r"\1=True"),
    (r"--out DIR", "out=DIR"),
    (r"--set\b", "settings"),
    (r"--([a-z]+)\b", r"\1"),
    (r"(?<![\w-])-n\b", "n"),
)


def python_words(text: str) -> str:
    """A message as somebody who writes Python reads it.

    >>> python_words("--seed: got -1; allowed: a whole number from 0")
    'seed: got -1; allowed: a whole number from 0'
    >>> python_words("epochs: got 0 (--set epochs=0)")
    'epochs: got 0 (settings epochs=0)'
    """
    for option, word in _WORDS:
        text = re.sub(option, word, text)
    return text


def in_python(function: Callable[P, T]) -> Callable[P, T]:
    """The same function, whose errors speak Python; those for a `host`, the command line, stay as they are."""

    @wraps(function)
    def spoken(*args: P.args, **more: P.kwargs) -> T:
        try:
            return function(*args, **more)
        except BadInput as error:
            if more.get("host") is None:
                error.args = (python_words(str(error)),)
            raise

    return spoken
