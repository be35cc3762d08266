"""Progress of a run: live on stderr or in a notebook's cell, a few plain lines in a log, or quiet."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from html import escape
from importlib import import_module
from types import TracebackType
from typing import Any, Protocol

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from tacit.report.formatting import amount, compact, duration, number, short_name

_REDRAW = 0.1
"""Seconds between two redraws: more would slow the run and no one could read it."""
_FORETELL_AFTER = 2.0
"""Seconds to go by before the time of a run is foretold."""
_FORETELL_FROM = 0.001
"""And the share of the run that must be done by then: two points of one round are no measure."""


class Screen(Protocol):
    """Where a picture of the progress is drawn over the last one."""

    def update(self, line: Group, *, refresh: bool = True) -> None:
        """Draw."""
        ...

    def stop(self) -> None:
        """Remove the picture."""
        ...


class Cell:
    """The output of a notebook's cell: one line that is replaced in place."""

    def __init__(self, title: str) -> None:
        self._display: Any = import_module("IPython.display")
        self._title = title
        self._handle = self._display.display(self._display.HTML(escape(title)), display_id=True)

    def update(self, line: Group, *, refresh: bool = True) -> None:
        """The line as a terminal would show it."""
        console = Console(width=100, no_color=True, force_terminal=False, force_jupyter=False)
        with console.capture() as text:
            console.print(line)
        self._handle.update(self._display.HTML(f"<pre>{escape(text.get())}</pre>"))

    def stop(self) -> None:
        """An empty line: what was achieved is printed below."""
        self._handle.update(self._display.HTML(""))


@contextmanager
def waiting(words: str, quiet: bool = False) -> Iterator[None]:
    """Show a few words while something happens whose length is not known; they go away when it is done."""
    console = Console(stderr=True, quiet=quiet)
    if quiet or not console.is_jupyter:
        with console.status(words):
            yield
        return
    cell = Cell(words)
    try:
        yield
    finally:
        cell.stop()


class Progress:
    """Follows a run. Outside a terminal it writes a plain line at the start, at every tenth, and at the end.

    with Progress("hegedus/gossip-merge") as progress:
        progress.update(hours=3.2, rounds=7, metric_name="rmse", metric=0.98, fraction=0.1, node_rounds=6600)
    """

    def __init__(
        self,
        title: str,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
        console: Console | None = None,
        beat: float = 1.0,
        foretell: bool = False,
    ) -> None:
        """`beat`: seconds after which a terminal's line is drawn again though there is no news; 0: never.

        `foretell`: say once, after the first seconds, how long the rest will take.
        """
        self.title = title
        self._beat = beat
        self._clock = clock
        self._console = console or Console(stderr=True)
        self._quiet = quiet
        self._live: Screen | None = None
        self._began = self._drawn = self._at = clock()
        self._tenth = 0
        self._hours: float | None = None
        self._rounds: float | None = None
        self._metric: tuple[str, float] | None = None
        self._fraction: float | None = None
        self._node_rounds: int | None = None
        self._foretells = foretell
        self._first: tuple[float, float] | None = None
        """When it was first told how much is done, and how much."""

    def __enter__(self) -> Progress:
        self._began = self._drawn = self._at = self._clock()
        if self._quiet:
            return self
        if self._console.is_jupyter:
            self._live = Cell(self.title)
        elif self._console.is_terminal:
            live = Live(
                console=self._console,
                get_renderable=self._line,
                auto_refresh=self._beat > 0,
                refresh_per_second=1 / (self._beat or 1),
                transient=True,
            )
            live.start(refresh=True)
            self._live = live
        else:
            self._say("started")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._unless_nobody_reads():
            if self._live is not None:
                self._live.stop()
            if not self._quiet:
                self._at = self._clock()
                self._say(
                    f"{'done' if kind is None else 'stopped'} after {duration(self._at - self._began)}",
                    *self._facts(),
                )

    def update(
        self,
        *,
        hours: float | None = None,
        rounds: float | None = None,
        metric_name: str | None = None,
        metric: float | None = None,
        fraction: float | None = None,
        node_rounds: int | None = None,
    ) -> None:
        """Show what is known now. What is left out keeps its last value. `fraction`: share done."""
        self._hours = self._hours if hours is None else hours
        self._rounds = self._rounds if rounds is None else rounds
        self._node_rounds = self._node_rounds if node_rounds is None else node_rounds
        if metric_name is not None and metric is not None:
            self._metric = (metric_name, metric)
        if fraction is not None:
            self._fraction = min(1.0, max(0.0, fraction))
        if not self._quiet:
            with self._unless_nobody_reads():
                self._show()

    @contextmanager
    def _unless_nobody_reads(self) -> Iterator[None]:
        """A terminal or a pipe that is gone ends the lines, not the run."""
        try:
            yield
        except OSError:
            live, self._quiet, self._live = self._live, True, None
            with suppress(OSError):
                if live is not None:
                    live.stop()

    def _show(self) -> None:
        self._at = self._clock()
        if self._foretells:
            self._foretell()
        if self._live is not None:
            if self._at - self._drawn >= _REDRAW:
                self._drawn = self._at
                self._live.update(self._line(), refresh=True)
        elif self._fraction is not None and self._tenth < int(10 * self._fraction + 1e-9) < 10:
            self._tenth = int(10 * self._fraction + 1e-9)
            self._say(f"{10 * self._tenth} %", *self._facts(), *self._left())

    def _foretell(self) -> None:
        """Once, early: how long the run will take, if it goes on as it began. A resumed one begins in the middle."""
        if self._fraction is None:
            return
        self._first = self._first or (self._at, self._fraction)
        passed, done = self._at - self._first[0], self._fraction - self._first[1]
        if passed < _FORETELL_AFTER or done < _FORETELL_FROM:
            return
        self._foretells = False
        left = passed * (1 - self._fraction) / done
        if left > passed:
            self._say(f"about {duration(round(left))} to go, by its first {duration(round(passed))}")

    def _facts(self) -> list[str]:
        facts = []
        if self._hours is not None:
            facts.append(f"{amount(self._hours)} virtual hours")
        if self._rounds is not None:
            facts.append(f"{self._rounds:,.0f} rounds")
        if self._metric is not None:
            facts.append(f"{short_name(self._metric[0])} {number(self._metric[1])}")
        passed = self._at - self._began
        if self._node_rounds and passed > 0:
            facts.append(f"{compact(self._node_rounds / passed)} node-rounds/s in all")
        return facts

    def _left(self) -> list[str]:
        """Time left, if the rest goes as fast; no guess before there is something to go by."""
        if not self._fraction or self._fraction < 0.01:
            return []
        passed = self._at - self._began
        left = passed * (1 - self._fraction) / self._fraction
        return [f"{duration(round(left))} left"]

    def _line(self) -> Group:
        """Name, bar and time left; below them the facts, so that 80 columns are enough."""
        head = Table.grid(padding=(0, 1))
        percent = "" if self._fraction is None else f"{100 * self._fraction:.0f} %"
        bar = ProgressBar(total=1.0, completed=self._fraction or 0.0, width=24, pulse=False)
        so_far = [f"{duration(round(self._clock() - self._began))} so far"]
        name = Text(self.title, no_wrap=True, overflow="ellipsis")
        head.add_row(name, bar, percent, *(self._left() or so_far))
        return Group(
            head, Text("  " + " · ".join(self._facts()), style="dim", no_wrap=True, overflow="ellipsis")
        )

    def _say(self, *words: str) -> None:
        self._console.print(Text(f"{self.title}: {', '.join(words)}"), highlight=False, soft_wrap=True)
