"""Which column is which: the names tacit reads, those it recognizes, and those a user says (`--columns`).

>>> pick(["userId", "movieId", "rating"])
{'userId': 'user', 'movieId': 'item', 'rating': 'rating'}
>>> pick(["who", "what"], columns={"user": "who", "item": "what"})
{'who': 'user', 'what': 'item'}
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tacit.core.errors import BadInput, unknown

FORMAT = "columns user,item[,rating][,timestamp][,lat,lon][,category] with a header"
NUMBERS = {
    "rating": "a number",
    "timestamp": "Unix seconds, an ISO date or time such as 2001-01-31T12:00:00, or nothing",
    "lat": "degrees, or nothing",
    "lon": "degrees, or nothing",
}
ABOUT_ITEMS = ("title", "category", "city", "genres", "year")
"""Columns that say something about an item; used where they are there."""
KNOWN = ("user", "item", *NUMBERS, *ABOUT_ITEMS, "split")
RECOGNIZED = {"user": ("userid", "user_id"), "item": ("itemid", "item_id", "movieid", "movie_id")}
"""Other names that are read without being told, where there is no column of tacit's own name."""
ALLOWED = "OURS=THEIRS,... such as user=userId,item=movieId"


def parse_columns(given: str | Mapping[str, str] | None) -> dict[str, str]:
    """What a user says about columns: our name -> the source's.

    >>> parse_columns("user=userId, item=movieId")
    {'user': 'userId', 'item': 'movieId'}
    """
    if given is None:
        return {}
    if isinstance(given, Mapping):
        pairs = [(str(ours), str(theirs)) for ours, theirs in given.items()]
    elif not isinstance(given, str):
        raise BadInput("columns", got=given, allowed=f"{ALLOWED}, or a mapping")
    else:
        pairs = []
        for text in given.split(","):
            ours, equals, theirs = text.partition("=")
            if not equals or not theirs.strip():
                raise BadInput("columns", got=text.strip() or "nothing", allowed=ALLOWED)
            pairs.append((ours.strip(), theirs.strip()))
    for ours, _ in pairs:
        if ours not in KNOWN:
            raise unknown("columns", ours, KNOWN)
    pairs = list(dict.fromkeys(pairs))
    for part in (0, 1):
        for name in dict.fromkeys(pair[part] for pair in pairs):
            said = ["=".join(pair) for pair in pairs if pair[part] == name]
            if len(said) > 1:
                raise BadInput("columns", got=" and ".join(said), allowed="each column once")
    return dict(pairs)


def joined(given: Sequence[str]) -> str | None:
    """What several `--columns` say together; None where there is none.

    >>> joined(["user=userId", "item=movieId"])
    'user=userId,item=movieId'
    """
    return as_text(",".join(given)) if given else None


def as_text(columns: str | Mapping[str, str] | None) -> str | None:
    """The same as the text of a setting; None where nothing is said.

    >>> as_text({"user": "userId"})
    'user=userId'
    """
    pairs = parse_columns(columns)
    for theirs in pairs.values():
        if "," in theirs or "=" in theirs:
            raise BadInput("columns", got=theirs, allowed="names without , and =; rename the column")
    return ",".join(f"{ours}={theirs}" for ours, theirs in pairs.items()) or None


def pick(
    names: Sequence[str], where: object = "", columns: str | Mapping[str, str] | None = None
) -> dict[str, str]:
    """Which columns are used: their name in the source -> ours. Case and spaces around do not matter."""
    chosen = parse_columns(columns)
    # The reader calls a second column of the same name NAME_duplicated_0.
    clean = [re.sub(r"_duplicated_\d+$", "", name).strip().lower() for name in names]
    for ours, theirs in chosen.items():
        found = [n for n, name in enumerate(names) if name.strip() == theirs] or [
            n for n, name in enumerate(clean) if name == theirs.lower()
        ]
        if not found:
            raise BadInput(
                f"column {theirs} is missing", got=_some(names), allowed=f"--columns {ours}=NAME", where=where
            )
        # What somebody named counts, whatever else has tacit's own name.
        clean = ["" if name == ours else name for name in clean]
        clean[found[0]] = ours
    for ours, others in RECOGNIZED.items():
        there = [n for n, name in enumerate(clean) if name in others]
        if ours not in clean and len(there) == 1:
            clean[there[0]] = ours
    for ours in ("user", "item"):
        if ours not in clean:
            hint = f"; name another with --columns {ours}=NAME"
            if any(_is_number(name) for name in names):
                hint = "; the first line looks like data: add a header line"
            raise BadInput(f"column {ours} is missing", got=_some(names), allowed=FORMAT + hint, where=where)
    used = set(KNOWN)
    if not {"lat", "lon"} <= set(clean):
        used -= {"lat", "lon"}
    for name in used:
        if clean.count(name) > 1:
            raise BadInput(f"column {name}", got="it twice", allowed="each column once", where=where)
    return {name: ours for name, ours in zip(names, clean, strict=True) if ours in used}


def recognized(names: Sequence[str], columns: str | Mapping[str, str] | None = None) -> list[str]:
    """A note where columns were recognized by another name than tacit's own."""
    chosen = parse_columns(columns)
    others = [
        f"{theirs} as {ours}"
        for theirs, ours in pick(names, columns=columns).items()
        if ours in RECOGNIZED and ours not in chosen and theirs.strip().lower() != ours
    ]
    return [f"columns read by another name: {', '.join(others)}"] if others else []


def _some(names: Sequence[str]) -> str:
    found = ",".join(names)
    return (found if len(found) <= 80 else found[:77] + "...") or "nothing"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
