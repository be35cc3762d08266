"""Item keys: the same readable key for an item on every device, and the 64-bit number of its row.

    film:t:<title>:<year>      film:t:night ferry:2010        year - where it is not known
    series:t:<title>:<year>    series:t:salt road:1998
    book:t:<title>:<surname>   book:t:paper boats:okafor      no year: editions differ
    artist:t:<name>            artist:t:blue orchard
    album:t:<title>:<artist>   album:t:winter signal:blue orchard
    csv:<id>                   csv:1193                       an id of the person's own

Titles are normalized (`title_normalization.normalize`). In models and messages an item is the 64-bit hash of its key:
a key proves its row. Two nodes that talk must have the same KEY_VERSION.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from tacit.core.errors import BadInput
from tacit.node.catalogue.title_normalization import normalize, strip_unsafe

KEY_VERSION = 1
MAX_KEY_BYTES = 400
MAX_TITLE = 200
"""Characters of a title that is kept beside a key, for people to read."""
KINDS = ("film", "series", "book", "artist", "album")
NO_YEAR = "-"

_DATED = ("film", "series")
_TITLE_KEY = re.compile(r"(?P<kind>film|series|book|artist|album):t:(?P<title>[^:]+)(?::(?P<more>[^:]+))?")
_YEAR = re.compile(r"-|1[89]\d\d|20\d\d")
_SERIES_NOTE = re.compile(r"\s*[(\[][^()\[\]]*#[^()\[\]]*[)\]]")
_VOLUME = re.compile(r"\b(vol(ume)?|part|book|bd|band|tome|box|boxed|abridged|omnibus)\b", re.IGNORECASE)
_NOT_A_SURNAME = {"jr", "sr", "phd", "md", "2", "3", "4", "ii", "iii", "iv"}


def film_key(title: str, year: int | None = None) -> str:
    """The key of a film.

    >>> film_key("Night Ferry, The", 2010)
    'film:t:night ferry:2010'
    """
    return title_key("film", title, year_text(year))


def series_key(title: str, year: int | None = None) -> str:
    """The key of a series, all its seasons and episodes together."""
    return title_key("series", title, year_text(year))


def book_key(title: str, author: str = "") -> str:
    """The key of a book: title without series note and subtitle, surname of the first author.

    >>> book_key("Paper Boats: A Novel (Harbour, #2)", "Ada Okafor")
    'book:t:paper boats:okafor'
    """
    bare = without_series(title)
    main, _, subtitle = bare.partition(":")
    if subtitle and not _VOLUME.search(subtitle) and normalize(main):
        bare = main
    return title_key("book", bare, surname(author))


def artist_key(name: str) -> str:
    """The key of a musician or a band."""
    return title_key("artist", name)


def album_key(title: str, artist: str) -> str:
    """The key of an album."""
    return title_key("album", title, normalize(artist) or NO_YEAR)


def csv_key(item: str) -> str:
    """The key of an item that somebody else numbered; a full key stands for itself.

    >>> csv_key("1193"), csv_key("film:t:night ferry:2010")
    ('csv:1193', 'film:t:night ferry:2010')
    """
    if _TITLE_KEY.fullmatch(item):
        return check_key(item)
    return check_key(f"csv:{_one_line(item.removeprefix('csv:'))}")


def title_key(kind: str, title: str, more: str = "") -> str:
    """A key from its parts; BadInput, without the title in it, when there is nothing to make a key of."""
    normal = normalize(title)
    if not normal:
        raise BadInput(f"title of a {kind}", got="nothing readable", allowed="letters, digits or signs")
    return f"{kind}:t:{normal}" + (f":{more}" if more else "")


def row_id(key: str) -> int:
    """The number under which an item's row is stored and sent: 64 bits of BLAKE2b, first byte lowest."""
    return int.from_bytes(blake2b(f"tacit-key/1|{key}".encode(), digest_size=8).digest(), "little")


def key_fault(key: str) -> str:
    """What is wrong with a key, in words that do not repeat it; nothing if it is a proper key."""
    try:
        size = len(key.encode())
    except UnicodeEncodeError:
        return "half a character"
    if size > MAX_KEY_BYTES:
        return f"{size} bytes; allowed: up to {MAX_KEY_BYTES}"
    if strip_unsafe(key) != key:
        return "control, direction or unassigned characters"
    if key.startswith("csv:"):
        own = key.removeprefix("csv:")
        return "" if own and own == " ".join(own.split()) else "an empty or badly spaced id"
    found = _TITLE_KEY.fullmatch(key)
    if found is None:
        return f"not kind:t:title, with a kind of {', '.join(KINDS)}, nor csv:id"
    return _parts_fault(found["kind"], found["title"], found["more"] or "")


def check_key(key: str) -> str:
    """The key, or BadInput."""
    if fault := key_fault(key):
        raise BadInput("key of an item", got=fault)
    return key


def kind_of(key: str) -> str:
    """The first part of a key: film, series, book, artist, album or csv."""
    return key.partition(":")[0]


def year_of(key: str) -> int | None:
    """The year in a film's or series' key, if it is known."""
    year = key.rpartition(":")[2]
    return int(year) if kind_of(key) in _DATED and year.isascii() and year.isdigit() else None


def year_text(year: int | None) -> str:
    """A year as written in a key: `2010`, or `-` where it is not known or not from 1800 to 2099."""
    text = NO_YEAR if year is None else str(year)
    return text if _YEAR.fullmatch(text) else NO_YEAR


def display_title(key: str) -> str:
    """A title to show where only the key is known.

    >>> display_title("film:t:night ferry:2010"), display_title("book:t:paper boats:okafor"), display_title("csv:7")
    ('Night Ferry (2010)', 'Paper Boats, Okafor', '7')
    """
    found = _TITLE_KEY.fullmatch(key)
    if found is None:
        return key.removeprefix("csv:")
    title, more = _capitals(found["title"]), found["more"]
    if not more or more == NO_YEAR:
        return title
    return f"{title} ({more})" if found["kind"] in _DATED else f"{title}, {_capitals(more)}"


def clean_title(title: str) -> str:
    """A title as it is kept to be shown: one line, nothing in it that could disturb others, not too long."""
    return _one_line(title)[:MAX_TITLE].rstrip()


def without_series(title: str) -> str:
    """A book's title without the series and number that some services write behind it.

    >>> without_series("Paper Boats (Harbour, #2)")
    'Paper Boats'
    """
    return _SERIES_NOTE.sub("", title).strip() or title


def surname(author: str) -> str:
    """The last word of the first author's surname, `-` if there is none.

    >>> surname("Ada B. Okafor Jr."), surname("Le Marsh, Ursula"), surname("")
    ('okafor', 'marsh', '-')
    """
    words = normalize(author.partition(",")[0]).split()
    while len(words) > 1 and words[-1] in _NOT_A_SURNAME:
        words.pop()
    return words[-1] if words else NO_YEAR


def _parts_fault(kind: str, title: str, more: str) -> str:
    if normalize(title) != title:
        return "a title that is not in normal form"
    if kind in _DATED and not _YEAR.fullmatch(more):
        return "no year from 1800 to 2099, nor -"
    if kind == "artist" and more:
        return "more than a name"
    if kind in ("book", "album") and more != NO_YEAR and (not more or normalize(more) != more):
        return "no author or artist in normal form, nor -"
    return ""


def _one_line(text: str) -> str:
    """Line breaks are spaces; other unsafe characters are nothing."""
    return " ".join(strip_unsafe(" ".join(text.split())).split())


def _capitals(text: str) -> str:
    return " ".join(word[:1].upper() + word[1:] for word in text.split())
