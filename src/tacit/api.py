"""The Python API: `tacit.run`, `compare`, `sweep` and `recommend`. Each also writes a report where `out` is given."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
from rich.console import Console

from tacit.experiment.batch import RunListener
from tacit.experiment.compare import Arms, Seeds, arms_of, seeds_of
from tacit.experiment.compare import compare as compare_arms
from tacit.experiment.experiment import Experiment
from tacit.experiment.memory_estimate import gigabytes
from tacit.experiment.out_folder import OutFolder
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import Recommended, recommend_from
from tacit.experiment.result import Result as PlainResult
from tacit.experiment.run import Run
from tacit.experiment.run_folder import write_json, writing
from tacit.experiment.sweep import Search
from tacit.experiment.sweep import sweep as sweep_settings
from tacit.report.comparison import comparison_section, significance_rows
from tacit.report.figures.curves import study_figures
from tacit.report.figures.image_files import save_all
from tacit.report.machine import this_machine
from tacit.report.notebook import Comparison, Result, Sweep
from tacit.report.page.page import write_report
from tacit.report.progress import Progress, waiting
from tacit.report.run_table import RunTable, table_of
from tacit.report.sweep import sweep_section

DEFAULT_DATA = "movielens-100k"


def run(
    recipe: str,
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    progress: bool = True,
    threads: int | None = None,
) -> Result:
    """Run a recipe and give back its figures; with `out` also write them, a report and the models to a folder.

        result = tacit.run("hegedus/gossip-10", "ratings.csv", settings={"epochs": 10})
        result.metrics["rmse"], result.per_user, result.plot_curve(over="bytes")

    `data` is a known name, the path of a csv, tsv or parquet file, or a polars frame.
    A folder that holds a run is refused: `resume` goes on with it, `overwrite` replaces it.
    """
    folder = OutFolder(None if out is None else Path(out), overwrite=overwrite, resume=resume)
    folder.check()
    experiment = prepare(recipe, data, settings, seed)
    return execute(
        experiment, folder, data=data, settings=settings, resume=resume, quiet=not progress, threads=threads
    )


def execute(
    experiment: Experiment,
    out: OutFolder,
    *,
    data: str | Path | pl.DataFrame,
    settings: Mapping[str, Any] | None = None,
    resume: bool = False,
    quiet: bool = False,
    threads: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    show: Callable[[Result], None] = lambda result: None,
) -> Result:
    """Run what `prepare` made ready, show progress and then the figures, write the folder."""
    console = Console(stderr=True, quiet=quiet)
    with out:
        out.begin()
        with waiting("Compiling for this machine (only the first time takes long) ...", quiet):
            under_way = Run(experiment, out=out.path, resume=resume, threads=threads)
        counts = experiment.dataset.counts()
        console.print(
            f"{counts['name']}: {counts['users']:,} users, {counts['items']:,} items, "
            f"{counts['interactions']:,} interactions; memory: about {gigabytes(experiment.memory)}",
            highlight=False,
        )
        with ExitStack() as bar:
            watch = bar.enter_context(Progress(experiment.recipe, quiet=quiet))

            def ended(found: PlainResult) -> None:
                bar.close()  # so that nothing is drawn over the figures
                show(Result.of(found))

            result = Result.of(under_way.go(watch, stop, ended).result)
        if out.path is not None:
            with writing(out.path):
                write_report(
                    [result],
                    out.path / "report.html",
                    title=f"{result.recipe} on {result.data['name']}",
                    command=command_line(result.recipe, data, settings or {}, result.seed),
                    machine=this_machine(),
                )
    return result


def compare(
    recipes: Arms,
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seeds: Seeds = 1,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: bool = True,
    threads: int | None = None,
    host: RunListener | None = None,
) -> Comparison:
    """Run several recipes on the same data, split and evaluation, and test all pairs.

        found = tacit.compare(["hegedus/gossip-10", "hegedus/federated-10"], "ratings.csv", seeds=5)
        found.table(), found.plot_cdf(), found.to_latex()

    The same recipe with other settings, or a name of one's own, is an arm: {"small steps": ("hegedus/gossip-10",
    {"model.eta": 0.001}), "gossip": "hegedus/gossip-10"}. `seeds` is a number, counted from 0, or a list of seeds.
    With `out`: result.json, report.html, tables, figures and one folder per run. Runs that are finished there are not
    run again. A folder that holds something else is refused, unless `overwrite` says to replace it.
    """
    folder = None if out is None else Path(out)
    host = host or RunListener(watch=lambda title: Progress(title, quiet=not progress), threads=threads)
    with OutFolder(folder, "comparison", overwrite=overwrite) as held:
        found = Comparison.of(
            compare_arms(recipes, data, settings, seeds, folder, replace(host, begin=held.begin))
        )
        try:
            host.show(found)
        finally:
            if folder is not None:
                _write_comparison(found, folder, compare_command(recipes, data, settings or {}, seeds))
    return found


def _write_comparison(found: Comparison, folder: Path, command: str) -> None:
    write_json(folder / "result.json", found.to_json())
    with writing(folder):
        write_report(
            found.results,
            folder / "report.html",
            title=f"{len(found.groups())} recipes on {found.results[0].data['name']}",
            command=command,
            tests=significance_rows(found.tests),
            machine=this_machine(),
            chapters={"comparison": comparison_section(found)},
        )
        (folder / "table.csv").write_text(found.to_csv(), encoding="utf-8")
        (folder / "table.tex").write_text(found.to_latex(), encoding="utf-8")
        save_all(study_figures(found.results), folder / "figures")


def sweep(
    recipe: str,
    vary: Mapping[str, Sequence[Any]],
    data: str | Path | pl.DataFrame = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    seeds: Seeds = 1,
    random: int | None = None,
    metric: str | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: bool = True,
    threads: int | None = None,
    host: RunListener | None = None,
) -> Sweep:
    """Try combinations of settings on a validation part, choose by `metric`, run the chosen one on the test part.

        found = tacit.sweep("hegedus/gossip-10", {"model.eta": [0.003, 0.01, 0.03]}, "ratings.csv")
        found.best.setting, found.test[0].metrics

    `random`: try only so many of the combinations. With `out`: result.json, report.html and one folder per run.
    """
    folder = None if out is None else Path(out)
    host = host or RunListener(watch=lambda title: Progress(title, quiet=not progress), threads=threads)
    more = [
        word for key, values in vary.items() for word in ("--vary", f"{key}={','.join(map(str, values))}")
    ]
    more += _seeds_words(seeds)
    more += ["--random", str(random)] if random is not None else []
    with OutFolder(folder, "sweep", overwrite=overwrite) as held:
        search = Search(seeds, random, metric)
        found = Sweep.of(
            sweep_settings(recipe, vary, data, settings, search, folder, replace(host, begin=held.begin))
        )
        try:
            host.show(found)
        finally:
            if folder is not None:
                words = [*more, "--metric", found.metric]
                _write_sweep(found, folder, command_words(["sweep", recipe], data, settings or {}, words))
    return found


def _write_sweep(found: Sweep, folder: Path, command: str) -> None:
    write_json(folder / "result.json", found.to_json())
    with writing(folder):
        write_report(
            found.test,
            folder / "report.html",
            title=f"{found.recipe} on {found.test[0].data['name']}, the best of {len(found.tried)} settings",
            command=command,
            machine=this_machine(),
            chapters={"sweep": sweep_section(found)},
        )


def recommend(folder: str | Path, user: str | int, n: int = 10) -> Recommended:
    """What the run in a folder (`out=`) would recommend to one of its users.

    [item.title for item in tacit.recommend("runs/first", "196").items]
    """
    return recommend_from(Path(folder), str(user), n)


def table(*folders: str | Path) -> RunTable:
    """The finished runs in these folders, and in the folders inside them, one row per run.

    tacit.table("runs").frame, tacit.table("runs/a", "runs/b").to_latex()
    """
    return table_of(folders)


def command_line(recipe: str, data: str | Path | pl.DataFrame, settings: Mapping[str, Any], seed: int) -> str:
    """What to type to run it again.

    >>> command_line("hegedus/gossip", "my ratings.csv", {"epochs": 10}, 1)
    "tacit run hegedus/gossip --data 'my ratings.csv' --set epochs=10 --seed 1"
    """
    return command_words(["run", recipe], data, settings, ["--seed", str(seed)])


def compare_command(
    arms: Arms, data: str | Path | pl.DataFrame, settings: Mapping[str, Any], seeds: Seeds
) -> str:
    """What to type to compare again.

    >>> compare_command({"slow": ("hegedus/gossip", {"model.eta": 0.01})}, "mine.csv", {}, [3, 5])
    'tacit compare --arm slow=hegedus/gossip,model.eta=0.01 --data mine.csv --seeds 3,5'
    """
    words = ["compare"]
    for arm in arms_of(arms):
        own = [arm.recipe, *(f"{key}={value}" for key, value in arm.settings.items())]
        words += ["--arm", f"{arm.name}={','.join(own)}"] if arm.label else [arm.recipe]
    return command_words(words, data, settings, _seeds_words(seeds))


def _seeds_words(seeds: Seeds) -> list[str]:
    return ["--seeds", str(seeds) if isinstance(seeds, int) else ",".join(map(str, seeds_of(seeds)))]


def command_words(
    command: Sequence[str], data: str | Path | pl.DataFrame, settings: Mapping[str, Any], more: Sequence[str]
) -> str:
    """A command line with its data and settings."""
    where = "DATA" if isinstance(data, pl.DataFrame) else str(data)
    words = ["tacit", *command, "--data", where]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, *more])
