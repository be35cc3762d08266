"""`tacit data`: list, describe and fetch data sets, check one's own, and make churn traces of device logs."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from tacit.cli.console import Json, download_bar, emit, say
from tacit.cli.options import Columns, Seed, Set

app = typer.Typer(
    help="Data sets: list, describe, fetch, prepare, split, trace.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
Replace = Annotated[bool, typer.Option("--overwrite", help="replace OUT if it exists")]
Name = Annotated[str, typer.Argument(help="a known name (tacit data list) or a file")]


@app.command("list")
def list_(as_json: Json = False) -> None:
    """Every known data set, and whether it is here."""
    from tacit.core.registry import broken
    from tacit.data.describe import list_sources

    sources = list_sources()
    if as_json:
        emit({"datasets": sources})
        return
    width = max(len(str(source["name"])) for source in sources)
    for source in sources:
        sys.stdout.write(f"{source['name']:<{width}}  {source['found']:<16}  {source['title']}\n")
    for why in broken("tacit.data.sources", "source").values():
        say(f"Note: left out: {why}")


@app.command()
def describe(
    data: Name,
    columns: Columns = [],  # noqa: B006
    as_json: Json = False,
) -> None:
    """Counts, density, ranges, licence and citation of a data set."""
    from tacit.data.columns import joined
    from tacit.data.dataset import load
    from tacit.data.describe import describe as describe_dataset

    with download_bar(as_json) as progress:
        facts = describe_dataset(load(data, columns=joined(columns), progress=progress))
    if as_json:
        emit(facts)
        return
    _print(facts)


@app.command()
def fetch(data: Name, as_json: Json = False) -> None:
    """Download a data set into the user's cache."""
    from tacit.data.sources.locate import find

    with download_bar(as_json) as progress:
        path = find(data, progress)
    if as_json:
        emit({"name": data, "path": str(path)})
        return
    say(f"{data} is at {path}")


@app.command()
def prepare(
    source: Annotated[Path, typer.Argument(metavar="IN", help="a .csv, .tsv or .parquet file")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="where to write the checked file")],
    columns: Columns = [],  # noqa: B006
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Check a file and write it in tacit's format."""
    from tacit.data.columns import joined
    from tacit.data.describe import prepare as prepare_file
    from tacit.data.files import check_target

    check_target(target, source, overwrite=overwrite)
    facts = prepare_file(source, target, columns=joined(columns))
    if as_json:
        emit(facts)
        return
    _print(facts)


@app.command()
def split(
    data: Name,
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="where to write user,item,rating[,timestamp],split")
    ],
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = [],  # noqa: B006
    seed: Seed = 0,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Divide a data set as a run would, and write every pair with its part.

    tacit data split movielens-100k parts.csv --set split=temporal --seed 1

    tacit run RECIPE --data parts.csv --set split=given learns from the same split. --set evaluate.on=validation
    gives a validation part too.
    """
    from tacit.data.files import check_target, write_table
    from tacit.data.given_split import parts_table
    from tacit.experiment.prepare import load_and_divide
    from tacit.experiment.run_settings import parse_set

    check_target(target, Path(data).expanduser(), overwrite=overwrite)
    with download_bar(as_json) as progress:
        found, parts = load_and_divide(data, parse_set(settings, columns), seed, progress)
    write_table(parts_table(found, parts), target)
    facts = {
        "data": found.counts(),
        "split": parts.to_json(),
        "file": str(target),
        "notes": [*found.notes, *parts.notes],
    }
    if as_json:
        emit(facts)
        return
    _print(facts)


@app.command()
def trace(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="a file with columns user,time,charging,mbit")],
    target: Annotated[
        Path, typer.Argument(metavar="OUT", help="where to write the trace, for --set churn=OUT")
    ],
    data: Annotated[
        str, typer.Option("--data", help="data set whose users get the sessions: a known name or a file")
    ],
    seed: Annotated[int, typer.Option("--seed", min=0, help="which user gets which segment")] = 0,
    overwrite: Replace = False,
    as_json: Json = False,
) -> None:
    """Cut a log of real devices into two-day segments, one for each user of a data set (Hegedűs et al., 6.3)."""
    from tacit.data.dataset import load
    from tacit.data.files import check_target
    from tacit.simulator.churn.device_log import read_segments
    from tacit.simulator.churn.sessions import SECOND
    from tacit.simulator.churn.trace import write_trace

    check_target(target, log, overwrite=overwrite)
    segments = read_segments(log)
    users = load(data).user_ids
    churn = segments.assign(len(users), seed)
    write_trace(churn, target, users.tolist())
    minutes = (churn.end - churn.begin) / (60 * SECOND)
    facts: dict[str, Any] = {
        "path": str(target),
        "devices": segments.users,
        "segments": len(segments),
        "nodes": churn.nodes,
        "sessions": len(minutes),
        "mean_session_minutes": float(minutes.mean()) if len(minutes) else 0.0,
        "share_online": float(minutes.sum() / (48 * 60 * churn.nodes)),
    }
    if as_json:
        emit(facts)
        return
    _print(facts)


def _print(facts: dict[str, Any]) -> None:
    width = max(len(key) for key in facts)
    for key, value in facts.items():
        for line in _lines(value):
            sys.stdout.write(f"{key.replace('_', ' '):<{width}}  {line}\n")
            key = ""


def _lines(value: Any) -> list[str]:
    """A value as people read it; a list as one line each."""
    if isinstance(value, dict):
        return [", ".join(f"{name} {_lines(part)[0]}" for name, part in value.items())]
    if isinstance(value, list):
        return [str(part) for part in value] or ["none"]
    if isinstance(value, int):
        return [f"{value:,}"]
    return [f"{value:.4g}" if isinstance(value, float) else str(value)]
