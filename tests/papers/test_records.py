"""Recorded verdicts and the numbers beside them are one and the same measurement, wherever numbers can say so."""

from __future__ import annotations

import pytest

from tacit.papers.base import NOT_CHECKED
from tacit.papers.measured import CLAIM, agreement, recorded_numbers
from tacit.papers.reproduce import paper_named, papers
from tacit.papers.verdicts import agreeing, recorded
from tests.papers.from_records import outcomes

VERSION = "0.2.0"
DECIDED = {
    "fpl": {"F1a", "F1b", "F3", "F4a", "F4b", "F7", "F8a", "F8b", "F9", "F14", "Table 3"},
    "federank": {"F4a", "F4b", "F4c", "F5b", "F10", "F12", "F13", "F15"},
    "dymbe": {
        *("D12", "D13", "D23a", "D23b", "D24a", "D24b", "D25b", "D26a", "D26b", "D27a", "D27b", "D27c"),
        *("D28a", "D28b"),
    },
}
"""Claims that recorded tables decide. The others need users or items one by one; those of Hegedűs et al. and the rest
of Dymbe's need whole curves, which are not recorded."""
ONLY_THESE = ("dymbe",)
"""Papers of whose other claims recorded tables say nothing."""


@pytest.mark.parametrize("name", ["fpl", "federank", "pepper", "dymbe"])
def test_recorded_tables_give_the_recorded_verdicts(name: str) -> None:
    paper, known = paper_named(name), recorded()
    runs = outcomes(paper, VERSION)
    judged = set()
    for claim in paper.claims:
        line = known.get((name, claim.name))
        if line is None or line.version != VERSION:
            continue
        if name in ONLY_THESE and claim.name not in DECIDED[name]:
            continue
        found = claim.judge(runs)
        if found.verdict == NOT_CHECKED:
            continue
        behind = {one.name: one for one in recorded_numbers(name) if one.exhibit == CLAIM + claim.name}
        if set(behind) != set(found.numbers):
            continue  # judged by some of the runs that are on record
        judged.add(claim.name)
        assert found.verdict == line.verdict, claim.name
        assert line.found.startswith(found.ours), claim.name
        for case, value in found.numbers.items():
            assert value is not None, case
            assert float(behind[case].ours) == pytest.approx(value, rel=1e-6), case
    assert judged >= DECIDED.get(name, set())


@pytest.mark.parametrize("name", papers())
def test_a_verdict_with_numbers_has_numbers_of_the_same_version(name: str) -> None:
    known = recorded()
    for line in recorded_numbers(name):
        if line.exhibit.startswith(CLAIM):
            assert known[name, line.exhibit.removeprefix(CLAIM)].version == line.version


@pytest.mark.parametrize("name", papers())
def test_the_count_of_a_table_is_that_of_its_recorded_numbers(name: str) -> None:
    paper, known = paper_named(name), recorded()
    for exhibit in paper.exhibits:
        line = known.get((name, exhibit.name))
        if line is not None:
            counts = agreement(paper, recorded_numbers(name), line.version)[exhibit.name]
            assert line.verdict == agreeing(*counts, exhibit.printed()), exhibit.name
