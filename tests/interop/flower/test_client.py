"""A client with a csv of its own: secret draws, what it keeps, what it recommends, what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")

from flwr.app import Message

from tacit.interop.flower import kept, wire
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.project import PACKAGE
from tacit.interop.flower.rules.choose import rule_of
from tacit.interop.flower.server import Config, Server
from tests.interop.flower.grid import RUN, LocalGrid, ask, write

ROWS = [(u, i, 1 + (u * i) % 5) for u in range(1, 7) for i in range(1, 13) if (u + i) % 3]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "items.csv").write_text("item,title\n" + "".join(f"{i},Film {i}\n" for i in range(1, 13)))
    words = (
        "--items",
        str(tmp_path / "items.csv"),
        "--set",
        "scale=1,5",
        "--set",
        "split=random-share",
        "--set",
        "split.share=0.2",
    )
    return write(tmp_path, "hegedus/federated", *words)  # fmt: skip


def csv_of(folder: Path, name: str, users: tuple[int, ...], *, alone: bool = False) -> Path:
    rows = [(f"{u}," if not alone else "") + f"{i},{r}" for u, i, r in ROWS if u in users]
    path = folder / f"{name}.csv"
    path.write_text("\n".join([("" if alone else "user,") + "item,rating", *rows]) + "\n")
    return path


def federate(project: Path, csvs: list[Path]) -> LocalGrid:
    grid = LocalGrid(project, {50 + n: {"csv": str(path)} for n, path in enumerate(csvs)}, {})
    server = Server(Federation.read(project / PACKAGE), grid, Config(3, len(csvs), 5.0))
    server.run(project / "out")
    return grid


def test_people_and_organizations_learn_together_and_get_lists(project: Path, tmp_path: Path) -> None:
    person = csv_of(tmp_path, "person", (1,), alone=True)
    firm = csv_of(tmp_path, "firm", (2, 3, 4, 5, 6))
    grid = federate(project, [person, firm])
    joined = [dict(answer.config_records[wire.ABOUT]) for kind, _, answer in grid.sent if kind == "query"]
    assert sorted(one["people"] for one in joined) == [1, 5]
    assert all(one["ratings"] == -1 for one in joined), "nobody needs to know"
    lists = pl.read_csv(tmp_path / "firm.recommended.csv")
    assert set(lists["user"]) == {2, 3, 4, 5, 6}
    assert lists["title"][0].startswith("Film ")
    had = {(u, i) for u, i, _ in ROWS}
    assert not any((u, i) in had for u, i in lists.select("user", "item").iter_rows())
    assert set(pl.read_csv(tmp_path / "person.recommended.csv")["user"]) == {"me"}


def test_draws_of_a_client_with_its_own_csv_are_secret(project: Path, tmp_path: Path) -> None:
    csvs = [csv_of(tmp_path, name, (1, 2)) for name in ("a", "b")]
    federate(project, csvs)
    seeds = [kept.load(kept.file_of(path, RUN), RUN) for path in csvs]
    assert seeds[0] is not None
    assert seeds[1] is not None
    assert len({seeds[0][0], seeds[1][0], Federation.read(project / PACKAGE).seed}) == 3


def test_what_a_client_keeps_is_of_one_run(project: Path, tmp_path: Path) -> None:
    csvs = [csv_of(tmp_path, name, (1, 2)) for name in ("a", "b")]
    federate(project, csvs)
    assert kept.load(kept.file_of(csvs[0], RUN), RUN + 1) is None
    found = kept.load(kept.file_of(csvs[0], RUN), RUN)
    assert found is not None
    kept.save(tmp_path / "again.npz", RUN, *found)
    again = kept.load(tmp_path / "again.npz", RUN)
    assert again is not None
    for was, now in zip(found[1], again[1], strict=True):
        assert was.number == now.number
        assert np.array_equal(was.private, now.private)
        assert np.array_equal(was.own.items, now.own.items)
    (tmp_path / "again.npz").write_bytes(b"spoiled")
    assert kept.load(tmp_path / "again.npz", RUN) is None


def test_two_runs_on_one_csv_keep_files_of_their_own(project: Path, tmp_path: Path) -> None:
    csv = csv_of(tmp_path, "a", (1, 2))
    grid = LocalGrid(project, {1: {"csv": str(csv)}}, {})
    for run in (RUN, RUN + 1, RUN):
        grid.contexts[1].run_id = run
        ask(grid, "query", 1)
    joined = [dict(answer.config_records[wire.ABOUT])["token"] for _, _, answer in grid.sent]
    assert joined[0] == joined[2], "it went on where it was"
    assert joined[0] != joined[1], "runs cannot be linked by it"
    assert {path.name for path in tmp_path.glob("*.kept.npz")} == {"a.7.kept.npz", "a.8.kept.npz"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "item,rating\n99,4\n98,4\n",
            'item: got "99" and 1 more; allowed: ids of the federation\'s 12 items',
        ),
        ("film,rating\n1,4\n", "column item is missing"),
        ("item,rating\n1,9\n", "rating: got 9 in 1 rows; allowed: 1 to 5"),
        ("item,rating\n1,much\n", 'rating: got "much"'),
        ("item,rating\n", "no rows"),
        ("item,rating,split\n1,4,test\n", "without any training row"),
        ("item,rating\n1,4\n1,5\n", "rated more than once"),
    ],
)
def test_a_csv_that_cannot_be_used_is_one_line_in_the_clients_log(
    text: str, said: str, project: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(text)
    reply = ask(LocalGrid(project, {1: {"csv": str(path)}}, {}), "query", 1)
    assert set(wire.about(reply)) == {"failed", "tacit"}
    told = caplog.text
    assert said in told
    assert "Traceback" not in told


@pytest.mark.parametrize(
    ("node", "said"),
    [
        ({}, "csv: got none; allowed: --node-config"),
        ({"csv": "nowhere.csv"}, "no such file"),
        ({"csv": "nowhere.csv", "pi": 2}, "pi: got 2; allowed: a number from 0 to 1"),
        (
            {"csv": "nowhere.csv", "pi": 0.1},
            "pi: got 0.1; allowed: 1 with protocol federated, which sends no",
        ),
    ],
)
def test_a_node_config_that_cannot_be_used(
    node: dict[str, object], said: str, project: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reply = ask(LocalGrid(project, {1: node}, {}), "query", 1)
    assert wire.about(reply)["failed"] is True
    assert said in caplog.text


@pytest.mark.parametrize(
    ("turn", "facts", "said"),
    [
        (-1, {}, "turn: got -1; allowed: a whole number from 0 to 2147483647"),
        ("x", {}, "turn: got x; allowed: a whole number"),
        (0, {"triples": 1e18}, "triples: got 1e+18; allowed: 1 to 12"),
        (0, {"triples": float("nan")}, "triples: got nan; allowed: a finite number"),
        (0, {}, "triples: got nan; allowed: 1 to 12"),
    ],
)
def test_a_client_does_not_take_any_number_from_a_server(
    turn: int, facts: dict[str, float], said: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "items.csv").write_text("item\n" + "".join(f"{i}\n" for i in range(1, 13)))
    words = ("--items", str(tmp_path / "items.csv"), "--set", "rounds_per_epoch=2")
    project = write(tmp_path, "fpl/pfpl+", *words)
    grid = LocalGrid(project, {1: {"csv": str(csv_of(tmp_path, "a", (1, 2)))}}, {})
    rule = rule_of(Federation.read(project / PACKAGE))
    content = wire.content(rule.download(rule.start()), facts=facts, turn=turn)
    (reply,) = grid.send_and_receive([Message(content, dst_node_id=1, message_type="train")])
    assert wire.about(reply)["failed"] is True
    assert said in caplog.text
    assert "Traceback" not in caplog.text
