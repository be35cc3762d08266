import json

import pytest

from tacit.cli.main import call

TINY = ["--data", "synthetic"]
for setting in ("data.users=40", "data.items=60", "data.interactions=800", "rounds=36"):
    TINY += ["--set", setting]


def test_json_is_the_contracts(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["audit", "tacit/best", *TINY, "--json"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    attackers = json.loads(told.out)["attackers"]
    assert all({"attacker", "auc", "precision@|I|"} <= set(each) for each in attackers)
    assert all(0 <= each["auc"] <= 1 for each in attackers)


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["audit", "tacit/federated", *TINY]) == 0
    told = capsys.readouterr()
    assert "server, one upload" in told.out
    assert "1.000" in told.out
    assert "victims" in told.err
