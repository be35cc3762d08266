"""Tables and figures by the names people would try: `figure-4b`, `4b`, `Table 2`, `fig 3`."""

from __future__ import annotations

import re

from tacit.core.errors import unknown
from tacit.papers.base import Exhibit, Paper

_KINDS = {"table": "table", "tab": "table", "t": "table", "figure": "figure", "fig": "figure", "f": "figure"}
_NUMBERED = re.compile(r"^(?:(?P<kind>[a-z]+)\.?)?[ _-]*(?P<number>\d+(?:\.\d+)?[a-z]?)$")


def spellings(text: str, kind: str = "") -> list[str]:
    """What somebody may mean, likeliest first. `kind` is what a number without a word stands for.

    `--table` takes names of figures, too; whoever says figure means no table.

    >>> spellings("Fig. 4b"), spellings("2", "table"), spellings("2", "figure")
    (['figure-4b', 'figure-4'], ['table-2', 'figure-2'], ['figure-2'])
    """
    plain = text.strip().lower()
    found = _NUMBERED.match(plain)
    if found is None or (found["kind"] and found["kind"] not in _KINDS):
        return [plain]
    said = _KINDS.get(found["kind"] or "")
    kinds = [said] if said else ["figure"] if kind == "figure" else ["table", "figure"]
    numbers = dict.fromkeys((found["number"], found["number"].rstrip("abcdefgh")))
    return [f"{k}-{number}" for number in numbers for k in kinds]


def exhibit_named(paper: Paper, text: str, kind: str = "") -> Exhibit:
    """The exhibit that shows this table or figure; an unknown name is an error that lists all."""
    why = ""
    for name in spellings(text, kind):
        for exhibit in paper.exhibits:
            if (
                name == exhibit.name
                or name in exhibit.items
                or name in {i.rstrip("ab") for i in exhibit.items}
            ):
                return exhibit
        if name in paper.left_out:
            why = f" ({paper.left_out[name]})"
            break
    known = [exhibit.name for exhibit in paper.exhibits]
    raise unknown(
        f"table or figure of {paper.name}", f"{text}{why}", known, f"tacit reproduce {paper.name} --list"
    )


def number_of(item: str) -> tuple[str, tuple[int, ...], str]:
    """Sorts tables before figures, and 10 after 9.

    >>> sorted(["figure-10", "figure-9b", "table-2"], key=number_of)
    ['table-2', 'figure-9b', 'figure-10']
    """
    kind, _, number = item.partition("-")
    digits = tuple(int(part) for part in re.findall(r"\d+", number))
    return "0" if kind == "table" else "1" if kind == "figure" else kind, digits, number
