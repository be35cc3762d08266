"""The start file: what is read is what was written, and nothing that was changed is."""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadInput
from tacit.node.start import rows_file
from tacit.node.start.recommender import Recommender
from tests.node.start.starts import start

START = start()
DATA = rows_file.pack(START)


def changed(**fields: Any) -> bytes:
    """A file with a proper checksum and other contents."""
    body = msgspec.msgpack.decode(zlib.decompress(DATA.partition(b"\n")[2][32:]))
    packed = zlib.compress(msgspec.msgpack.encode({**body, **fields}))
    return b"tacit-rows 1\n" + hashlib.sha256(packed).digest() + packed


def test_what_is_read_is_what_was_written(tmp_path: Path) -> None:
    rows_file.write(tmp_path / "a.rows", START)
    again = rows_file.read(tmp_path / "a.rows")
    assert (again.keys, again.titles, again.years) == (START.keys, START.titles, START.years)
    assert (again.source, again.licence, again.made) == ("invented", "free", "by a test")
    assert np.array_equal(again.public.rows, START.public.rows), (
        "rows are kept in half precision from the start"
    )
    assert np.array_equal(again.hues, START.hues)
    assert again.public.calibration == START.public.calibration
    own = dict.fromkeys(START.keys[:9], 1.0)
    assert Recommender(again).rank(own).best() == Recommender(START).rank(own).best()
    assert rows_file.pack(again) == DATA
    assert rows_file.is_start_file(tmp_path / "a.rows")


def test_genres_are_kept_and_a_file_without_them_can_be_read() -> None:
    genres = ["comedy|drama"] * len(START)
    again = rows_file.unpack(rows_file.pack(replace(START, genres=genres)))
    assert again.genres == genres
    assert rows_file.unpack(DATA).genres == []
    for wrong, says in (
        (["drama"], "genres of the wrong size"),
        (["a\x1b"] * len(START), "not one plain line"),
    ):
        with pytest.raises(BadInput, match=says):
            rows_file.unpack(changed(genres=wrong))


@given(st.integers(0, 8 * len(DATA) - 1))
def test_a_flipped_bit_is_noticed(bit: int) -> None:
    spoiled = bytearray(DATA)
    spoiled[bit // 8] ^= 1 << bit % 8
    with pytest.raises(BadInput, match="start file: got"):
        rows_file.unpack(bytes(spoiled))


@given(st.integers(0, len(DATA) - 1))
def test_so_is_a_missing_end(size: int) -> None:
    with pytest.raises(BadInput, match="start file: got"):
        rows_file.unpack(DATA[:size])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "another kind of file"),
        (b"user,item\n1,2\n", "another kind of file"),
        (DATA.replace(b"tacit-rows 1", b"tacit-rows 2"), "version 2; allowed: 1; update tacit"),
        (changed(k=0), "titles with 0 numbers"),
        (changed(k=100_000), "titles with 100000 numbers"),
        (changed(k=7), "rows of the wrong size"),
        (changed(keys=[]), "0 titles"),
        (changed(keys=START.keys[:-1]), "of the wrong size"),
        (changed(keys=[START.keys[0], *START.keys[:-1]]), "a key that occurs twice"),
        (changed(keys=["film:t:The Upper:1999", *START.keys[1:]]), "not in normal form"),
        (changed(titles=["two\nlines", *START.titles[1:]]), "one plain line"),
        (changed(mean=np.full(8, np.nan, "<f4").tobytes()), "a number that is none"),
        (changed(w0=-1.0), "weights outside"),
        (changed(tau=1e30), "weights outside"),
        (changed(precision=np.zeros(36, "<f4").tobytes()), "a precision that is none"),
        (changed(calibration=[-1.0, 0.0, 0.0, 0.0]), "turns the order"),
        (changed(surprise=1), "cannot be read"),
        (changed(source=7), "cannot be read"),
    ],
)
def test_anything_else_is_refused_in_one_line(data: bytes, says: str) -> None:
    with pytest.raises(BadInput) as error:
        rows_file.unpack(data, "a.rows")
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_unpacks_without_end_is_refused_early(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = zlib.compress(bytes(2_000_000))
    bomb = b"tacit-rows 1\n" + hashlib.sha256(packed).digest() + packed
    monkeypatch.setattr(rows_file, "MAX_UNPACKED", 100_000)
    with pytest.raises(BadInput, match="more than 100,000 bytes"):
        rows_file.unpack(bomb)


def test_a_file_that_is_too_big_or_missing_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no\.rows does not exist"):
        rows_file.read(tmp_path / "no.rows")
    with (tmp_path / "big.rows").open("wb") as file:
        file.truncate(rows_file.MAX_FILE + 1)
    with pytest.raises(BadInput, match="64,000,001 bytes"):
        rows_file.read(tmp_path / "big.rows")


def test_titles_are_found_by_their_words() -> None:
    assert [START.titles[place] for place in START.search("film AAX")] == [START.titles[0]]
    assert START.search("") == []
    assert START.search("nothing like it") == []
