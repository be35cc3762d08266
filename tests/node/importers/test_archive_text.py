from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.node.importers.archive import decode

TEXT = "Name,Year\nPère Noël,1998\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
def test_encodings(encoding: str) -> None:
    assert decode(TEXT.encode(encoding), "x.csv") == TEXT


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"caf\xe9 \x81\x8d", b"\xff\xfea"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="not text"):
        decode(data, "x.csv")


def test_the_first_part_of_a_text_may_end_within_a_character() -> None:
    assert decode("é".encode()[:1], "x", cut=True) == ""
