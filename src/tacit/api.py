"""The Python API: `tacit.run`, `compare`, `sweep`, `reproduce`, `audit`, `open` and `recommend`.

The first four also write a report where `out` is given. Each takes data as a known name, a path, a polars or pandas
frame, a SciPy sparse matrix, or a `Dataset` of tacit's or LensKit's.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from inspect import signature
from pathlib import Path
from typing import Any, TypedDict, Unpack

from rich.console import Console

from tacit.core.errors import BadInput
from tacit.core.python_words import in_python
from tacit.data.columns import as_text
from tacit.data.dataset import Data, Dataset
from tacit.data.read_interactions import Columns
from tacit.engines.engine_names import engine_of
from tacit.experiment.audit import Audit
from tacit.experiment.audit import audit as audit_recipe
from tacit.experiment.batch import Engine, RunListener
from tacit.experiment.callbacks import OnRound, callbacks_of
from tacit.experiment.compare import Arms, Seeds, arms_of, seeds_of
from tacit.experiment.compare import compare as compare_arms
from tacit.experiment.experiment import Experiment
from tacit.experiment.out_folder import OutFolder, contents, out_path
from tacit.experiment.prepare import prepare
from tacit.experiment.recommend import Recommended
from tacit.experiment.result import Result as PlainResult
from tacit.experiment.run import Run
from tacit.experiment.run_folder import STATE, facts_to_resume, folder_path, read_result, write_json, writing
from tacit.experiment.run_settings import plain_settings
from tacit.experiment.sweep import Search, tried_values
from tacit.experiment.sweep import sweep as sweep_settings
from tacit.experiment.trained import Trained, recommend_from
from tacit.papers.reproduce import Reproduction
from tacit.papers.reproduce import reproduce as reproduce_paper
from tacit.report.comparison import comparison_section, significance_rows
from tacit.report.figures.curves import study_figures
from tacit.report.figures.image_files import save_all
from tacit.report.forecast import forecast_line
from tacit.report.machine import this_machine
from tacit.report.notebook import Comparison, Result, Sweep
from tacit.report.page.page import write_report
from tacit.report.progress import Progress, waiting
from tacit.report.reproduction import write_reproduction
from tacit.report.run_table import RunTable, table_of
from tacit.report.sweep import sweep_figures, sweep_section
from tacit.simulator.partition import ALONE, Partition

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
    recipe: str | None,
    settings: Mapping[str, Any] | None,
    parts: Parts,
    function: Callable[..., object] | None = None,
) -> tuple[str, dict[str, Any]]:
    """A recipe's name, and everything that is set beside it by name.

    Without a recipe there must be a protocol, or a baseline, which is one. `function` is what was called.
    """
    chosen = plain_settings(settings, parts, _arguments(function))
    if recipe is None and "baseline" in chosen:
        chosen.setdefault("protocol", "baseline")
    if recipe is None and not chosen.get("protocol"):
        raise BadInput(
            "recipe", got="neither a recipe nor a protocol", allowed="one, such as protocol=Gossip()"
        )
    return str(chosen["protocol"]) if recipe is None else recipe, chosen


def _arguments(function: Callable[..., object] | None) -> list[str]:
    """What a function takes by name, without parts and the host of the command line."""
    found = {} if function is None else signature(function).parameters
    return [name for name, one in found.items() if one.kind is one.KEYWORD_ONLY and name != "host"]


@in_python
def run(
    recipe: str | None = None,
    data: Data = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    columns: Columns = None,
    seed: int = 0,
    out: str | Path | None = None,
    resume: bool = False,
    overwrite: bool = False,
    on_round: OnRound = None,
    keep_models: bool = True,
    progress: bool = True,
    threads: int | None = None,
    **parts: Unpack[Parts],
) -> Result:
    """Run a recipe and give back its figures; with `out` a folder gets them, a report, pictures and the models.

        result = tacit.run("hegedus/gossip-10", "ratings.csv", settings={"epochs": 10})
        result.metrics["rmse"], result.per_user, result.plot_curve(over="bytes")
        result.recommend(196), result.lists(10), result.item_factors(user=196)

    Objects can stand in for a recipe, or beside one (`Parts`):

        tacit.run(protocol=Gossip(merge=AgeAverage()), model=MF(k=8), data="ratings.csv", seed=1)

    Without a recipe a fifth of each user's interactions is held out (`split="random-share"`). A model that predicts
    ratings is measured by them (`evaluate="rating"`), one that ranks by full ranking (`evaluate="full"`).

    Args:
        recipe: a recipe's name, or the path of a .toml file.
        data: a known name, a path, a polars or pandas frame, a SciPy sparse matrix (users x items), or a `Dataset` of
            tacit's or LensKit's. A path leads to a csv, tsv or parquet file.
        settings: what to change, by the names that `tacit show RECIPE` lists.
        columns: what columns are called in the data: {"user": "userId", "item": "movieId"}.
        seed: for everything random.
        out: a folder for results, report, pictures and models.
        resume: continue the run in `out`.
        overwrite: replace a run that `out` holds. Without it such a folder is refused.
        on_round: called at every measured point with a `Measured`; several may be given. The answer True ends the run,
            which still gives a result.
        keep_models: without `out` models stay in memory for as long as the result does. They can be as large as the
            run itself. False drops them.
        progress: show a line that moves.
        threads: how many cores. None takes all.
        parts: a protocol, a model and so on, as objects (`Parts`).

    Returns:
        The metrics, the curve, the cost and the values per user. Its models can be asked for lists and factors.

    Raises:
        BadInput: a setting, the data or the folder cannot be used. The text says what is allowed.
    """
    folder = OutFolder(out_path(out), overwrite=overwrite, resume=resume)
    folder.check()
    callbacks_of(on_round)
    name, chosen = named_and_set(recipe, with_columns(settings, columns, data), parts, run)
    experiment = prepare(name, data, chosen, seed)
    return execute(
        experiment,
        folder,
        data=data,
        settings=chosen,
        resume=resume,
        quiet=not progress,
        threads=threads,
        on_round=on_round,
        keep_models=keep_models,
    )


def execute(
    experiment: Experiment,
    out: OutFolder,
    *,
    data: Data,
    settings: Mapping[str, Any] | None = None,
    resume: bool = False,
    quiet: bool = False,
    threads: int | None = None,
    stop: Callable[[], bool] = lambda: False,
    show: Callable[[Result], None] = lambda result: None,
    on_round: OnRound = None,
    keep_models: bool = True,
    partition: Partition = ALONE,
) -> Result:
    """Run what `prepare` made ready, show progress and then the figures, write the folder.

    With a `partition` several processes share the run. This one is the first of them.
    """
    console = Console(stderr=True, quiet=quiet)
    with out:
        out.begin()
        if resume:
            facts_to_resume(out.path, experiment.identity())  # refuses before anything is said
        line = forecast_line(experiment, threads, partition.ranks, resume=resume)
        console.print(line, highlight=False, soft_wrap=True)
        with waiting("Compiling for this machine (only the first time takes long) ...", quiet):
            under_way = Run(experiment, out=out.path, resume=resume, threads=threads, partition=partition)
        with ExitStack() as bar:
            watch = bar.enter_context(Progress(experiment.recipe, quiet=quiet, foretell=True))

            def ended(found: PlainResult) -> None:
                bar.close()  # so that nothing is drawn over the figures
                show(Result.of(found))

            ran = under_way.go(watch, stop, ended, on_round=on_round)
        kept = out.path is not None or keep_models
        models = Trained(ran.experiment, ran.simulation) if out.path is None else Trained(folder=out.path)
        result = Result.of(replace(ran.result, trained=models if kept else None))
        if out.path is not None:
            with writing(out.path):
                write_report(
                    [result],
                    out.path / "report.html",
                    title=f"{result.recipe} on {result.data['name']}",
                    command=command_line(result.recipe, data, settings or {}, result.seed),
                    machine=this_machine(),
                )
                save_all(study_figures([result]), out.path / "figures")
    return result


@in_python
def compare(
    recipes: Arms,
    data: Data = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    columns: Columns = None,
    seeds: Seeds = 1,
    out: str | Path | None = None,
    overwrite: bool = False,
    on_round: OnRound = None,
    progress: bool = True,
    threads: int | None = None,
    jobs: int | None = None,
    engine: str = "local",
    host: RunListener | None = None,
    **parts: Unpack[Parts],
) -> Comparison:
    """Run several recipes on the same data, split and evaluation, and test all pairs.

        found = tacit.compare(["hegedus/gossip-10", "hegedus/federated-10"], "ratings.csv", seeds=5)
        found.table(), found.plot_cdf(), found.to_latex()

    With `out` a folder gets result.json, report.html, tables, figures and one folder per run. Runs that are finished
    there are not run again, and the models of the first seed are kept.

    Args:
        recipes: names of recipes, or arms. An arm is a recipe under a label, perhaps with settings of its own:
            {"small steps": ("hegedus/gossip-10", {"model.eta": 0.001}), "gossip": "hegedus/gossip-10"}. A protocol as
            an object can stand in for a recipe: [Gossip(), "hegedus/federated"].
        data: a known name, a path, a polars or pandas frame, a SciPy sparse matrix (users x items), or a `Dataset` of
            tacit's or LensKit's. A path leads to a csv, tsv or parquet file.
        settings: what to change in all of them, by the names that `tacit show RECIPE` lists.
        columns: what columns are called in the data: {"user": "userId", "item": "movieId"}.
        seeds: how many seeds, counted from 0, or a list of seeds.
        out: a folder for results, report, tables and figures.
        overwrite: replace what `out` holds. Without it a folder with something else is refused.
        on_round: called at every measured point with a `Measured`. The answer True ends that run.
        progress: show a line that moves.
        threads: how many cores. None takes all.
        jobs: how many runs go side by side, in processes of their own.
        engine: "local", or "ray" or "ray:ADDRESS", which hands the runs to Ray. Results are the same.
        host: who follows the runs. The command line uses it.
        parts: a protocol, a model and so on, as objects. They are the same for all recipes.

    Returns:
        Every run, the tests of every pair, `table()`, `to_latex()` and plots.
    """
    folder = out_path(out)
    settings = plain_settings(with_columns(settings, columns, data), parts, _arguments(compare))
    host = listener(progress, threads, on_round, host, engine_of(engine, jobs, threads))
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
            tests=significance_rows(found.tests, found.results),
            machine=this_machine(),
            chapters={"comparison": comparison_section(found)},
        )
        (folder / "table.csv").write_text(found.to_csv(), encoding="utf-8")
        (folder / "table.tex").write_text(found.to_latex(), encoding="utf-8")
        save_all(study_figures(found.results), folder / "figures")


@in_python
def sweep(
    recipe: str | None = None,
    vary: Mapping[str, Sequence[Any]] | None = None,
    data: Data = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    columns: Columns = None,
    seeds: Seeds = 1,
    random: int | None = None,
    metric: str | None = None,
    out: str | Path | None = None,
    overwrite: bool = False,
    on_round: OnRound = None,
    progress: bool = True,
    threads: int | None = None,
    jobs: int | None = None,
    engine: str = "local",
    host: RunListener | None = None,
    **parts: Unpack[Parts],
) -> Sweep:
    """Try combinations of settings on a validation part, choose by `metric`, run the chosen one on the test part.

        found = tacit.sweep("hegedus/gossip-10", {"model.eta": [0.003, 0.01, 0.03]}, "ratings.csv")
        found.best.setting, found.test[0].metrics

    Args:
        recipe: a recipe's name, or the path of a .toml file.
        vary: the values to try, by the names that `tacit show RECIPE` lists.
        data: a known name, a path, a polars or pandas frame, a SciPy sparse matrix (users x items), or a `Dataset` of
            tacit's or LensKit's. A path leads to a csv, tsv or parquet file.
        settings: what to change in all runs.
        columns: what columns are called in the data: {"user": "userId", "item": "movieId"}.
        seeds: how many seeds, counted from 0, or a list of seeds.
        random: try only so many of the combinations, drawn at random. None tries all.
        metric: what to choose by. None takes the first metric of the evaluation.
        out: a folder for result.json, report.html, figures and one folder per run.
        overwrite: replace what `out` holds. Without it a folder with something else is refused.
        on_round: called at every measured point with a `Measured`. The answer True ends that run.
        progress: show a line that moves.
        threads: how many cores. None takes all.
        jobs: as in `compare`.
        engine: as in `compare`.
        host: who follows the runs. The command line uses it.
        parts: a protocol, a model and so on, as objects.

    Returns:
        What was tried, the best setting, and its runs on the test part.
    """
    folder = out_path(out)
    settings = with_columns(settings, columns, data)
    host = listener(progress, threads, on_round, host, engine_of(engine, jobs, threads))
    recipe, chosen = named_and_set(recipe, settings, parts, sweep)
    vary = tried_values(vary or {})
    # What an object says of a setting gives way to the values that are tried; what was set by hand does not.
    settings = {key: value for key, value in chosen.items() if key not in vary or key in (settings or {})}
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
        save_all({**sweep_figures(found), **study_figures(found.test)}, folder / "figures")


@in_python
def audit(
    recipe: str | None = None,
    data: Data = DEFAULT_DATA,
    *,
    settings: Mapping[str, Any] | None = None,
    columns: Columns = None,
    seed: int = 0,
    progress: bool = True,
    threads: int | None = None,
    **parts: Unpack[Parts],
) -> Audit:
    """Play some attackers who read a recipe's messages, and say how well they guess what people have.

        tacit.audit("tacit/best", "ratings.csv").table()

    Args:
        recipe: a recipe's name. Objects can stand in for it, as in `run`.
        data: a known name, a path, a polars or pandas frame, a SciPy sparse matrix (users x items), or a `Dataset` of
            tacit's or LensKit's. A path leads to a csv, tsv or parquet file.
        settings: what to change, by the names that `tacit show RECIPE` lists. {"attack": MyAttack} plays that attack
            alone.
        columns: what columns are called in the data: {"user": "userId", "item": "movieId"}.
        seed: for everything random.
        progress: say in a terminal or a notebook that it goes on.
        threads: how many cores. None takes all.
        parts: a protocol, a model and so on, as objects.

    Returns:
        AUC and precision of each attacker. They judge one item at a time, and better attackers exist.
    """
    name, chosen = named_and_set(recipe, with_columns(settings, columns, data), parts, audit)
    with waiting(f"Attacking {name} ...", quiet=not progress):
        return audit_recipe(name, data, chosen, seed, threads=threads)


@in_python
def reproduce(
    paper: str,
    *,
    table: str | None = None,
    quick: bool = False,
    out: str | Path | None = None,
    overwrite: bool = False,
    progress: bool = True,
    threads: int | None = None,
    jobs: int | None = None,
    engine: str = "local",
    host: RunListener | None = None,
) -> Reproduction:
    """Run a paper again (hegedus, fpl, federank, pepper, dymbe): its tables and figures, and whether its claims hold.

        found = tacit.reproduce("hegedus", quick=True, out="runs/hegedus")
        found.claims(), found.tables()

    Args:
        paper: hegedus, fpl, federank, pepper or dymbe.
        table: one table or figure only, by its number in the paper.
        quick: less data and shorter runs, to see that it works. Figures are then not the paper's.
        out: a folder for result.json, report.html, pictures and one folder per run.
        overwrite: replace what `out` holds. Without it a folder with something else is refused.
        progress: show a line that moves.
        threads: how many cores. None takes all.
        jobs: as in `compare`.
        engine: as in `compare`.
        host: who follows the runs. The command line uses it.

    Returns:
        The runs, `tables()` with the paper's numbers beside ours, and `claims()` with verdicts.
    """
    folder = out_path(out)
    words = ["tacit", "reproduce", paper, *(["--table", table] if table else [])]
    command = shlex.join([*words, *(["--quick"] if quick else [])])
    host = listener(progress, threads, host=host, engine=engine_of(engine, jobs, threads))
    with OutFolder(folder, "reproduction", overwrite=overwrite) as held:
        found = reproduce_paper(paper, table, quick, folder, replace(host, begin=held.begin))
        try:
            host.show(found)
        finally:
            if folder is not None:
                write_reproduction(found, folder, command)
    return found


@in_python
def open(folder: str | Path) -> Result:  # noqa: A001 - tacit.open reads well, and nothing here opens a file
    """A finished run from its folder (`out=`): the same figures, and the same models to ask.

        result = tacit.open("runs/first")
        result.metrics, result.recommend(196)

    Data and models are read only when something is asked that needs them.

    Args:
        folder: the folder of one run. The folder of a comparison or a sweep holds several. Open one of those, or read
            them all with `table`. `compare` and `sweep` read finished runs back.

    Returns:
        The result that the run gave.
    """
    where = folder_path(folder).expanduser()
    if not (where / "run.json").exists():
        inside = sorted(path.parent.name for path in where.glob("*/run.json"))
        if inside:
            raise _many_runs(where, inside)
    if (where / STATE).exists() and not (where / "result.json").exists():
        allowed = "a finished run; tacit.run(..., out=FOLDER, resume=True) finishes it"
        raise BadInput("run", got="a half-done run", allowed=allowed, where=where)
    return Result.of(replace(read_result(where)[0], trained=Trained(folder=where)))


def _many_runs(where: Path, inside: Sequence[str]) -> BadInput:
    """An error for the folder of a study, which is no single run: what gives all of it."""
    held = contents(where)
    function = "sweep" if "sweep" in held else "reproduce" if "reproduction" in held else "compare"
    again = (
        f"the same tacit.{function}(..., out=FOLDER) again, which reads finished runs back; " if held else ""
    )
    some = ", ".join(inside[:9])
    allowed = f"tacit.table(FOLDER) for a table of all; {again}or one of the runs in it: {some}"
    return BadInput("folder", got=f"one with {len(inside)} runs", allowed=allowed, where=where)


@in_python
def recommend(folder: str | Path, user: str | int, n: int = 10) -> Recommended:
    """What the run in a folder (`out=`) would recommend to one of its users.

        [item.title for item in tacit.recommend("runs/first", 196).items]

    Args:
        folder: the folder of a run.
        user: the user's id, as in the data.
        n: how many items.

    Returns:
        The items, best first, with titles, scores and what they are near to.
    """
    return recommend_from(folder_path(folder).expanduser(), user, n)


@in_python
def table(*folders: str | Path) -> RunTable:
    """The finished runs in these folders, and in the folders inside them, one row per run.

    tacit.table("runs").frame, tacit.table("runs/a", "runs/b").to_latex()
    """
    return table_of(folders)


def listener(
    progress: bool,
    threads: int | None,
    on_round: OnRound = None,
    host: RunListener | None = None,
    engine: Engine | None = None,
) -> RunListener:
    """How many runs are followed from Python, unless a host follows them; callbacks are called either way."""
    callbacks_of(on_round)
    if host is not None:
        return host if on_round is None else replace(host, on_round=on_round)
    watch = lambda title: Progress(title, quiet=not progress)  # noqa: E731
    return RunListener(watch=watch, threads=threads, on_round=on_round, engine=engine)


def with_columns(
    settings: Mapping[str, Any] | None, columns: Columns, data: Data
) -> Mapping[str, Any] | None:
    """The settings with what columns are called."""
    if columns is None:
        return settings
    if isinstance(data, Dataset):
        allowed = "a file or a frame; a Dataset has tacit's own names"
        raise BadInput("columns", got=as_text(columns), allowed=allowed)
    return {**(settings or {}), "data.columns": as_text(columns)}


def command_line(recipe: str, data: Data, settings: Mapping[str, Any], seed: int) -> str:
    """What to type to run it again.

    >>> command_line("hegedus/gossip", "my ratings.csv", {"epochs": 10}, 1)
    "tacit run hegedus/gossip --data 'my ratings.csv' --set epochs=10 --seed 1"
    """
    return command_words(["run", recipe], data, settings, ["--seed", str(seed)])


def compare_command(arms: Arms, data: Data, settings: Mapping[str, Any], seeds: Seeds) -> str:
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
    command: Sequence[str], data: Data, settings: Mapping[str, Any], more: Sequence[str]
) -> str:
    """A command line with its data and settings."""
    known = data.origin if isinstance(data, Dataset) else data if isinstance(data, str | Path) else None
    where = "DATA" if known is None else str(known)
    words = ["tacit", *command, "--data", where]
    for key, value in settings.items():
        words += ["--set", f"{key}={value}"]
    return shlex.join([*words, *more])
