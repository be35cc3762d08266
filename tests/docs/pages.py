"""Reads pages of documentation: the files and commands they show."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
_FILE = re.compile(r"^```(?:python|toml|text)\n# (\S+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^    (?:\$ )?(tacit .*?)(?:  +.*)?$", re.MULTILINE)
_PYTHON = re.compile(r"^```python\n(?!# \S+\n)(.*?)^```", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def files(text: str) -> dict[str, str]:
    """Blocks whose first line is a comment with a path: what that file holds."""
    return dict(_FILE.findall(text))


def commands(text: str) -> list[str]:
    """Indented lines that begin with `tacit`, without the remark beside them."""
    return [found.strip() for found in _COMMAND.findall(text)]


def scripts(text: str) -> list[str]:
    """Python blocks that are no file: what somebody would type."""
    return _PYTHON.findall(text)
