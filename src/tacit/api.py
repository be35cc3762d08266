"""The Python API: `tacit.run`, `compare`, `sweep` and `recommend`. Each also writes a report where `out` is given."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

import polars as pl
from rich.console import Console

from tacit.core.errors import BadInput
from tacit.experiment.batch import RunListener
from tacit.experiment.compare import compare as compare_recipes
from tacit.experiment.experiment import Experiment
from tacit.experiment.memory_estimate import gigabytes
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import Recommended, recommend_from
from tacit.experiment.run import Run
from tacit.experiment.run_folder import write_json
from tacit.experiment.run_settings import plain_settings
from tacit.experiment.sweep import Search
from tacit.experiment.sweep import sweep as sweep_settings
from tacit.report.comparison import comparison_section, significance_rows
from tacit.report.machine import this_machine
from tacit.report.notebook import Comparison, Result, Sweep
from tacit.report.page.page import write_report
from tacit.report.progress import Progress, waiting
from tacit.report.sweep import sweep_section

DEFAULT_DATA = "movielens-100k"


class Parts(TypedDict, total=False):
    """Parts of a run as objects (`model=MF(k=8)`), or by name or file (`model="./mine.py"`).

    Given beside a recipe they take the place of its own. Settings count more than what an object says.
    """

    protocol: Any
    model: Any
    merge: Any
    peers: Any
    shield: Any
    baseline: Any
    split: Any
    evaluate: Any


def named_and_set(
    recipe: str | None, settings: Mapping[str, Any] | None, parts: Parts
) -> tuple[str, dict[str, Any]]:
    """A recipe's name, and everything that is set beside it by name. Without a recipe there must be a protocol."""
    chosen = plain_settings(settings, parts)
    if recipe is None and not chosen.get("protocol"):
        raise BadInput(
            "recipe", got="neither a recipe nor a protocol", allowed="one, such as protocol=Gossip()"
        )
    return recipe or str(chosen["protocol"]), chosen


def run(
    recipe: str | None = None,
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    progress: bool = True,
    threads: int | None = None,
    **parts: Unpack[Parts],
) -> Result:
    """Run a recipe and give back its figures; with `out` also write them, a report and the models to a folder.

        result = tacit.run("hegedus/gossip-10", "ratings.csv", settings={"epochs": 10})
        result.metrics["rmse"], result.per_user, result.plot_curve(over="bytes")

    Objects can stand in for a recipe, or beside one (`Parts`):

        tacit.run(protocol=Gossip(merge=AgeAverage()), model=MF(k=8), data="ratings.csv", seed=1)

    Without a recipe a fifth of each user's interactions is held out (`split="random-share"`). A model that predicts
    ratings is measured by them (`evaluate="rating"`), one that ranks by full ranking (`evaluate="full"`).

    `data` is a known name, the path of a csv, tsv or parquet file, or a polars frame.
    """
    name, chosen = named_and_set(recipe, settings, parts)
    experiment = prepare(name, data, chosen, seed)
    return execute(
        experiment, data=data, settings=chosen, out=out, resume=resume, quiet=not progress, threads=threads
    )


