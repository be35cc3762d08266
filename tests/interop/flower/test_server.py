"""The server: who joins, who is missed, what it measures and writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")

from flwr.app import ConfigRecord, RecordDict

import tacit.interop.flower.client as client_side
import tacit.interop.flower.server as server_side
from tacit.cli.main import call
from tacit.core.errors import BadInput, BadMessage
from tacit.core.message.update import Draws, release
from tacit.core.node_state import NodeState
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.run import Run
from tacit.experiment.run_settings import settle
from tacit.interop.flower import wire
from tacit.interop.flower.federation import Federation, check_settings
from tacit.interop.flower.project import PACKAGE
from tacit.interop.flower.rules.base import Member
from tacit.interop.flower.rules.choose import rule_of
from tacit.interop.flower.rules.sums import FIELDS
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


def test_a_share_that_nothing_heeds_is_refused() -> None:
    """A recipe whose clients send everything must not promise to hold something back."""
    for name in ("tacit/federated", "hegedus/federated", "pepper/fedavg"):
        found = recipe(name)
        with pytest.raises(BadInput, match=r"pi: got 0.0; allowed: 1 with protocol"):
            check_settings(name, settle(found.parameters, {"pi": 0.0}))
    found = recipe("fpl/sfpl")
    check_settings("fpl/sfpl", settle(found.parameters, {"pi": 0.0}))


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


def joined(project: Path, monkeypatch: pytest.MonkeyPatch, lie: dict[str, Any], nodes: int = 1) -> Server:
    """A server that has looked once at clients who say something odd."""
    honest = client_side.join

    def join(*given: Any) -> RecordDict:
        answer = honest(*given)
        about = {**answer.config_records[wire.ABOUT], **lie}
        answer.config_records[wire.ABOUT] = ConfigRecord({k: v for k, v in about.items() if v != "missing"})
        return answer

    monkeypatch.setattr(client_side, "join", join)
    _, server = served(project, nodes, Config(3, 4, 0.0))
    server._here()
    return server


@pytest.mark.parametrize(
    ("lie", "said"),
    [
        ({"people": "missing"}, "people: got None; allowed: a whole number from 1 to 10000000"),
        ({"people": -5}, "people: got -5"),
        ({"people": 10**12}, "people: got 1000000000000"),
        ({"people": "many"}, "people: got many"),
        ({"people": True}, "people: got True"),
        ({"ratings": -1}, "ratings: got -1; allowed: a whole number from 6 to 360"),
        ({"ratings": 361}, "ratings: got 361"),
        ({"number": 1.5}, "number: got 1.5"),
        ({"token": "missing"}, "token: got None; allowed: 1 to 64 letters"),
    ],
)
def test_what_a_client_says_when_it_joins_is_checked(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    lie: dict[str, Any],
    said: str,
) -> None:
    server = joined(project, monkeypatch, lie)
    assert not server.members
    assert f"client 100 {said}" in caplog.text


def test_a_partition_that_is_there_twice_is_refused(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    server = joined(project, monkeypatch, {"token": "partition 0"}, nodes=2)
    assert len(server.members) == 1
    assert "has the csv or the partition of client 10" in caplog.text


@pytest.mark.parametrize("own", [False, True])
def test_a_client_that_comes_back_with_another_id_is_the_same_one(project: Path, own: bool) -> None:
    grid, server = served(project, 4, Config(3, 4, 0.0))
    if own:
        for node, context in grid.contexts.items():
            context.node_config = {"csv": str(project / "clients" / f"{node - 100}.csv")}
    before = server._here()
    grid.contexts[202] = grid.contexts.pop(102)
    after = server._here()
    assert [one.number for one in after] == [0, 1, 2, 3]
    assert {one.node for one in after} == {100, 101, 103, 202}
    assert sum(one.people for one in server.members.values()) == sum(one.people for one in before) == 24


@pytest.mark.parametrize(
    ("name", "odd"), [("hegedus/federated", 7), ("fpl/pfpl+", 10**6), ("tacit/federated", 7)]
)
def test_an_answer_that_counts_for_more_than_its_people_is_refused(
    tmp_path: Path, name: str, odd: int
) -> None:
    more = ("--set", "rounds_per_epoch=2") if "fpl" in name else ()
    project = write(tmp_path, name, *WORDS, *more)
    rule = rule_of(Federation.read(project / PACKAGE))
    items, width, dense = rule.shape
    ages = np.full(items, odd, np.int32)
    state = NodeState(np.full((items, width), odd, np.float64), ages, np.zeros(dense), 0, np.zeros(0))
    fields = FIELDS if name == "tacit/federated" else rule.model.fields
    update = release(fields, state, np.zeros(0, np.int32), (), Draws(0, 0, 0))
    rule.check(update, Member(0, 1, odd, odd))
    with pytest.raises(BadMessage, match="answer: got rows without counts, or odd ones; allowed: 0 to"):
        rule.check(update, Member(0, 1, 6, 100))


def test_metrics_that_are_no_numbers_are_not_counted(
    project: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(client_side, "metric_sums", lambda *given: {"people": float("inf")})
    _, server = served(project, 4, Config(1, 4, 5.0))
    server.run(project / "out")
    assert "client 1 was not measured; people: got inf; allowed: a finite number" in caplog.text
    assert (project / "out" / "result.json").exists()


@pytest.mark.parametrize("name", ["fpl/pfpl+", "federank/tx"])
def test_a_model_is_not_lost_where_nobody_is_left_to_measure_it(tmp_path: Path, name: str) -> None:
    project = write(tmp_path, name, *WORDS, "--clients", "4", "--set", "rounds_per_epoch=2")
    grid, server = served(project, 4, Config(1, 4, 5.0))
    nodes = list(grid.contexts)
    looks = iter([nodes, nodes])  # at the start and in the only round
    grid.get_node_ids = lambda: next(looks, [])  # type: ignore[method-assign]
    state = server.run(project / "out")
    with np.load(project / "out" / "model.npz") as model:
        assert np.array_equal(model["rows"], state.rows)


def test_a_model_is_not_lost_where_the_last_measurement_fails(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, server = served(project, 4, Config(1, 4, 5.0))

    def broken(*given: Any, **words: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(server, "_measure", broken)
    with pytest.raises(ConnectionError):
        server.run(project / "out")
    assert {"model.npz", "result.json"} <= {path.name for path in (project / "out").iterdir()}
