"""`tacit demo`: the main job in one word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.cli.output import Stopper, download_bar, emit, say
from tacit.core.errors import BadInput
from tacit.experiment.preparing import Experiment, prepare
from tacit.experiment.recommending import Suggestion, favourites, recommend
from tacit.experiment.results import Result
from tacit.experiment.runner import Finished, Run
from tacit.report.html import write_report
from tacit.report.machine import this_machine
from tacit.report.personal import Recommendations
from tacit.report.progress import Progress, waiting
from tacit.report.tables import print_summary

RECIPES = ("hegedus/gossip-10", "hegedus/federated-10", "baseline/central-mf")


def run_demo(out: Path, seed: int, as_json: bool) -> None:
    """Learn in three ways on the same split, compare, recommend to one user, write a report."""
    console = Console()
    experiments = _prepare(seed, as_json)
    data = experiments[0].dataset
    if not as_json:
        say(
            f"{data.table.users:,} people and {len(data.table):,} ratings of {data.table.items:,} items. "
            "Each person's ratings stay on their own (simulated) device."
        )
    finished: list[Finished] = []
    with Stopper() as stop:
        for experiment in experiments:
            with waiting("Compiling (only the first time takes long) ...", as_json):
                under_way = Run(experiment)
            with Progress(experiment.recipe, quiet=as_json) as watch:
                finished.append(under_way.go(watch, stop.asked))
    results = [f.result for f in finished]
    gossip = finished[0]
    person = _somebody(gossip)
    suggestions = recommend(
        gossip.experiment.model,
        gossip.simulation.fleet.node(person),
        gossip.experiment.split.train,
        person,
        data.items,
    )
    liked = favourites(gossip.experiment.split.train, person, data.items)
    device = _device(gossip, person)
    name = str(data.user_ids[person])
    report = write_report(
        results,
        out / "report.html",
        title=f"Gossip, federated and centralized learning on {data.name}",
        command=f"tacit demo --seed {seed}",
        recommendations=Recommendations(
            user=name,
            items=[{"title": s.title, "score": s.score, "because": s.because} for s in suggestions],
            liked=liked,
            recipe=results[0].recipe,
        ),
        device=device,
        machine=this_machine(),
    )
    if as_json:
        emit(_json(results, name, liked, suggestions, device, report))
        return
    print_summary(console, *results)
    _print_person(console, name, liked, suggestions, device)
    console.print(f"Report with pictures: {report}", soft_wrap=True)


def _prepare(seed: int, quiet: bool) -> list[Experiment]:
    """MovieLens-100K wherever it can be had; otherwise invented data, and say so."""
    try:
        with download_bar(quiet) as progress:
            return [prepare(name, "movielens-100k", seed=seed, progress=progress) for name in RECIPES]
    except BadInput as problem:
        if not quiet:
            say(f"MovieLens-100K cannot be had here ({problem}); using invented data instead")
        return [prepare(name, "synthetic", seed=seed) for name in RECIPES]


def _somebody(finished: Finished) -> int:
    """A user with a middling number of ratings, so that the example is neither thin nor special."""
    counts = finished.experiment.split.train.counts
    return int(counts.argsort(kind="stable")[len(counts) // 2])


def _device(finished: Finished, person: int) -> dict[str, Any]:
    """What left one person's device, from the ledger, and what never did."""
    tally, train = finished.simulation.tally, finished.experiment.split.train
    rated = int(tally.rows_rated[person])
    rows = int(tally.rows[person])
    return {
        "left": [
            f"{field.meaning}"
            for field in finished.experiment.model.fields
            if field.visibility.value == "shared"
        ],
        "stayed": [
            f"{int(train.counts[person])} ratings",
            *(f.meaning for f in finished.experiment.model.fields if f.visibility.value == "private"),
        ],
        "user": str(finished.experiment.dataset.user_ids[person]),
        "updates sent": int(tally.updates[person]),
        "rows sent": rows,
        "of them about items this user rated": f"{rated:,} ({100 * rated / max(rows, 1):.0f} %)",
        "bytes sent": int(tally.bytes[person]),
    }


def _print_person(
    console: Console, name: str, liked: list[str], suggestions: list[Suggestion], device: dict[str, Any]
) -> None:
    table = Table(
        title=f"For user {name}, from the model on their own device", title_justify="left", box=None
    )
    table.add_column("Recommended", overflow="fold")
    table.add_column("Rating", justify="right")
    table.add_column("Near to", overflow="fold", style="dim")
    for s in suggestions:
        table.add_row(Text(s.title), f"{s.score:.1f}", Text("; ".join(s.because)))
    console.print(table)
    console.print(Text("Liked before: " + "; ".join(liked)))
    console.print(
        Text(
            f"Left the device: {device['updates sent']:,} updates, {device['bytes sent'] / 1e6:.1f} MB, "
            f"{device['rows sent']:,} rows, {device['of them about items this user rated']} of them about items this "
            "user rated. Ratings and the user's own vector never left."
        )
    )


def _json(
    results: list[Result],
    name: str,
    liked: list[str],
    suggestions: list[Suggestion],
    device: dict[str, Any],
    report: Path,
) -> dict[str, Any]:
    return {
        "runs": [result.to_json() for result in results],
        "user": name,
        "liked": liked,
        "items": [
            {"key": s.key, "title": s.title, "score": s.score, "because": s.because} for s in suggestions
        ],
        "device": device,
        "report": str(report),
    }
