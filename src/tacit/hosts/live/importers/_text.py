"""Bytes to text: UTF-8, UTF-16 or the old Windows encoding, with or without a mark in front."""

from __future__ import annotations

import codecs

from tacit.core.errors import BadInput

_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decode(data: bytes, where: str, *, cut: bool = False) -> str:
    """The text; BadInput for what is none. With `cut` the last character may be incomplete."""
    for encoding in _likely(data):
        try:
            # An incremental decoder keeps an incomplete last character for later instead of failing.
            text = codecs.getincrementaldecoder(encoding)().decode(data, final=not cut)
        except UnicodeError:
            continue
        if "\0" not in text:
            return text
    raise BadInput(f"{where} is not text", allowed="UTF-8, UTF-16 or Windows-1252")


def _likely(data: bytes) -> list[str]:
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return [encoding]
    sample = data[:1000]
    if sample.count(0) > len(sample) // 4:  # Latin letters in UTF-16: every other byte is zero.
        return ["utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"]
    return ["utf-8", "cp1252"]
