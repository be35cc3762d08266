import sys
from io import StringIO
from time import sleep
from types import ModuleType

import pytest
from rich.console import Console

from tacit.report.progress import Progress, waiting


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def _run(*, terminal: bool, quiet: bool = False, width: int = 80, steps: int = 100) -> str:
    out, clock = StringIO(), Clock()
    console = Console(file=out, force_terminal=terminal, width=width)
    with Progress("hegedus/gossip-merge", quiet=quiet, clock=clock, console=console, beat=0) as progress:
        for step in range(1, steps + 1):
            clock.now += 1
            progress.update(hours=0.48 * step, rounds=step, metric_name="rmse", metric=0.98,
                            fraction=step / 100, node_rounds=943 * step)  # fmt: skip
    return out.getvalue()


def test_outside_a_terminal_a_few_plain_lines() -> None:
    lines = _run(terminal=False).splitlines()
    assert len(lines) == 11
    assert lines[0] == "hegedus/gossip-merge: started"
    assert lines[1] == (
        "hegedus/gossip-merge: 10 %, 4.80 virtual hours, 10 rounds, RMSE 0.9800, 943 node-rounds/s in all, "
        "1 min 30 s left"
    )
    assert lines[-1].startswith("hegedus/gossip-merge: done after 1 min 40 s, 48 virtual hours")
    assert "\x1b" not in "".join(lines)
    assert "\r" not in "".join(lines)


@pytest.mark.parametrize("terminal", [True, False])
def test_nobody_who_reads_ends_the_lines_and_not_the_run(terminal: bool) -> None:
    class Gone(StringIO):
        gone = False

        def write(self, text: str) -> int:
            if self.gone:
                raise OSError(5, "Input/output error")
            return super().write(text)

    out, clock, stdout = Gone(), Clock(), sys.stdout
    console = Console(file=out, force_terminal=terminal, width=80)
    with Progress("x", clock=clock, console=console, beat=0) as progress:
        for step in range(1, 100):
            clock.now += 1
            out.gone = step > 50
            progress.update(fraction=step / 100)
    assert "50 %" in out.getvalue()
    assert sys.stdout is stdout, "what is printed afterwards goes where it belongs"


@pytest.mark.parametrize("start", [0.0, 0.5])
def test_the_time_of_a_run_is_foretold_once(start: float) -> None:
    """A tenth takes 10 s: at 1.4 tenths of the way, 2 s after the first news, the rest is known."""
    out, clock = StringIO(), Clock()
    console = Console(file=out, force_terminal=False, width=80)
    with Progress("x", clock=clock, console=console, foretell=True) as progress:
        for step in range(20):
            clock.now += 1
            progress.update(fraction=start + 0.01 * step)
    told = [line for line in out.getvalue().splitlines() if "to go" in line]
    left = round((1 - start - 0.02) * 100)
    words = f"{left // 60} min {left % 60} s" if left >= 60 else f"{left} s"
    assert told == [f"x: about {words} to go, by its first 2 s"]


def test_two_points_of_one_round_foretell_nothing() -> None:
    """A run's first news comes one tick before its first round ends, and measuring that round may take seconds."""
    out, clock = StringIO(), Clock()
    console = Console(file=out, force_terminal=False, width=80)
    with Progress("x", clock=clock, console=console, foretell=True) as progress:
        progress.update(fraction=0.01 - 1e-11)
        clock.now += 3
        progress.update(fraction=0.01)
        assert "to go" not in out.getvalue()
        clock.now += 3
        progress.update(fraction=0.02)
    assert "x: about 9 min 48 s to go, by its first 6 s" in out.getvalue()


def test_quiet_is_silent() -> None:
    assert _run(terminal=False, quiet=True) == ""
    assert _run(terminal=True, quiet=True) == ""


def test_on_a_terminal_everything_fits_80_columns() -> None:
    text = _run(terminal=True, steps=50)
    for words in ("hegedus/gossip-merge", "50 %", "50 s left", "24 virtual hours", "50 rounds", "RMSE 0.9800", "943 node-rounds/s in all"):  # fmt: skip  # noqa: E501
        assert words in text
    assert "…" not in text


def test_redraws_are_rare_however_often_it_is_told() -> None:
    out, clock = StringIO(), Clock()
    console = Console(file=out, force_terminal=True, width=80)
    with Progress("x", clock=clock, console=console, beat=0) as progress:
        before = len(out.getvalue())
        for _ in range(1000):
            clock.now += 0.00001
            progress.update(rounds=1, fraction=0.5)
        assert len(out.getvalue()) == before


def test_on_a_terminal_the_time_goes_on_without_news() -> None:
    out, clock = StringIO(), Clock()
    with Progress("x", clock=clock, console=Console(file=out, force_terminal=True, width=80), beat=0.01):
        assert "0 s so far" in out.getvalue()
        clock.now += 75
        tries = 0
        while "1 min 15 s so far" not in out.getvalue() and tries < 1000:
            sleep(0.01)
            tries += 1
        assert "1 min 15 s so far" in out.getvalue()


def test_a_failed_run_is_not_called_done() -> None:
    out = StringIO()
    with pytest.raises(ValueError, match="broken"), Progress("x", clock=Clock(), console=Console(file=out)):
        raise ValueError("broken")
    assert out.getvalue().splitlines()[-1].startswith("x: stopped after")


def test_without_a_fraction_only_start_and_end() -> None:
    out = StringIO()
    with Progress("x", clock=Clock(), console=Console(file=out)) as progress:
        for step in range(50):
            progress.update(rounds=step)
    assert out.getvalue().splitlines() == ["x: started", "x: done after 0 s, 49 rounds"]


class _Handle:
    def __init__(self, shown: list[str]) -> None:
        self.shown = shown

    def update(self, text: str) -> None:
        self.shown.append(text)


def test_in_a_notebook_one_line_is_replaced_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    def display(text: object, *, display_id: bool = False) -> _Handle:
        if display_id:  # what rich prints comes without
            shown.append(str(text))
        return _Handle(shown)

    cell = ModuleType("IPython.display")
    cell.__dict__.update(display=display, HTML=str)
    monkeypatch.setitem(sys.modules, "IPython", ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.display", cell)
    out, clock = StringIO(), Clock()
    console = Console(file=out, force_jupyter=False, width=80)
    monkeypatch.setattr(console, "is_jupyter", True)
    with Progress("<gossip>", clock=clock, console=console) as progress:
        clock.now += 1
        progress.update(rounds=3, fraction=0.5)
    assert shown[0] == "&lt;gossip&gt;"
    assert "50 %" in shown[1]
    assert "3 rounds" in shown[1]
    assert shown[2] == "", "the line goes away in the end"


def test_waiting_says_nothing_when_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with waiting("compiling", quiet=True):
        pass
    assert capsys.readouterr() == ("", "")
