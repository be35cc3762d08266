"""Covers made of type: a title on a coloured ground, drawn by the stylesheet from a few class names.

The hue comes from the start: titles liked by the same people have neighbouring hues. A title without a place there is
grey. Finish and shape are drawn from the key, so that neighbours stay apart and a title always looks the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from zlib import crc32

from tacit.node.catalogue.item_keys import kind_of, surname, without_series, year_of
from tacit.node.catalogue.title_normalization import normalize
from tacit.node.start.hues import STEPS

FINISHES = ("deep", "bright", "pale")
SHAPES = ("sun", "rings", "beams", "stripes", "dots", "bars", "shore", "links")
OF_KIND = {"series": "screens", "book": "spine", "artist": "disc", "album": "disc"}
_DATED = re.compile(r" \(\d{4}\)$")
LONGEST_WORD, LONGEST_TITLE = (6, 8, 10, 12), (14, 26, 42, 64)
"""Letters up to which a title has the first, second ... size of type; beyond them it has the last."""


@dataclass(frozen=True, slots=True)
class Cover:
    """A title as it is shown: its name and year apart, and the class names of its cover."""

    key: str
    title: str
    """Whole, as it is kept."""
    name: str
    """Without the year, and without the author."""
    year: int | None
    hue: str
    """Class name of the colour."""
    looks: str
    """All class names of the cover."""
    author: str = ""
    """Of a book or an album, where it stands in the title."""


def cover(key: str, title: str, hue: int | None, year: int | None = None) -> Cover:
    """The cover of a title.

    >>> cover("film:t:night ferry:2010", "Night Ferry (2010)", 7).looks
    'cover h07 pale stripes t1'
    """
    year = year_of(key) if year is None else year
    name, author = _by(key, bare(title))
    chance = crc32(key.encode())
    shape = OF_KIND.get(kind_of(key)) or SHAPES[chance // 3 % len(SHAPES)]
    colour = hue_class(hue)
    looks = f"cover {colour} {FINISHES[chance % 3]} {shape} t{_size(name)}"
    return Cover(key, title, name, year, colour, looks, author)


def bare(title: str) -> str:
    """A title without its year.

    >>> bare("Night Ferry (2010)"), bare("Paper Boats, Ada Okafor")
    ('Night Ferry', 'Paper Boats, Ada Okafor')
    """
    return _DATED.sub("", title) or title


def _by(key: str, title: str) -> tuple[str, str]:
    """Title and author, where the last part of a title is the author that the key names."""
    if kind_of(key) not in ("book", "album"):
        return title, ""
    name, _, author = title.rpartition(", ")
    named = key.rpartition(":")[2]
    if name and named in (surname(author), normalize(author)):
        return without_series(name), author
    return without_series(title), ""


def hue_class(hue: int | None) -> str:
    """The class name of a hue; grey where there is none.

    >>> hue_class(7), hue_class(None), hue_class(255)
    ('h07', 'grey', 'grey')
    """
    return "grey" if hue is None or hue >= STEPS else f"h{hue:02}"


def _size(name: str) -> int:
    word = max(map(len, name.split()), default=0)
    by_word = sum(word > most for most in LONGEST_WORD)
    return 1 + max(by_word, sum(len(name) > most for most in LONGEST_TITLE))
