"""`tacit demo`: learn in three ways, compare them, recommend, attack, and write a report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tacit.attacks.curious_partner import RECEIVER
from tacit.cli.console import Stopper, download_bar, emit, say
from tacit.core.errors import BadInput
from tacit.experiment.audit import audit
from tacit.experiment.experiment import Experiment
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import Suggestion, favourites, recommend
from tacit.experiment.result import Result
from tacit.experiment.run import Finished, Run
from tacit.experiment.warmup import compiling_ahead
from tacit.protocols.push_sum.node import FIELDS
from tacit.report.machine import this_machine
from tacit.report.page.page import Recommendations, write_report
from tacit.report.progress import Progress, waiting
from tacit.report.terminal_tables import print_summary

RECIPES = ("tacit/best", "tacit/federated", "baseline/ials", "baseline/popular")
"""By gossip, with a server that adds up, in one place that knows everything; and what knowing nobody gives."""
GROUND = {"split": "random-share", "split.share": 0.15, "evaluate": "sampled", "data.min_user": 0}
_ATTACKED = {**GROUND, "rounds": 40}
"""A little more than one epoch: every epoch begins with the message that tells most."""


def run_demo(out: Path, seed: int, as_json: bool) -> None:
    """Learn in three ways on the same split, compare, recommend to one user, attack, write a report."""
    console = Console()
    experiments = _prepare(seed, as_json)
    data = experiments[0].dataset
    if not as_json:
        say(
            f"{data.table.users:,} people who have {len(data.table):,} of {data.table.items:,} items. "
            "Each person is one simulated device; tacit/federated and baseline/ials show a server what each one has."
        )
    finished: list[Finished] = []
    runs = [(x.recipe, data.name, GROUND) for x in experiments]
    with Stopper() as stop, compiling_ahead(runs):
        for experiment in experiments:
            with waiting("Compiling (only the first time takes long) ...", as_json):
                under_way = Run(experiment)
            with Progress(experiment.recipe, quiet=as_json) as watch:
                finished.append(under_way.go(watch, stop.asked))
    results = [f.result for f in finished]
    gossip = finished[0]
    person = _median_user(gossip)
    suggestions = recommend(
        gossip.experiment.model,
        gossip.simulation.fleet.node(person),
        gossip.experiment.split.train,
        person,
        data.items,
        seed=seed,
    )
    liked = favourites(gossip.experiment.split.train, person, data.items)
    device = _device(gossip, person)
    with waiting("Playing an attacker who reads what people send ...", as_json):
        masked, unmasked = _attack(data.name, seed)
    device["a curious receiver (AUC, 0.5 is guessing)"] = round(masked, 3)
    device["the same without masks"] = round(unmasked, 3)
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
    """MovieLens-100K where it is available; otherwise invented data, and a line that says so."""
    try:
        with download_bar(quiet) as progress:
            return [prepare(name, "movielens-100k", GROUND, seed, progress=progress) for name in RECIPES]
    except BadInput as problem:
        if not quiet:
            say(f"MovieLens-100K is not available here ({problem}); using invented data instead")
        return [prepare(name, "synthetic", GROUND, seed) for name in RECIPES]


def _attack(data: str, seed: int) -> tuple[float, float]:
    """The AUC of a receiver who guesses what the sender of a message has: with masks, and without."""
    found = audit(RECIPES[0], data, _ATTACKED, seed).findings
    by_masks = {f.settings["masks"] > 0: f.auc for f in found if f.attacker == RECEIVER}
    return by_masks[True], by_masks[False]


def _median_user(finished: Finished) -> int:
    """A user with a middling number of ratings, so that the example is neither thin nor special."""
    counts = finished.experiment.split.train.counts
    return int(counts.argsort(kind="stable")[len(counts) // 2])


def _device(finished: Finished, person: int) -> dict[str, Any]:
    """What left one person's device, and what never did."""
    traffic, train = finished.simulation.traffic, finished.experiment.split.train
    return {
        "left": [field.meaning for field in FIELDS],
        "stayed": [
            f"the list of the person's {int(train.counts[person])} items, as a list",
            *(f.meaning for f in finished.experiment.model.fields if f.visibility.value == "private"),
        ],
        "user": str(finished.experiment.dataset.user_ids[person]),
        "updates sent": int(traffic.updates[person]),
        "bytes sent": int(traffic.bytes[person]),
    }


def _print_person(
    console: Console, name: str, liked: list[str], suggestions: list[Suggestion], device: dict[str, Any]
) -> None:
    table = Table(
        title=f"For user {name}, from the model on their own device", title_justify="left", box=None
    )
    table.add_column("Recommended", overflow="fold")
    table.add_column("Score", justify="right")
    table.add_column("Similar to", overflow="fold", style="dim")
    for s in suggestions:
        table.add_row(Text(s.title), f"{s.score:.2f}", Text("; ".join(s.because)))
    console.print(table)
    console.print(Text("Liked before: " + "; ".join(liked)))
    console.print(
        Text(
            f"Left the device: {device['updates sent']:,} messages, {device['bytes sent'] / 1e6:.1f} MB, all of them "
            "shares of masked sums. The sums are made of the person's items and vector; neither was sent as it is."
        )
    )
    masked, unmasked = (
        device[name] for name in ("a curious receiver (AUC, 0.5 is guessing)", "the same without masks")
    )
    console.print(
        Text(
            "One attacker receives a message, judges item by item, and tells the sender's items from others as popular "
            f"with AUC {masked:.2f}. 0.5 is guessing, 1 is knowing. Without masks the AUC is {unmasked:.2f}. "
            "docs/explanation/threat-model.md says who can learn more."
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
