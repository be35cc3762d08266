from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.batch import RunListener
from tacit.papers.base import Claim, Finding, Paper, Wanted
from tacit.papers.reproduce import _judged, about, lacking, paper_named, papers, reproduce
from tests.papers.fake_paper import FEDERATED
from tests.papers.fake_paper import fake_paper as fake_paper


def test_papers_by_name() -> None:
    assert papers() == ["dymbe", "federank", "fpl", "hegedus", "pepper"]
    assert paper_named("hegedus").name == "hegedus"
    with pytest.raises(BadInput, match=r"paper: got hegdus; did you mean hegedus\?"):
        paper_named("hegdus")
    with pytest.raises(BadInput, match="known: figure-1, figure-2, figure-3, figure-4, table-1"):
        reproduce("hegedus", table="figure-5")


def test_a_whole_paper(fake_paper: Paper, tmp_path: Path) -> None:
    said: list[str] = []
    found = reproduce("fake", out=tmp_path, host=RunListener(say=said.append))
    assert said[0].startswith("A made-up paper: 3 runs, about 4 min on two cores; runs that are finished in")
    assert "2 of 3 runs done" in said[-1]
    told = found.to_json()
    assert set(told) == {"tacit", "paper", "citation", "quick", "tables", "claims", "notes", "runs"}
    assert [table["name"] for table in told["tables"]] == ["table-1", "table-2", "figure-1", "sizes"]
    assert "not at hand, left out: yahoo-r3" in said[1]
    assert told["tables"][1]["rows"][0]["verdict"] == "data not at hand"
    central, federated = told["tables"][0]["rows"]
    assert central["seeds"] == 2
    assert (central["verdict"], central["tolerance"]) == ("differs", 0.1)
    assert federated["verdict"] is None
    assert (told["claims"][0]["verdict"], told["claims"][0]["source"]) == ("holds", "section <1>")
    assert len(told["runs"]) == 3
    said.clear()
    again = reproduce("fake", out=tmp_path, host=RunListener(say=said.append))
    assert sum("finished before" in line for line in said) == 3
    assert again.to_json() == told


def test_one_table_alone_checks_no_claim_that_needs_more(fake_paper: Paper) -> None:
    found = reproduce("fake", table="table-1", quick=True)
    assert found.claims() == []
    assert [result.recipe for result in found.outcomes.every()] == ["baseline/central-mf"] * 2


def test_a_note_about_quick_is_said_with_quick_only(fake_paper: Paper) -> None:
    notes = {q: reproduce("fake", table="sizes", quick=q).to_json()["notes"] for q in (False, True)}
    assert notes == {False: ["All made up."], True: ["All made up.", "--quick: one run less."]}
    for name in papers():
        paper = paper_named(name)
        assert all(note.startswith("--quick: ") for note in paper.quick_notes), name
        assert not any("--quick" in note for note in paper.notes), name


def test_a_table_that_needs_no_run(fake_paper: Paper) -> None:
    found = reproduce("fake", table="Table 3", quick=True)
    assert found.outcomes.every() == []
    (table,) = found.tables()
    assert [(row["ours"], row["verdict"]) for row in table["rows"]] == [(30.0, "agrees")]


def test_memory_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacit.papers.reproduce.available", lambda: 8_000_000_000)
    assert (
        lacking(Wanted("a/b", "synthetic", gigabytes=42)) == "42 GB of memory, which a/b on synthetic needs"
    )
    assert lacking(Wanted("a/b", "synthetic", gigabytes=2)) is None


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(5, "under a minute"), (70, "about 1 min"), (5000, "about 83 min"), (9000, "about 2.5 h")],
)
def test_times_in_words(seconds: float, words: str) -> None:
    assert about(seconds) == words


def test_what_is_finished_is_shown_and_nothing_is_run(fake_paper: Paper, tmp_path: Path) -> None:
    reproduce("fake", table="table-1", quick=True, out=tmp_path)
    half = reproduce("fake", out=tmp_path, finished=True)
    central, federated = half.tables()[0]["rows"]
    assert central["seeds"] == 2
    assert (federated["ours"], federated["verdict"]) == (None, "not finished")
    assert half.tables()[1]["rows"][0]["verdict"] == "data not at hand"
    assert [(c["verdict"], c["ours"]) for c in half.claims()] == [
        ("not checked", "runs that it needs are not finished")
    ]
    whole = reproduce("fake", out=tmp_path)
    assert reproduce("fake", out=tmp_path, finished=True).to_json() == whole.to_json()


def test_a_verdict_from_some_of_the_runs_says_so(
    fake_paper: Paper, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = Claim("C2", "", "", "", ("table-1", "table-2"), lambda o: Finding("holds", "lower"))
    monkeypatch.setattr(
        "tacit.papers.reproduce.paper_named", lambda name: replace(fake_paper, claims=(alone,))
    )
    reproduce("fake", table="table-1", quick=True, out=tmp_path)
    (half,) = reproduce("fake", out=tmp_path, finished=True).claims()
    assert half["ours"] == "lower; 2 of 3 runs of table 1, table 2 are finished", (
        "every seed is a run, and data not at hand do not count"
    )
    (whole,) = reproduce("fake", out=tmp_path).claims()
    assert whole["ours"] == "lower"


def test_a_verdict_from_runs_that_ran_away_says_so(fake_paper: Paper) -> None:
    found = reproduce("fake", quick=True)
    assert found.claims()[0]["ours"] == "as <expected>"
    lost = found.outcomes[FEDERATED][0]
    lost.notes.append("learning ran away after round 2: the models' numbers are not finite")
    again = _judged(fake_paper, True, found.exhibits, found.outcomes)
    assert again.claims()[0]["ours"] == "as <expected>; learning ran away in 1 runs of table 1, figure 1"
    assert again.tables()[2]["rows"][0]["verdict"] == "learning ran away"


def test_finished_needs_a_folder(fake_paper: Paper, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"--finished: got --out .*nowhere; allowed: --out DIR"):
        reproduce("fake", out=tmp_path / "nowhere", finished=True)
