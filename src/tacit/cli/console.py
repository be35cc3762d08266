"""What commands share at the console: one JSON object on stdout, words on stderr, an orderly stop at Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from tacit.experiment.batch import Engine, RunListener

Json = Annotated[bool, typer.Option("--json", help="print one JSON object and nothing else")]


def say(line: str) -> None:
    """A line for the person at the terminal, if that is still there."""
    with suppress(OSError):
        sys.stderr.write(line + "\n")


def printable(text: str) -> str:
    """A text from somebody's file, without characters that would command the terminal."""
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def emit(value: Any) -> None:
    """The one JSON object a command prints."""
    import msgspec

    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


class Stopper:
    """While it is active the first Ctrl-C (or SIGTERM) asks a run to stop in order; a second one stops at once.

    So does SIGHUP, which a terminal sends when it closes, unless `nohup` has it ignored. What stops then knows by which
    signal, for the exit code.
    """

    def __init__(self) -> None:
        self.silent = False
        """Whether nothing is said before it has stopped."""
        self._asked = 0
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Stopper:
        for number in (signal.SIGINT, signal.SIGTERM, *_hang_up()):
            self._before[number] = signal.signal(number, self._ask)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        from tacit.core.errors import Interrupted

        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self._asked and isinstance(error, KeyboardInterrupt):
            error = Interrupted("stopped at once; what was saved before is still there")
            error.signal = self._asked
            raise error from None
        if self._asked and isinstance(error, Interrupted):
            error.signal = self._asked

    def asked(self) -> bool:
        """Whether to stop."""
        return self._asked > 0

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            raise KeyboardInterrupt
        self._asked = number
        if number not in (signal.SIGINT, signal.SIGTERM):
            _leave_the_terminal()
        if not self.silent:
            say("tacit: stopping after this round (again to stop at once)")


def _hang_up() -> list[signal.Signals]:
    """The signal of a terminal that closes, where there is one and nobody has it ignored."""
    number = getattr(signal, "SIGHUP", None)
    return [] if number is None or signal.getsignal(number) == signal.SIG_IGN else [number]


def _leave_the_terminal() -> None:
    """Write no more to a terminal that is gone: it would fail, and the run with it before it is saved."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        if os.isatty(stream):
            os.dup2(nowhere, stream)
    os.close(nowhere)


def explain(problem: BaseException, rank: int = 0) -> int:
    """Say in one line why a command ended, and by which rank where several share a run; the exit code."""
    from tacit.core.errors import Interrupted, TacitError
    from tacit.core.where import where_raised

    who = f"tacit: rank {rank}" if rank else "tacit"
    if isinstance(problem, TacitError | Interrupted):
        say(f"{who}: {problem}")
        return exit_code(problem)
    said = " ".join(f"{type(problem).__name__}: {problem}".split())
    where = where_raised(problem)
    place = f"{where}; --debug shows how it came there" if where else "--debug shows where"
    say(f"{who}: {said} ({place})")
    return exit_code(problem)


def exit_code(problem: BaseException) -> int:
    """The exit code of a command that ended so."""
    from tacit.core.errors import Interrupted, TacitError

    if isinstance(problem, Interrupted):
        return 128 + problem.signal
    return 2 if isinstance(problem, TacitError) else 1


@contextmanager
def download_bar(quiet: bool) -> Iterator[Callable[[int, int | None], None] | None]:
    """A progress bar that appears only if something is really downloaded."""
    if quiet:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TimeRemainingColumn, TransferSpeedColumn

    columns = (BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    bar = Progress("download", *columns, console=Console(stderr=True), transient=True)
    task: list[Any] = []

    def update(done: int, total: int | None) -> None:
        if not task:
            bar.start()
            task.append(bar.add_task("download", total=total))
        bar.update(task[0], completed=done, total=total)

    try:
        yield update
    finally:
        if task:  # a bar that never started would still print an empty line
            bar.stop()


@contextmanager
def watching(
    quiet: bool,
    threads: int | None = None,
    show: Callable[[Any], None] = lambda found: None,
    engine: Engine | None = None,
) -> Iterator[RunListener]:
    """How several runs are followed at a terminal: progress, lines, a download's bar, Ctrl-C that ends in order.

    `show` prints what came out, before it is written. `engine` carries the runs out; None: this process does.
    """
    from tacit.experiment.batch import RunListener
    from tacit.report.progress import Progress

    with Stopper() as stop, download_bar(quiet) as download:
        yield RunListener(
            watch=lambda title: Progress(title, quiet=quiet),
            say=(lambda line: None) if quiet else say,
            stop=stop.asked,
            download=download,
            show=show,
            threads=threads,
            compile_ahead=True,
            engine=engine,
        )
