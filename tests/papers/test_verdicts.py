from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.papers import verdicts
from tacit.papers.measured import Measured
from tacit.papers.verdicts import Recorded, from_result, merged, recorded
from tests.papers.fake_paper import PAPER

TOLD = {
    "tacit": "0.2.0",
    "paper": "fake",
    "quick": False,
    "claims": [
        {"claim": "C1", "verdict": "holds in 2 of 3", "ours": 'better, in "most"'},
        {"claim": "C2", "verdict": "not checked", "ours": "not run"},
    ],
    "tables": [
        {"name": "table-1", "rows": [{"ours": 5.1}, {"ours": None}]},
        {"name": "table-2", "rows": [{"ours": None}, {"ours": None}]},
    ],
}


@pytest.fixture(autouse=True)
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verdicts, "paper_named", lambda name: PAPER)


NUMBERS = [
    Measured("table-1", "tiny", name, "rmse", ours, "", "", "5", "0.2.0", "2026-11-18")
    for name, ours in (("Central", "5.1"), ("Federated", "6"))
]
"""What is then on record: the second from an earlier reproduction."""


def test_verdicts_and_how_many_numbers_agree() -> None:
    lines = from_result(TOLD, "2026-11-18", NUMBERS)
    assert [(line.item, line.verdict) for line in lines] == [
        ("C1", "holds in 2 of 3"),
        ("table-1", "1 of 2 measured agree, 1 printed"),
    ]
    assert {(line.version, line.measured) for line in lines} == {("0.2.0", "2026-11-18")}


def test_a_quick_look_is_not_recorded() -> None:
    with pytest.raises(BadInput, match="without --quick"):
        from_result(TOLD | {"quick": True}, "2026-11-18", [])


def test_a_new_line_replaces_the_old_one_and_the_order_stays() -> None:
    old = {("z", "Z1"): Recorded("z", "Z1", "holds", "", "0.1.0", "2026-11-16")}
    old |= {("fake", "C1"): Recorded("fake", "C1", "does not hold", "", "0.1.0", "2026-11-16")}
    text = merged(old, from_result(TOLD, "2026-11-18", NUMBERS))
    lines = text.splitlines()
    assert lines[1] == "paper,item,verdict,found,version,measured"
    assert [line.split(",")[1] for line in lines[2:]] == ["C1", "table-1", "Z1"]
    assert "does not hold" not in text


def test_what_is_recorded_can_be_read() -> None:
    for (paper, item), line in recorded().items():
        assert (line.paper, line.item) == (paper, item)
        assert line.verdict
        assert line.measured
