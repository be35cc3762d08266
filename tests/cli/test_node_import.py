"""`tacit node import`, as a person uses it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacit.cli.main import call
from tacit.node import first_setup
from tacit.node.service import Service
from tests.node.importers.exports import zip_bytes
from tests.node.importers.test_letterboxd import ZIP
from tests.node.importers.test_netflix import HISTORY


@pytest.fixture
def home(tmp_path: Path) -> Path:
    first_setup.create(tmp_path / "home")
    (tmp_path / "export.zip").write_bytes(zip_bytes(ZIP))
    return tmp_path / "home"


def imports(home: Path, *words: str) -> int:
    return call(["node", "import", *words, "--home", str(home)])


def kept(home: Path) -> list[str]:
    service = Service(home)
    keys = [rating.key for rating in service.ratings()]
    service.close()
    return keys


def test_what_is_printed_is_what_was_kept(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert imports(home, "letterboxd", str(home.parent / "export.zip"), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    reasons = {"rating not on its scale": 1, "no title": 1}
    assert told == {"imported": 7, "skipped": 2, "reasons": reasons}
    assert len(kept(home)) == 7
    assert imports(home, "letterboxd", str(home.parent / "export.zip"), "--json") == 0
    assert len(kept(home)) == 7


def test_a_second_file_says_what_stays_as_it_was(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    imports(home, str(home.parent / "export.zip"))
    watched = home.parent / "watched.csv"
    watched.write_text(str(ZIP["watched.csv"]))
    capsys.readouterr()
    for words in (("--dry-run",), ()):
        assert imports(home, str(watched), *words) == 0
        assert "kept as they were: what you have says more, or is later" in capsys.readouterr().err
    assert imports(home, str(watched), "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["skipped"] == sum(told["reasons"].values()) > 1


def test_a_dry_run_keeps_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert imports(home, "letterboxd", str(home.parent / "export.zip"), "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["imported"] == 7
    assert kept(home) == []


def test_a_title_without_a_year_is_the_one_that_is_known(home: Path) -> None:
    imports(home, "letterboxd", str(home.parent / "export.zip"))
    history = home.parent / "NetflixViewingHistory.csv"
    history.write_text(HISTORY.replace("Night Ferry: The Return", "Night Ferry"))
    assert imports(home, "netflix", str(history)) == 0
    assert "film:t:night ferry:2010" in kept(home)
    assert "film:t:night ferry:-" not in kept(home)


def test_what_was_left_out_can_be_had_as_a_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left = home.parent / "left.csv"
    assert imports(home, "letterboxd", str(home.parent / "export.zip"), "--skipped", str(left)) == 0
    assert f"What was left out is in {left}." in capsys.readouterr().err
    assert left.read_text().splitlines() == [
        "file,row,reason,content",
        'ratings.csv,4,rating not on its scale,"2021-03-05,Grey Hours,2001,https://boxd.it/c,9"',
        'watched.csv,4,no title,"2021-03-04,,2016,https://boxd.it/e"',
    ]
    assert len(kept(home)) == 7


def test_also_when_nothing_can_be_used_or_the_file_cannot_be_written(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, left = home.parent / "bad.csv", home.parent / "left.csv"
    bad.write_text("item,rating\n7,many\n")
    assert imports(home, "csv", str(bad), "--skipped", str(left)) == 2
    assert '2,rating not on its scale,"7,many"' in left.read_text()
    export, nowhere = str(home.parent / "export.zip"), str(home.parent / "no" / "left.csv")
    assert imports(home, "letterboxd", export, "--skipped", nowhere) == 2
    assert "a file that can be written" in capsys.readouterr().err
    assert kept(home) == [], "all or nothing"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (zip_bytes(ZIP)[:700], "export.zip is a damaged zip; get it again"),
        (b"\x00\x01\x02", "export.zip"),
        (b"a,b\n1,2\n", "export.zip"),
    ],
)
def test_a_bad_file_is_one_line_and_exit_code_2(
    home: Path, capsys: pytest.CaptureFixture[str], data: bytes, says: str
) -> None:
    (home.parent / "export.zip").write_bytes(data)
    assert imports(home, "letterboxd", str(home.parent / "export.zip")) == 2
    told = capsys.readouterr()
    assert says in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert kept(home) == []