def execute(
    experiment: Experiment,
    *,
    data: str | Path | pl.DataFrame,
    settings: Mapping[str, Any] | None = None,
    out: str | Path | None = None,
    resume: bool = False,
    quiet: bool = False,
    threads: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Result:
    """Run what `prepare` made ready, show progress, write the folder."""
    folder = None if out is None else Path(out)
    console = Console(stderr=True, quiet=quiet)
    with waiting("Compiling for this machine (only the first time takes long) ...", quiet):
        under_way = Run(experiment, out=folder, resume=resume, threads=threads)
    counts = experiment.dataset.counts()
    console.print(
        f"{counts['name']}: {counts['users']:,} users, {counts['items']:,} items, "
        f"{counts['interactions']:,} interactions; memory: about {gigabytes(experiment.memory)}",
        highlight=False,
    )
    with Progress(experiment.recipe, quiet=quiet) as watch:
        result = Result.of(under_way.go(watch, stop).result)
    if folder is not None:
        write_report(
            [result],
            folder / "report.html",
            title=f"{result.recipe} on {result.data['name']}",
            command=command_line(result.recipe, data, settings or {}, result.seed),
            machine=this_machine(),
        )
    return result


def compare(
    recipes: Sequence[str],
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seeds: int = 1,
    out: str | Path | None = None,
    progress: bool = True,
    threads: int | None = None,
    host: RunListener | None = None,
    **parts: Unpack[Parts],
) -> Comparison:
    """Run several recipes on the same data, split and evaluation, with seeds 0 .. seeds - 1, and test all pairs.

        found = tacit.compare(["hegedus/gossip-10", "hegedus/federated-10"], "ratings.csv", seeds=5)
        found.table(), found.plot_cdf()

    With `out`: result.json, report.html and one folder per run; runs finished there before are not run again. Parts
    that are given as objects are the same for all recipes.
    """
    folder = None if out is None else Path(out)
    host = host or RunListener(watch=lambda title: Progress(title, quiet=not progress), threads=threads)
    settings = plain_settings(settings, parts)
    found = Comparison.of(compare_recipes(recipes, data, settings, seeds, folder, host))
    if folder is not None:
        write_json(folder / "result.json", found.to_json())
        names = ["compare", *recipes]
        write_report(
            found.results,
            folder / "report.html",
            title=f"{len(recipes)} recipes on {found.results[0].data['name']}",
            command=command_words(names, data, settings or {}, ["--seeds", str(seeds)]),
            tests=significance_rows(found.tests),
            machine=this_machine(),
            chapters={"comparison": comparison_section(found)},
        )
    return found


def sweep(
    recipe: str | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seeds: int = 1,
    random: int | None = None,
    metric: str | None = None,
    out: str | Path | None = None,
    progress: bool = True,
    threads: int | None = None,
    host: RunListener | None = None,
    **parts: Unpack[Parts],
) -> Sweep:
    """Try combinations of settings on a validation part, choose by `metric`, run the chosen one on the test part.

        found = tacit.sweep("hegedus/gossip-10", {"model.eta": [0.003, 0.01, 0.03]}, "ratings.csv")
        found.best.setting, found.test[0].metrics

    `random`: try only so many of the combinations. With `out`: result.json, report.html and one folder per run.
    """
    folder = None if out is None else Path(out)
    host = host or RunListener(watch=lambda title: Progress(title, quiet=not progress), threads=threads)
    recipe, chosen = named_and_set(recipe, settings, parts)
    vary = vary or {}
    # What an object says of a setting gives way to the values that are tried; what was set by hand does not.
    settings = {key: value for key, value in chosen.items() if key not in vary or key in (settings or {})}
    found = Sweep.of(
        sweep_settings(recipe, vary, data, settings, Search(seeds, random, metric), folder, host)
    )
    if folder is not None:
        write_json(folder / "result.json", found.to_json())
        more = [
            word for key, values in vary.items() for word in ("--vary", f"{key}={','.join(map(str, values))}")
        ]
        more += ["--seeds", str(seeds), "--metric", found.metric]
        more += ["--random", str(random)] if random is not None else []
        write_report(
            found.test,
            folder / "report.html",
            title=f"{recipe} on {found.test[0].data['name']}, the best of {len(found.tried)} settings",
            command=command_words(["sweep", recipe], data, settings or {}, more),
            machine=this_machine(),
            chapters={"sweep": sweep_section(found)},
        )
    return found


def recommend(folder: str | Path, user: str, n: int = 10) -> Recommended:
    """What the run in a folder (`out=`) would recommend to one of its users.

    [item.title for item in tacit.recommend("runs/first", "196").items]
    """
    return recommend_from(Path(folder), user, n)


def command_line(recipe: str, data: str | Path | pl.DataFrame, settings: Mapping[str, Any], seed: int) -> str:
    """What to type to run it again.

    >>> command_line("hegedus/gossip", "my ratings.csv", {"epochs": 10}, 1)
    "tacit run hegedus/gossip --data 'my ratings.csv' --set epochs=10 --seed 1"
    """
    return command_words(["run", recipe], data, settings, ["--seed", str(seed)])


def command_words(
    command: Sequence[str], data: str | Path | pl.DataFrame, settings: Mapping[str, Any], more: Sequence[str]
) -> str:
    """A command line with its data and settings."""
    where = "DATA" if isinstance(data, pl.DataFrame) else str(data)
    words = ["tacit", *command, "--data", where]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, *more])
