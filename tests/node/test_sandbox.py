from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.node import sandbox
from tacit.node.sandbox import read_in_subprocess
from tests.node.importers.exports import plain, read, zip_bytes, zipped
from tests.node.importers.test_letterboxd import ZIP


def test_it_gives_what_reading_here_gives() -> None:
    found = read_in_subprocess(zip_bytes(ZIP), "export.zip", None, [], cluster=False, known=[])
    assert found == read(zipped(ZIP))


def test_options_and_known_keys_get_through() -> None:
    text = b"who,item,stars\nana,film:t:night ferry:2011,8\nben,7,2\n"
    maps = ["user=who,rating=stars,scale=10"]
    found = read_in_subprocess(text, "x.csv", "csv", maps, cluster=True, known=["film:t:night ferry:2010"])
    assert [(row.user, row.key, row.stars) for row in found.parsed] == [
        ("ana", "film:t:night ferry:2010", 4.0),
        ("ben", "csv:7", 1.0),
    ]


def test_a_fault_is_the_same_line() -> None:
    with pytest.raises(BadInput) as here:
        read(plain("a,b\n1,2\n", "x.csv"))
    with pytest.raises(BadInput) as there:
        read_in_subprocess(b"a,b\n1,2\n", "x.csv", None, [], cluster=False, known=[])
    assert str(here.value) == str(there.value)


def test_a_file_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "SECONDS", 0.01)
    with pytest.raises(BadInput, match=r"x\.csv could not be read"):
        read_in_subprocess(b"item\n1\n", "x.csv", None, [], cluster=False, known=[])


def test_a_reader_that_dies_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.sys, "executable", "false")
    with pytest.raises(BadInput, match="could not be read"):
        read_in_subprocess(b"item\n1\n", "x.csv", None, [], cluster=False, known=[])
