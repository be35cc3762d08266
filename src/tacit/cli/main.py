"""The program `tacit` with all its commands. Heavy imports are inside the commands: `tacit --help` answers at once."""

from __future__ import annotations

import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tacit.cli import audit, compare, flower, recommend, reproduce, sweep, table
from tacit.cli import data as data_commands
from tacit.cli import export as export_commands
from tacit.cli import node as node_commands
from tacit.cli import rows as rows_commands
from tacit.cli.console import Json, Stopper, emit, explain, say
from tacit.cli.options import Columns, Data, OneJob, OneRunEngine, Out, Overwrite, Seed, Set, Threads
from tacit.core.errors import install

_ORDER = (
    "demo", "recipes", "show", "run", "compare", "sweep", "recommend", "audit",
    "reproduce", "table", "data", "export", "rows", "flower", "node", "bench",
)  # fmt: skip


class _InOrder(TyperGroup):
    """Lists commands in the order in which somebody needs them, and not in that of their registration."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx), key=_ORDER.index)


app = typer.Typer(
    name="tacit",
    cls=_InOrder,
    help="Recommendations that people's devices learn from each other, and a simulator that measures what they give "
    "away.\n\n"
    "Start with: tacit demo",
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(data_commands.app, name="data")
app.add_typer(node_commands.app, name="node")
app.add_typer(rows_commands.app, name="rows")
app.add_typer(export_commands.app, name="export")
app.command()(compare.compare)
app.command()(audit.audit)
app.command()(sweep.sweep)
app.command()(flower.flower)
app.command()(recommend.recommend)
app.command()(reproduce.reproduce)
app.command()(table.table)

_EXTRAS = {
    **dict.fromkeys(("starlette", "uvicorn", "multipart", "iroh"), "node"),
    "torch": "neural",
    "flwr": "flower",
}
"""Modules that only some commands need, and the extra that installs each."""
_WRONG_USAGE: type[Exception] = getattr(typer, "TyperException", typer.BadParameter.__mro__[2])
"""What typer raises for words it cannot use; older versions, which Flower needs, have click's exception for it."""


def call(words: list[str]) -> int:
    """Run one command line; the exit code: 0 done, 2 wrong usage or bad input, 1 anything else.

    A run that a signal ended exits with 128 + the signal: 130 for Ctrl-C, 143 for SIGTERM.
    """
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"]
    if words in ([], ["data"], ["node"], ["rows"], ["export"]):
        words = [*words, "--help"]
    try:
        code = app(words, prog_name="tacit", standalone_mode=False, obj=debug)
    except _WRONG_USAGE as problem:
        message = getattr(problem, "format_message", problem.__str__)()
        where = getattr(getattr(problem, "ctx", None), "command_path", "tacit")
        say(f"tacit: {' '.join(message.split())} ({where} --help)")
        return 2
    except (typer.Abort, KeyboardInterrupt) as problem:
        say("tacit: stopped")
        pressed = isinstance(problem, KeyboardInterrupt) or isinstance(problem.__context__, KeyboardInterrupt)
        return 128 + signal.SIGINT if pressed else 1
    except BrokenPipeError:
        return 1
    except Exception as problem:
        if debug:
            problem.__suppress_context__ = False  # what Numba said, for instance
            raise
        if isinstance(problem, ModuleNotFoundError) and problem.name in _EXTRAS:
            extra = _EXTRAS[problem.name]
            say(f"tacit: {problem.name} is not installed; the extra `{extra}` has it: {install(extra)}")
            return 2
        return explain(problem)
    return code if isinstance(code, int) else 0


def _print_version(wanted: bool) -> None:
    if wanted:
        from tacit import __version__
        from tacit.report.machine import this_machine

        sys.stdout.write(
            f"tacit {__version__}\n" + "".join(f"{name} {what}\n" for name, what in this_machine().items())
        )
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="print the version and what a bug report needs",
        ),
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="show where an error comes from")] = False,
) -> None:
    pass


