"""What leaves a client: every record and every byte of its messages is looked at."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")

from tacit.core.message import codec
from tacit.core.message.update import Update
from tacit.core.node_state import Visibility
from tacit.interop.flower import kept, wire
from tacit.interop.flower.federation import Federation
from tacit.interop.flower.project import PACKAGE
from tacit.interop.flower.rules.base import Member
from tacit.interop.flower.rules.choose import rule_of
from tests.interop.flower.grid import RUN, LocalGrid, ask, simulate, write
from tests.interop.flower.test_same_bits import WORDS

RECIPES = ["hegedus/federated", "hegedus/federated-10", "tacit/federated", "pepper/fedavg", "fpl/pfpl"]


@pytest.fixture(params=RECIPES)
def federation(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[LocalGrid, Path]:
    more = ("--set", "rounds_per_epoch=2", "--set", "epochs=1") if "fpl" in request.param else ()
    project = write(tmp_path, request.param, *WORDS, *more, "--clients", "6")
    grid, _, _ = simulate(project, 6, 2)
    return grid, project


def test_only_released_updates_and_agreed_figures_are_in_messages(federation: tuple[LocalGrid, Path]) -> None:
    grid, _ = federation
    told = {
        "query": {"tacit", "fingerprint", "number", "token", "people", "ratings"},
        "train": set(),
        "evaluate": set(),
    }
    for kind, _, answer in grid.sent:
        assert set(answer) <= {wire.ABOUT, *({wire.UPDATE} if kind == "train" else ())} | (
            {wire.METRICS} if kind == "evaluate" else set()
        )
        assert not answer.array_records
        assert set(answer.config_records[wire.ABOUT]) == told[kind]
        if kind == "train":
            assert set(answer.config_records[wire.UPDATE]) == {wire.UPDATE}
            assert type(codec.decode(answer.config_records[wire.UPDATE][wire.UPDATE])) is Update  # type: ignore[arg-type]


def test_nobodys_own_part_is_in_the_bytes(federation: tuple[LocalGrid, Path]) -> None:
    """Every number of every person's vector, as stored, against all bytes that left.

    Statistics of `tacit/federated` are made of a lone person's vector; of an organization only sums leave.
    """
    grid, project = federation
    model = Federation.read(project / PACKAGE).model
    assert {f.name for f in model.fields if f.visibility is Visibility.PRIVATE} >= {"private"}
    everything = b"".join(grid.bytes)
    for n in range(6):
        found = kept.load(kept.file_of(project / "clients" / f"{n}.csv", RUN), RUN)
        assert found is not None
        for person in found[1]:
            assert person.private.any()
            assert person.private.tobytes() not in everything
            assert person.private[:2].tobytes() not in everything


def test_ids_and_ratings_of_the_csv_are_not_in_the_bytes(tmp_path: Path) -> None:
    project = write(tmp_path, "hegedus/federated", *WORDS, "--clients", "2")
    csv, secret = project / "clients" / "0.csv", "somebody@example.org"
    pl.read_csv(csv).unique("item").with_columns(user=pl.lit(secret)).write_csv(csv)
    grid, _, _ = simulate(project, 2, 2)
    assert secret.encode() not in b"".join(grid.bytes)


def test_an_answer_comes_out_of_the_one_door(federation: tuple[LocalGrid, Path]) -> None:
    """An `Update` cannot be made without the door's key, and nothing else can be encoded."""
    with pytest.raises(TypeError, match="comes from release"):
        Update(1, None, np.zeros((1, 1)), np.zeros(1, np.int32), np.zeros(0), 0)
    with pytest.raises(TypeError, match="only an Update"):
        wire.content({"rows": 1})  # type: ignore[arg-type]
    grid, project = federation
    rule, anybody = rule_of(Federation.read(project / PACKAGE)), Member(0, 1, 4, 100)
    for kind, _, answer in grid.sent:
        if kind == "train":
            rule.check(codec.decode(answer.config_records[wire.UPDATE][wire.UPDATE]), anybody)  # type: ignore[arg-type]


def test_words_of_an_error_stay_at_the_client(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    project = write(tmp_path, "tacit/federated", *WORDS, "--clients", "3")
    (project / "clients" / "1.csv").write_text("item,rating\nmy-secret-film,5\n")
    grid = LocalGrid(project, {1: {"partition-id": 1}}, {"partitions": str(project / "clients")})
    reply = ask(grid, "query", 1)
    assert wire.about(reply)["failed"] is True
    assert set(wire.about(reply)) == {"failed", "tacit"}
    assert b"my-secret-film" not in b"".join(grid.bytes)
    assert 'item: got "my-secret-film"; allowed: ids of the federation' in caplog.text
