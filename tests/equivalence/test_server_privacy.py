"""Nothing private reaches a server: what the server has is the same bits, whatever stands in people's private parts.

A person who takes no part in a round does not use their private part in it. So if everything in it is made "not a
number", nothing that is shared may change. A server that read private parts itself would show it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pytest

from tacit.core.compiled.threads import Workers
from tacit.experiment.prepare import prepare
from tacit.models.base import vector_size
from tests.protocols.federated_averaging.test_simulation import walks

SMALL = {"data.min_user": 0, "data.min_item": 0, "split": "random-n", "split.n": 1}
SOME: dict[str, Any] = {"participation": 0.3}
HALF: dict[str, Any] = {"churn": "half of them"}
SUMS: dict[str, Any] = {"protocol": "federated-sums", "evaluate": "full"}
PAIRS: dict[str, Any] = {"clients": 3, "rounds_per_epoch": 1, "triples": 4}
CASES: list[tuple[str, dict[str, Any]]] = [
    *(("hegedus/federated", {"model": model, **HALF}) for model in ("mf", "bias", "fm")),
    ("hegedus/federated-10", HALF),
    ("hegedus/federated", {"model": "ials", **SUMS, **HALF}),
    *(
        (f"pepper/{name}", {"model": model, **SOME})
        for name in ("fedavg", "reptile", "fedfast")
        for model in ("gmf", "prme-g")
    ),
    *((name, PAIRS) for name in ("fpl/pfpl", "fpl/pfpl+", "federank/tx")),
]


def built(recipe: str, settings: dict[str, Any], folder: Path) -> tuple[Any, npt.NDArray[np.floating]]:
    """A simulation that has not begun, and what it holds of people's private parts."""
    if "churn" in settings:
        online = pl.DataFrame({"node": range(0, 12, 2), "start": 0.0, "end": 1e7})
        online.write_csv(folder / "online.csv")
        settings = {**settings, "churn": str(folder / "online.csv")}
    clustered = {"clusters": 3} if recipe == "pepper/fedfast" else {}
    x = prepare(recipe, rated(), {**SMALL, **clustered, **settings})
    found = x.protocol.build(x.scenario(Workers(1)))
    private = getattr(found, "_private", None)
    return found, found.fleet.private if private is None else private


def rated() -> pl.DataFrame:
    """Visits with ratings, so that every model finds what it needs."""
    return walks().with_columns(rating=(pl.col("timestamp") // 3600 % 5 + 1).cast(pl.Float64))


def shared(simulation: Any) -> dict[str, bytes]:
    """Every shared array of the server's model."""
    slots = getattr(simulation, "_slots", None) or simulation.fleet.slots
    arrays = {name: getattr(slots, name)[0] for name in ("rows", "ages", "dense")}
    assert np.isfinite(arrays["rows"]).all()
    return {name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()}


@pytest.mark.parametrize(("recipe", "settings"), CASES, ids=lambda case: str(case))
def test_what_absent_people_keep_makes_no_difference(
    recipe: str, settings: dict[str, Any], tmp_path: Path
) -> None:
    clean, _ = built(recipe, settings, tmp_path)
    before = shared(clean)
    clean.advance(clean.period + 1)
    absent = clean.traffic.updates == 0
    assert absent.any()
    assert not absent.all()
    assert shared(clean) != before, "something was learned"
    tainted, private = built(recipe, settings, tmp_path)
    # FedFast's clients send their vectors, as its results say. What stands behind a vector they do not send.
    kept = vector_size(tainted._scenario.model) if recipe == "pepper/fedfast" else 0
    private[absent, kept:] = np.nan
    tainted.advance(tainted.period + 1)
    assert (tainted.traffic.updates == clean.traffic.updates).all()
    assert shared(tainted) == shared(clean)


def test_a_part_that_is_solved_anew_may_hold_anything(tmp_path: Path) -> None:
    """FCF asks everybody in every round; each person's part follows from the server's model alone."""
    clean, _ = built("baseline/fcf", {}, tmp_path)
    tainted, private = built("baseline/fcf", {}, tmp_path)
    private[:] = np.nan
    for simulation in (clean, tainted):
        simulation.advance(2 * simulation.period + 1)
    assert shared(tainted) == shared(clean)
