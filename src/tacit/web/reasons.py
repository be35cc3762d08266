"""Why a title is in the list, as a sum. The rows of a table add up to the whole score, and a bar shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import floor

from tacit.node.store.records import Reason
from tacit.web.covers import bare, hue_class

NAMED = 5
"""Own ratings that have a row of their own."""
WIDTH, GAP = 1000, 6
"""Of the bar, in units of its drawing."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the sum."""

    name: str
    percent: int
    """Of the whole score; less than nothing for what speaks against the title."""
    look: str
    """Class name of its colour: a hue, `rest`, `public`, `friend` or `against`."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the bar."""

    start: float
    width: float
    look: str


@dataclass(frozen=True, slots=True)
class Why:
    """The sum."""

    rows: list[Row]
    bar: list[Segment]


def why(reasons: Sequence[Reason], hue: Callable[[str], int | None]) -> Why | None:
    """The sum of a title's reasons; None where there is nothing to add up. `hue` tells the colour of a key."""
    whole = sum(reason.part for reason in reasons)
    if whole <= 0:
        return None
    parts = _parts(reasons, hue)
    percents = rounded([100 * part / whole for _, part, _ in parts])
    rows = [
        Row(name, percent, look) for (name, _, look), percent in zip(parts, percents, strict=True) if percent
    ]
    return Why(rows, _bar([(abs(part), look) for _, part, look in parts]))


def rounded(shares: Sequence[float]) -> list[int]:
    """Shares as whole numbers that add up to what the shares add up to: the largest remainders are rounded up.

    >>> rounded([33.4, 33.3, 33.3]), rounded([60.5, 45.7, -6.2])
    ([34, 33, 33], [60, 46, -6])
    """
    low = [floor(share) for share in shares]
    missing = round(sum(shares)) - sum(low)
    order = sorted(range(len(shares)), key=lambda i: low[i] - shares[i])
    for place in order[:missing]:
        low[place] += 1
    return low


def _parts(reasons: Sequence[Reason], hue: Callable[[str], int | None]) -> list[tuple[str, float, str]]:
    """(name, part, look) of every row, the largest own ratings first and what speaks against the title last."""
    own = [reason for reason in reasons if reason.of == "own" and reason.part > 0]
    against = [reason for reason in reasons if reason.part < 0]
    rows = [(bare(reason.name), reason.part, hue_class(hue(reason.key))) for reason in own[:NAMED]]
    if others := own[NAMED:]:
        count = "One other rating of yours" if len(others) == 1 else f"{len(others)} other ratings of yours"
        rows.append((count, sum(reason.part for reason in others), "rest"))
    rows += [
        (f"{r.name or 'Somebody in your circle'} likes it, or what is near to it", r.part, "friend")
        for r in reasons
        if r.of == "member" and r.part > 0
    ]
    rows += [("What most people like", r.part, "public") for r in reasons if r.of == "public" and r.part > 0]
    if against:
        names = [_name(reason) for reason in sorted(against, key=lambda reason: reason.part)[:2]]
        more = "" if len(against) <= len(names) else f" and {len(against) - len(names)} more"
        rows.append(
            (f"Against it: {', '.join(names)}{more}", sum(reason.part for reason in against), "against")
        )
    return rows


def _name(reason: Reason) -> str:
    if reason.of == "public":
        return "what most people like"
    return bare(reason.name) or "somebody in your circle"


def _bar(parts: Sequence[tuple[float, str]]) -> list[Segment]:
    """Segments side by side; own ratings beyond the second are one, and so are friends."""
    joined: list[tuple[float, str]] = []
    for place, (part, look) in enumerate(parts):
        plain = look if place < 2 or look in ("friend", "public", "against") else "rest"
        if joined and joined[-1][1] == plain and plain in ("rest", "friend"):
            joined[-1] = joined[-1][0] + part, plain
        else:
            joined.append((part, plain))
    whole = sum(part for part, _ in joined)
    room = WIDTH - GAP * (len(joined) - 1)
    found, start = [], 0.0
    for part, look in joined:
        width = room * part / whole
        found.append(Segment(round(start, 1), round(max(width, 1.0), 1), look))
        start += width + GAP
    return found
