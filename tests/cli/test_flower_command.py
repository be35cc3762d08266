"""`tacit flower`: what it writes, and what it refuses in one line."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import polars as pl
import pytest

from tacit.cli import flower as command
from tacit.cli.main import call

SMALL = [
    "--data",
    "synthetic",
    "--set",
    "data.users=12",
    "--set",
    "data.items=30",
    "--set",
    "data.interactions=250",
]


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writing a project needs nothing of Flower; that it is there is only asked."""
    monkeypatch.setattr(command, "find_spec", lambda name: object())


def refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert call(["flower", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said


def test_a_project_has_settings_items_and_clients(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "project"
    assert call(["flower", "hegedus/federated", *SMALL, "--clients", "5", "--out", str(out), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"out": str(out), "recipe": "hegedus/federated", "rounds": 50, "clients": 5, "items": 30}
    config = tomllib.loads((out / "pyproject.toml").read_text())["tool"]["flwr"]["app"]
    assert config["config"]["rounds"] == 50
    assert config["components"]["serverapp"] == "tacit_federation.server_app:app"
    frames = [pl.read_csv(out / "clients" / f"{n}.csv") for n in range(5)]
    assert pl.concat(frames)["user"].n_unique() == 12
    assert sum(len(frame) for frame in frames) == 250
    assert {p.name for p in (out / "tacit_federation").iterdir()} == {
        "__init__.py", "client_app.py", "server_app.py", "federation.json", "items.json"
    }  # fmt: skip
    assert not list(out.parent.glob(".*"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["hegedus/gossip"],
            "recipe: got hegedus/gossip, whose protocol is gossip; allowed: a recipe with a server",
        ),
        (["hegedus/federatd"], "did you mean hegedus/federated?"),
        (["pepper/fedfast"], "clusters: got"),
        (["pepper/reptile"], "read-out: got local"),
        (
            ["hegedus/federated", "--set", "init=data"],
            "init: got data; allowed: random in a Flower federation",
        ),
        (
            ["hegedus/federated", "--set", "average=clients"],
            "average: got clients; allowed: raters in a Flower federation",
        ),
        (["pepper/fedavg", "--set", "negatives=paper"], "negatives: got paper"),
        (["fpl/pfpl", "--set", "pi=pi.csv"], "pi: got pi.csv; allowed: a number"),
        (["hegedus/federated", "--set", "model=./mine.py"], "mine.py"),
        (["hegedus/federated", "--set", "churn=generated"], "churn: got generated"),
        (["tacit/federated", "--clients", "13"], "--clients: got 13; allowed: 2 to 12"),
        (["tacit/federated", "--clients", "1"], "--clients"),
        (["tacit/federated", "--items", "x.csv"], "--items: got --data or --clients beside it"),
    ],
)
def test_what_no_federation_can_do_is_refused(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in refused([*words, *SMALL, "--out", str(tmp_path / "new")], capsys)
    assert not list(tmp_path.iterdir()), "nothing half-written"


def test_a_folder_that_is_there_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("keep")
    said = refused(["tacit/federated", *SMALL, "--out", str(tmp_path)], capsys)
    assert "which is there already; allowed: a new folder" in said
    assert (tmp_path / "mine.txt").read_text() == "keep"


def test_flower_that_is_missing_is_named_with_its_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    said = refused(["tacit/federated", *SMALL, "--out", str(tmp_path / "new")], capsys)
    assert "pip install '.[flower]' in a checkout of tacit" in said


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ("title\nA\n", [], "column item is missing"),
        ("item\n1\n1\n", [], "a repeated or a missing id"),
        ("item\n1\n2\n", ["hegedus/federated"], "scale: got none; allowed: --set scale=LOW,HIGH"),
        ("item\n1\n2\n", ["fpl/pfpl"], "rounds_per_epoch: got none"),
        ("item\n1\n2\n", ["tacit/federated", "--set", "model=mf"], "model: got mf; allowed: ials"),
        ("item\n1\n2\n", ["hegedus/federated", "--set", "model=gmf", "--set", "scale=1,5"], "model: got gmf"),
    ],
)
def test_a_list_of_items_is_checked(
    text: str, words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "items.csv"
    path.write_text(text)
    recipe = words or ["tacit/federated"]
    assert said in refused([*recipe, "--items", str(path), "--out", str(tmp_path / "new")], capsys)
