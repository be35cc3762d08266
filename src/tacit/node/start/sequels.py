"""Sequels: titles that belong together, so that a list is not ten parts of one story.

Two titles belong together when what stands before a number or a colon is the same (`Salt Road II: Home`, `Salt
Road 3`). So do two of which one is the beginning of the other (`Salt Road`, `Salt Road Returns`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tacit.node.catalogue.item_keys import NO_YEAR, kind_of, year_of
from tacit.node.catalogue.title_normalization import normalize

T = TypeVar("T")
MOST = 2
"""Titles of one story in a list."""
_NUMBER = re.compile(r"^(.+?) (?:(?:part|chapter|episode|volume|vol) )?(?:\d{1,2})(?: .*)?$")
_PART = re.compile(r"^(.+?) (?:part|chapter|episode|volume|vol) .+$")
_SHORT = 4
"""A beginning of so few letters (`It`, `Heat`) is no sign of a story."""


def story_of(key: str, title: str) -> str:
    """What the parts of a story have in common.

    >>> story_of("film:t:salt road 2 home:1999", "Salt Road II: Home (1999)")
    'salt road'
    >>> story_of("film:t:salt road going home:2002", "Salt Road: Going Home (2002)")
    'salt road'
    """
    year = year_of(key)
    text = title.removesuffix(f"({year})") if year is not None else title
    main = re.split(r":| - ", text, maxsplit=1)[0]
    whole = normalize(main) or normalize(text) or key
    found = _NUMBER.match(whole) or _PART.match(whole)
    return found[1] if found else whole


def at_most(items: Iterable[tuple[str, str, T]], most: int = MOST) -> Iterator[T]:
    """The items of (key, title, item), without those that would be more than `most` of one story of one kind."""
    kept: dict[tuple[str, str], int] = {}
    for key, title, item in items:
        kind, story = kind_of(key), story_of(key, title)
        same = [
            place
            for place in kept
            if place[0] == kind and _belong(place[1], story)
        ]  # fmt: skip
        if sum(kept[place] for place in same) < most:
            kept[kind, story] = kept.get((kind, story), 0) + 1
            yield item


def _belong(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > _SHORT and short != NO_YEAR and long.startswith(f"{short} "))
