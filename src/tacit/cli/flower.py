"""`tacit flower`: a recipe as a project that Flower runs."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from tacit.cli.console import Json, download_bar, emit, say
from tacit.cli.options import Columns, Seed, Set


def flower(
    recipe: Annotated[
        str, typer.Argument(help="a recipe with a server and clients, such as tacit/federated")
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="a new folder for the project")],
    data: Annotated[
        str | None,
        typer.Option("--data", help="a known name or a file: its people become clients of a simulation"),
    ] = None,
    items: Annotated[
        Path | None,
        typer.Option(
            "--items", metavar="FILE", help="a public list item[,title], where clients bring all data"
        ),
    ] = None,
    clients: Annotated[
        int | None,
        typer.Option("--clients", metavar="N", min=2, help="share the people of --data out among N clients"),
    ] = None,
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = [],  # noqa: B006
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Write a Flower project that runs a recipe: in simulation, or on a SuperLink with SuperNodes.

    tacit flower tacit/federated --data movielens-100k --clients 10 --out federation
    """
    from tacit.core.errors import BadInput
    from tacit.experiment.prepare import prepare
    from tacit.experiment.recipes import recipe as find
    from tacit.experiment.run_settings import parse_set, settle
    from tacit.interop.flower.federation import check_settings
    from tacit.interop.flower.project import check_new, of_experiment, of_items, write_project

    if find_spec("flwr") is None:
        raise ModuleNotFoundError("flwr", name="flwr")
    check_new(out)
    chosen = parse_set(settings, columns)
    found = find(recipe)
    parameters = settle(found.parameters, chosen)
    check_settings(found.name, parameters)
    if items is not None:
        if data is not None or clients is not None:
            raise BadInput("--items", got="--data or --clients beside it", allowed="one of them")
        facts = write_project(out, of_items(found.name, parameters, seed, items))
    else:
        with download_bar(as_json) as progress:
            x = prepare(recipe, data or "movielens-100k", chosen, seed, progress=progress)
        facts = write_project(out, of_experiment(x), x, clients)
    if as_json:
        emit({"out": str(out), **facts})
        return
    say(f"Written to {out}: {facts['recipe']}, {facts['rounds']:,} rounds, {facts['items']:,} items")
    if facts["clients"]:
        simulated = f'--federation-config "num-supernodes={facts["clients"]}" --stream'
        say(f"Simulate {facts['clients']:,} clients with: flwr run {out} local {simulated}")
