"""Title normalization: one form for all spellings of a title, so that all devices make the same key.

`The Matrix`, `Matrix, The` and `MATRIX` become `matrix`; `Rocky II` and `Rocky 2` become `rocky 2`. The rules run in
the order in which they stand in `normalize`; changing one changes keys, so `item_keys.KEY_VERSION` must grow with it.
Normalizing twice changes nothing.
"""
# ruff: noqa: RUF001 - characters that look alike are what this file is about

from __future__ import annotations

import html
import re
import unicodedata

MAX_BYTES = 160
"""A normalized title is cut to this many bytes of UTF-8."""

_SPELLED_OUT = str.maketrans(
    {"ß": "ss", "ẞ": "SS", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
    | {"đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "TH", "ı": "i", "´": "'"}
)
_APOSTROPHES = str.maketrans(dict.fromkeys("'`’‘‛ʼʻʹ′", None))
_LATIN_MARKS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""Accents and their like. Marks of other scripts (Thai vowels, Japanese voicing) are letters to their readers."""
_ARTICLES = "the|a|an|le|la|les|l'|un|une|der|die|das|ein|eine|el|los|las|una|il|lo|gli"
_TRAILING_ARTICLE = re.compile(rf"^(?P<rest>.+),\s+(?P<article>{_ARTICLES})$", re.IGNORECASE)
_INITIALS = re.compile(r"(?<!\w)(?:[^\W\d_]\.){2,}(?:[^\W\d_](?!\w))?")
_NO_LETTERS = re.compile(r"[\W_]+")
_ENGLISH_ARTICLES = ("the", "a", "an")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_SIGNS_OF_MOJIBAKE = {"cp1252": "ÃÂâÅÄ", "latin-1": "ÃÂâÅÄ", "mac_roman": "√‚"}


def normalize(title: str) -> str:
    """The form of a title that goes into a key; empty only if nothing can be read in it.

    >>> normalize("Matrix, The"), normalize("Am&eacute;lie"), normalize("Rocky II"), normalize("$")
    ('matrix', 'amelie', 'rocky 2', '$')
    """
    text = " ".join(repair(html.unescape(title)).split())
    text = front_article(text).translate(_SPELLED_OUT)
    text = _plain_letters(text)
    text = text.replace("&", " and ").replace("+", " and ").translate(_APOSTROPHES)
    text = _INITIALS.sub(lambda found: found[0].replace(".", ""), text)
    words = _cut(_only_letters(unicodedata.normalize("NFC", text))).split()
    while len(words) > 1 and words[0] in _ENGLISH_ARTICLES:
        words = words[1:]
    words = words[:1] + [_ROMAN.get(word, word) for word in words[1:]]
    return " ".join(words) or _signs(title)


def repair(text: str) -> str:
    """UTF-8 that was once read as something else, mended; any other text as it is.

    >>> repair("AmÃ©lie"), repair("Amélie")
    ('Amélie', 'Amélie')
    """
    for encoding, signs in _SIGNS_OF_MOJIBAKE.items():
        if any(sign in text for sign in signs):
            try:
                return text.encode(encoding).decode("utf-8")
            except UnicodeError:
                continue
    return text


def strip_unsafe(text: str) -> str:
    """Without what could disturb a line of text: controls, direction marks, joiners, halves of characters.

    >>> strip_unsafe("Night\\u202e Ferry\\x07")
    'Night Ferry'
    """
    if text.isascii() and text.isprintable():  # Most texts are; looking at each character takes time.
        return text
    return "".join(c for c in text if not is_unsafe(c))


def is_unsafe(character: str) -> bool:
    """Whether a character could change how others are shown, or has no agreed meaning."""
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def front_article(text: str) -> str:
    """The title as it is spoken.

    >>> front_article("Matrix, The"), front_article("Haine, La")
    ('The Matrix', 'La Haine')
    """
    found = _TRAILING_ARTICLE.match(text)
    return f"{found['article']} {found['rest']}" if found else text


def _plain_letters(text: str) -> str:
    """Small letters without accents; `8½` as `8 1/2`, `Alien³` as `alien 3`."""
    text = strip_unsafe(text)
    if text.isascii():
        return text.casefold()
    text = "".join(f" {c}" if unicodedata.category(c) == "No" else c for c in text)
    for _ in range(2):  # Folding the case can bring new accents.
        text = _LATIN_MARKS.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return text


def _only_letters(text: str) -> str:
    """Letters and digits of any script, and the marks that belong to them; spaces for all else."""
    if text.isascii():
        return _NO_LETTERS.sub(" ", text)
    return "".join(c if unicodedata.category(c)[0] in "LNM" else " " for c in text)


def _cut(text: str) -> str:
    return text.encode()[:MAX_BYTES].decode(errors="ignore")


def _signs(title: str) -> str:
    """A title without letters (`$`, `...`) stands for itself; a colon would break the key."""
    text = strip_unsafe(repair(html.unescape(title))).casefold()
    return _cut("".join(c for c in text if c != ":" and not c.isspace()))