@app.command()
def demo(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="where to write the report")] = Path(
        "tacit-demo"
    ),
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Learn by gossip, by federation and centrally, compare, recommend, and write a report."""
    from tacit.cli.demo import run_demo

    run_demo(out, seed, as_json)


@app.command()
def recipes(
    as_json: Json = False,
    markdown: Annotated[bool, typer.Option(help="a page with every recipe and every setting")] = False,
) -> None:
    """List every recipe with one line about it."""
    from tacit.experiment.recipes import broken
    from tacit.experiment.recipes import recipes as known

    if markdown:
        from tacit.report.recipe_reference import recipes_page

        sys.stdout.write(recipes_page())
        return
    if as_json:
        left_out = {"broken": {name: str(why) for name, why in broken().items()}} if broken() else {}
        emit({"recipes": [{"name": r.name, "about": r.about} for r in known().values()], **left_out})
        return
    width = max(len(name) for name in known())
    for recipe in known().values():
        sys.stdout.write(f"{recipe.name:<{width}}  {recipe.about}\n")
    for why in broken().values():
        say(f"Note: left out: {why}")


@app.command()
def show(
    recipe: Annotated[str, typer.Argument(help="a recipe's or a protocol's name (tacit recipes)")],
    settings: Set = [],  # noqa: B006 - typer copies it
    as_json: Json = False,
) -> None:
    """Print a recipe's settings: value, meaning, what is allowed.

    tacit show hegedus/gossip-merge --set model=./mine.py
    """
    from tacit.experiment.recipes import recipe as find
    from tacit.experiment.run_settings import known, parse_set, settle

    found = find(recipe)
    values = settle(found.parameters, parse_set(settings))
    if as_json:
        emit({"recipe": found.name, "about": found.about, "parameters": values})
        return
    sys.stdout.write(f"{found.name}: {found.about}\n\nChange any of these with --set KEY=VALUE:\n\n")
    table = known(values)
    width = max(len(key) for key in values)
    for key, value in values.items():
        text = "none" if value is None else str(value)
        sys.stdout.write(f"  {key:<{width}}  {text:<12} {table[key].help} [{table[key].allowed}]\n")


@app.command()
def run(
    context: typer.Context,
    recipe: Annotated[str, typer.Argument(help="a recipe's name (tacit recipes)")],
    data: Data = "movielens-100k",
    settings: Set = [],  # noqa: B006 - typer copies it
    columns: Columns = [],  # noqa: B006
    seed: Seed = 0,
    out: Out = None,
    as_json: Json = False,
    resume: Annotated[bool, typer.Option("--resume", help="continue the run in --out")] = False,
    overwrite: Overwrite = False,
    threads: Threads = None,
    jobs: OneJob = None,
    engine: OneRunEngine = "local",
) -> None:
    """Run a recipe on a data set and print how well it did and what it cost.

    tacit run hegedus/gossip-10 --data movielens-100k --set epochs=10 --out runs/first

    A folder that holds a run is refused: --resume goes on with it, --overwrite replaces it.
    """
    from rich.console import Console

    from tacit.api import execute
    from tacit.cli.console import download_bar
    from tacit.cli.ranks import sharing
    from tacit.experiment.experiment import Experiment
    from tacit.experiment.out_folder import OutFolder
    from tacit.experiment.prepare import prepare
    from tacit.experiment.run import Run
    from tacit.experiment.run_settings import parse_set
    from tacit.report.notebook import Result
    from tacit.report.terminal_tables import print_summary

    def show(result: Result) -> None:
        if as_json:
            emit(result.to_json())
            return
        print_summary(Console(), result)
        sys.stdout.flush()

    stop, folder, chosen = Stopper(), OutFolder(None), dict[str, str]()
    with sharing(engine, stop, debug=bool(context.obj)) as ranks:

        def ready() -> Experiment:
            nonlocal folder, chosen
            folder, chosen = OutFolder(out, overwrite=overwrite, resume=resume), parse_set(settings, columns)
            if ranks.first:
                folder.check()
            with download_bar(as_json or not ranks.first) as progress:
                return prepare(recipe, data, chosen, seed, progress=progress, here=ranks.ranks == 1)

        experiment = ranks.agreed(ready)
        with stop:
            if ranks.first:
                execute(
                    experiment, folder, data=data, settings=chosen, resume=resume, quiet=as_json, threads=threads,
                    stop=stop.asked, show=show, partition=ranks,
                )  # fmt: skip
            else:
                Run(experiment, out=out, resume=resume, threads=threads, partition=ranks).go(stop=stop.asked)
    if out is not None and not as_json and ranks.first:
        say(
            f"Written to {out}: result.json, per_user.parquet, curve.parquet, state.npz, report.html, figures"
        )


@app.command()
def bench(as_json: Json = False) -> None:
    """Measure this machine and tacit on it, side by side in one run."""
    from tacit.cli.bench import run_bench

    run_bench(as_json)
