"""The server: who joins, who is missed, what it measures and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")

import tacit.interop.flower.client as client_side
import tacit.interop.flower.server as server_side
from tacit.cli.main import call
from tacit.core.errors import BadInput
from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.project import PACKAGE
from tacit.interop.flower.server import Config, Server
from tests.interop.flower.grid import LocalGrid, simulate, write
from tests.interop.flower.test_same_bits import SMALL, WORDS


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write(tmp_path, "tacit/federated", *WORDS, "--clients", "4", "--set", "rounds=3")


def served(project: Path, clients: int, config: Config) -> tuple[LocalGrid, Server]:
    nodes = {100 + n: {"partition-id": n, "num-partitions": 4} for n in range(clients)}
    grid = LocalGrid(project, nodes, {"partitions": str(project / "clients")})
    return grid, Server(Federation.read(project / PACKAGE), grid, config)


def test_rmse_of_a_federation_is_that_of_the_simulator(tmp_path: Path) -> None:
    project = write(tmp_path, "hegedus/federated", *WORDS, "--seed", "3", "--set", "rounds=4")
    _, _, out = simulate(project, 24, 4)
    said = json.loads((out / "result.json").read_text())
    want = Run(prepare("hegedus/federated", "synthetic", {**SMALL, "rounds": 4}, 3), threads=1).go().result
    assert said["metrics"]["rmse"] == pytest.approx(want.metrics["rmse"], abs=1e-6)
    assert said["metrics"]["mae"] == pytest.approx(want.metrics["mae"], abs=1e-6)


def test_the_folder_has_what_other_commands_read(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, state, out = simulate(project, 4, 3, evaluate_every=1)
    assert call(["table", str(out), "--json"]) == 0
    assert "tacit/federated" in capsys.readouterr().out
    assert pl.read_parquet(out / "curve.parquet")["round"].to_list() == [1, 2, 3]
    with np.load(out / "model.npz") as model:
        assert np.array_equal(model["rows"], state.rows)
        assert len(model["items"]) == 60
    said = json.loads((out / "result.json").read_text())
    assert said["data"]["users"] == 24
    assert said["cost"]["clients"] == 4


def test_a_round_goes_on_without_a_client_that_is_away(project: Path) -> None:
    grid, server = served(project, 4, Config(3, 4, 5.0))
    grid.away = lambda node, message: node == 102 and message.metadata.message_type == "train"
    server.run(project / "out")
    assert server.outcome.answers == 9


def test_a_round_waits_for_the_least_number_of_clients(project: Path) -> None:
    grid, server = served(project, 4, Config(3, 4, 5.0, least_clients=4))
    looks = iter([4, 4, 4, 3, 3])  # at the start, in two rounds, and then one is away for two looks
    nodes = list(grid.contexts)
    grid.get_node_ids = lambda: nodes[: next(looks, 4)]  # type: ignore[method-assign]
    server.run(project / "out")
    assert server.outcome.answers == 12


def test_a_round_without_any_answer_ends_the_run(project: Path) -> None:
    grid, server = served(project, 4, Config(3, 4, 5.0))
    grid.away = lambda node, message: message.metadata.message_type == "train"
    with pytest.raises(BadInput, match="round 1: got no answer of 4 clients"):
        server.run(project / "out")
    assert not (project / "out").exists()


def test_too_few_clients_are_said(project: Path) -> None:
    _, server = served(project, 3, Config(3, 4, 0.0))
    with pytest.raises(BadInput, match=r"clients: got 3 after 0 seconds; allowed: 4; or fewer: --run-config"):
        server.run(project / "out")


def test_a_client_of_another_version_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    _, server = served(project, 4, Config(3, 4, 0.0))
    monkeypatch.setattr(client_side, "VERSION", "0.0.9")
    with pytest.raises(BadInput, match="got 0 after 0 seconds, 4 were refused"):
        server.run(project / "out")
    assert "has tacit 0.0.9; allowed:" in caplog.text


def test_a_client_that_was_refused_is_asked_again_and_told_of_once(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(server_side, "_AGAIN", 0.0)
    monkeypatch.setattr(server_side, "_LOOK", 0.01)
    broken = project / "clients" / "2.csv"
    whole = broken.read_text()
    broken.write_text("item\nnobody-knows-this\n")
    grid, server = served(project, 4, Config(3, 4, 300.0))
    looks = iter(range(5))

    def ids() -> list[int]:
        if next(looks, None) == 3:
            broken.write_text(whole)
        return list(grid.contexts)

    grid.get_node_ids = ids  # type: ignore[method-assign]
    server.run(project / "out")
    assert server.outcome.answers == 12
    assert caplog.text.count("client 102 cannot take part") == 1


def test_a_client_that_cannot_be_measured_is_said_and_not_counted(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One person more in a csv than when the run began."""
    _, server = served(project, 4, Config(3, 4, 5.0))
    real = server._measure

    def later(*given: Any, **words: Any) -> None:
        with (project / "clients" / "1.csv").open("a") as file:
            head = (project / "clients" / "1.csv").read_text().splitlines()
            file.write(head[1].replace(head[1].split(",")[0], "newcomer", 1) + "\n")
        real(*given, **words)

    monkeypatch.setattr(server, "_measure", later)
    server.run(project / "out")
    assert "client 1 was not measured; its own log says why" in caplog.text
    assert "told by 3 clients" in caplog.text
    assert "csv: got other people or items than when the run began; allowed: the same file" in caplog.text


def test_a_project_of_another_version_is_refused(project: Path) -> None:
    facts = project / PACKAGE / "federation.json"
    facts.write_text(facts.read_text().replace('"tacit": "0.', '"tacit": "9.'))
    with pytest.raises(BadInput, match="project of tacit: got 9"):
        Federation.read(project / PACKAGE)


@pytest.mark.parametrize("bad", [0, -1, "many", True, None])
def test_a_setting_of_the_run_is_checked(bad: object) -> None:
    good = {
        "rounds": 3,
        "clients": 2,
        "wait-seconds": 1,
        "least-clients": 1,
        "round-seconds": 9,
        "evaluate-every": 0,
    }
    assert Config.of(good).rounds == 3
    with pytest.raises(BadInput, match="rounds: got"):
        Config.of({**good, "rounds": bad})
