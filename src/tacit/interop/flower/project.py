"""The project that `flwr run` takes: thin apps that call tacit, what all agree on, and csv files for a simulation."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.settings import Flat
from tacit.data.files import header_of, open_table
from tacit.data.given_split import parts_table
from tacit.experiment.experiment import Experiment
from tacit.experiment.result import VERSION
from tacit.experiment.run_settings import RunSettings, protocol_named
from tacit.interop.flower.federation import Federation, check_settings
from tacit.interop.flower.rules.choose import rule_of
from tacit.protocols.federated_pairs.protocol import FederatedPairs

PACKAGE, CLIENTS, RESULTS = "tacit_federation", "clients", "results"
_PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "tacit-federation"
version = "1.0.0"
description = "{recipe}, run by Flower"
license = "Apache-2.0"
requires-python = ">=3.11"
dependencies = ["tacit[flower]=={tacit}"]

[tool.hatch.build.targets.wheel]
packages = ["{package}"]

[tool.flwr.app]
publisher = "tacit"

[tool.flwr.app.components]
serverapp = "{package}.server_app:app"
clientapp = "{package}.client_app:app"

# Any of these can be changed for one run: flwr run . --run-config rounds=3
[tool.flwr.app.config]
rounds = {rounds}
# Clients to wait for before the first round, and for how long.
clients = {clients}
wait-seconds = 300
# A round that finds fewer clients online waits for them, as long.
least-clients = 1
# A round goes on without clients that have not answered by then.
round-seconds = 120
# Rounds between two measurements; 0: only at the end.
evaluate-every = {every}
# The server writes each run's result into a folder of this folder.
out = {out}
# Where simulated clients find their csv files; a real client names its own with --node-config.
partitions = {partitions}
"""
_APP = '''\
"""The {side} of this federation. All it does is in `tacit.interop.flower.{side}`."""

from pathlib import Path

from tacit.interop.flower.{side} import {side}_app

app = {side}_app(Path(__file__).parent)
'''


def check_new(out: Path) -> None:
    """Refuse a folder that has something in it."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadInput("--out", got=f"{out}, which is there already", allowed="a new folder")


def of_experiment(x: Experiment) -> Federation:
    """What all agree on, of a run that is ready to start."""
    check_settings(x.recipe, x.parameters)
    simulation = x.protocol.build(x.scenario())
    rounds = x.horizon(simulation.period) // simulation.period
    if isinstance(x.protocol, FederatedPairs):  # a period is an epoch
        rounds *= x.protocol.pace(x.scenario()).rounds
    titles = x.dataset.items["title"].to_list()
    return Federation(x.recipe, x.seed, x.parameters, x.scale, rounds, x.dataset.item_ids.tolist(), titles)


def of_items(recipe: str, parameters: Flat, seed: int, path: Path) -> Federation:
    """What all agree on, where no data is at hand but a public list of items: a table with `item[,title]`."""
    check_settings(recipe, parameters)
    settings = RunSettings.of(parameters)
    names = header_of(path)
    if "item" not in names:
        raise BadInput("column item is missing", got=",".join(names), allowed="item[,title]", where=path)
    table = open_table(path, [name for name in names if name in ("item", "title")])
    items = table["item"].cast(pl.String)
    if items.null_count() or items.n_unique() < max(2, len(items)):
        raise BadInput(
            "items", got="a repeated or a missing id", allowed="two or more, each once", where=path
        )
    scale = settings.learning.limits
    if scale is None and parameters["evaluate"] == "rating":
        raise BadInput("scale", got="none", allowed="--set scale=LOW,HIGH of the ratings, with --items")
    titles = table["title"].cast(pl.String).to_list() if "title" in names else [None] * len(items)
    rounds = _rounds_without_data(parameters, settings)
    return Federation(recipe, seed, parameters, scale or (1.0, 1.0), rounds, items.to_list(), titles)


def _rounds_without_data(parameters: Flat, settings: RunSettings) -> int:
    time, protocol = settings.time, protocol_named(parameters["protocol"])
    if protocol is FederatedPairs:
        each = parameters["rounds_per_epoch"]
        if not isinstance(each, int):
            raise BadInput("rounds_per_epoch", got="none", allowed="--set rounds_per_epoch=N, with --items")
        return each * settings.learning.epochs
    return time.rounds or max(1, int((time.hours or 0.0) * 3600 / (2 * time.full_seconds)))


def write_project(
    out: Path, federation: Federation, x: Experiment | None = None, clients: int | None = None
) -> dict[str, Any]:
    """Write all files; the folder appears whole or not at all. With an experiment its people become csv files."""
    check_new(out)
    rule_of(federation)  # refuses a model that the protocol cannot learn
    people = 0 if x is None else int((x.split.train.counts > 0).sum())
    clients = clients or people
    if x is not None and not 2 <= clients <= people:
        raise BadInput(
            "--clients", got=clients, allowed=f"2 to {people}, the number of people with training data"
        )
    out.parent.mkdir(parents=True, exist_ok=True)
    scratch = out.parent / f".{out.name}.{os.getpid()}"
    scratch.mkdir()
    try:
        _write_apps(scratch, federation, out.resolve(), clients, simulated=x is not None)
        if x is not None:
            _write_clients(scratch / CLIENTS, x, clients)
        if out.exists():
            out.rmdir()
        scratch.rename(out)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    return {
        "recipe": federation.recipe,
        "rounds": federation.rounds,
        "clients": clients,
        "items": len(federation.items),
    }


def _write_apps(folder: Path, federation: Federation, home: Path, clients: int, *, simulated: bool) -> None:
    package = folder / PACKAGE
    package.mkdir()
    for side in ("server", "client"):
        (package / f"{side}_app.py").write_text(_APP.format(side=side), encoding="utf-8")
    (package / "__init__.py").write_text('"""A federation of tacit, for Flower."""\n', encoding="utf-8")
    federation.write(package)
    text = _PYPROJECT.format(
        recipe=federation.recipe,
        tacit=VERSION,
        package=PACKAGE,
        rounds=federation.rounds,
        clients=max(2, clients),
        every=max(5, federation.rounds // 5),
        out=_toml(str(home / RESULTS)),
        partitions=_toml(str(home / CLIENTS) if simulated else ""),
    )
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")


def _toml(text: str) -> str:
    """A text that may hold backslashes, in TOML."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _write_clients(folder: Path, x: Experiment, clients: int) -> None:
    """One csv per client. People are dealt in turn, so that a person's number follows from the client's."""
    folder.mkdir()
    rows = parts_table(x.dataset, x.split)
    has = np.flatnonzero(x.split.train.counts > 0)
    turn = {text: n % clients for n, text in enumerate(x.dataset.ids("user", has).to_list())}
    dealt = rows.with_columns(client=pl.col("user").replace_strict(turn, default=-1, return_dtype=pl.Int32))
    for (client,), part in dealt.filter(pl.col("client") >= 0).group_by("client"):
        part.drop("client").write_csv(folder / f"{client}.csv")
