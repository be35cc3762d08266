"""The line that a run begins with: its data, its memory, and about how long it takes."""

from __future__ import annotations

from tacit.core.compiled.threads import Workers
from tacit.experiment.experiment import Experiment
from tacit.experiment.memory_estimate import forecast
from tacit.experiment.time_estimate import rough_seconds
from tacit.report.formatting import brief


def forecast_line(x: Experiment, threads: int | None, ranks: int = 1, *, resume: bool = False) -> str:
    """Before anything is compiled or filled. Of a run that goes on nobody knows yet how much is left."""
    counts = x.dataset.counts()
    data = (
        f"{counts['name']}: {counts['users']:,} users, {counts['items']:,} items, {counts['interactions']:,}"
    )
    time = "" if resume else f"; {_time(x, threads, ranks)}"
    return f"{data} interactions; {forecast(x, ranks)}{time}"


def _time(x: Experiment, threads: int | None, ranks: int) -> str:
    seconds = rough_seconds(x, Workers(threads).threads, ranks)
    if seconds is None:
        return "time: not known before it learns"
    about = "less than a second" if seconds < 1 else f"about {brief(float(f'{seconds:.1g}'))}"
    return f"time: {about} of learning, a rough guess"
