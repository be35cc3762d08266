"""When a run is measured.

Run a recipe on some data: load, split, build, advance in virtual time, measure, save.

result = run("hegedus/gossip-merge", "movielens-100k", {"epochs": 10}, seed=1)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from tacit.attacks.curious_server import observed_frame, told
from tacit.core.compiled.threads import Workers
from tacit.core.errors import Interrupted
from tacit.core.registry import find
from tacit.experiment import run_folder as files
from tacit.experiment.evaluations.base import Evaluation
from tacit.experiment.instruments import Instruments
from tacit.experiment.memory_estimate import peak_rss_mb
from tacit.experiment.prepare import Experiment, build_simulation
from tacit.experiment.result import VERSION, Cost, Result
from tacit.experiment.run_folder import facts_to_resume
from tacit.experiment.warmup import rehearse
from tacit.protocols.base import Parameters, Plan, full_seconds
from tacit.protocols.base import horizon as run_length
from tacit.simulator.churn.sessions import SECOND, online_mask
from tacit.simulator.simulation import Costed, Counted, Observed, Simulation, ticks

_HOUR = 3600 * SECOND


def evaluation_points(horizon: int, period: int, parameters: Parameters, count: int = 100) -> list[int]:
    """When to measure: about `count` times, at whole transfers of a model, and at every whole hour.

    With `rounds` given, or where a round is an epoch: at whole rounds instead. The end is always one of them.
    """
    by_rounds = parameters["rounds"] is not None or parameters["hours"] is None
    unit = period if by_rounds else ticks(full_seconds(parameters))
    step = unit * max(1, -(-horizon // (unit * count)))
    points = set(range(step, horizon + 1, step)) | {horizon}
    if not by_rounds and horizon <= 2 * count * _HOUR:
        points |= set(range(_HOUR, horizon + 1, _HOUR))
    return sorted(points)


if TYPE_CHECKING:
    from tacit.experiment.choose_rounds import Choice

_HOUR = 3600 * SECOND
_SAVE_EVERY = 120.0
"""Seconds between two saved states of a run with a folder, or as often as a tenth of the time goes into it."""


class Watcher(Protocol):
    """Somebody who wants to see how a run is going."""

    def update(
        self,
        *,
        hours: float,
        rounds: float,
        metric_name: str,
        metric: float | None,
        fraction: float,
        node_rounds: int,
    ) -> None:
        """Told after every round; a metric of None: not measured this time."""
        ...


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that has ended: its figures, and the models it ended with."""

    experiment: Experiment
    result: Result
    simulation: Simulation


def run(
    experiment: Experiment,
    *,
    out: Path | None = None,
    resume: bool = False,
    watch: Watcher | None = None,
    stop: Callable[[], bool] = lambda: False,
    threads: int | None = None,
) -> Result:
    """Run an experiment and give back its figures; see `run_to_end`."""
    return run_to_end(experiment, out=out, resume=resume, watch=watch, stop=stop, threads=threads).result


def run_to_end(
    experiment: Experiment,
    *,
    out: Path | None = None,
    resume: bool = False,
    watch: Watcher | None = None,
    stop: Callable[[], bool] = lambda: False,
    threads: int | None = None,
) -> Finished:
    """Run an experiment. `stop` is asked between rounds; when it says yes the state is saved and the run ends."""
    return Run(experiment, out=out, resume=resume, threads=threads).go(watch, stop)


class Run:
    """One run: made (folder checked, code compiled, nodes initialized), then let go.

    Without `keep` the models are saved only while it goes on, to resume from.
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        out: Path | None = None,
        resume: bool = False,
        threads: int | None = None,
        keep: bool = True,
    ) -> None:
        x = experiment
        self.x, self.out, self.workers = x, out, Workers(threads)
        self._keep = keep
        self._threads, self._resume = threads, resume
        self.choice: Choice | None = None
        self.curve: list[dict[str, Any]] = []
        self.wall = 0.0
        self._save_at = time.monotonic() + _SAVE_EVERY
        facts = facts_to_resume(out, self._identity()) if resume else None
        if out is not None:
            files.open_folder(out)
        evaluation = find("tacit.experiment.evaluations", "evaluation", str(x.parameters["evaluate"]))
        self.evaluation: Evaluation = evaluation(x, self.workers)
        self.instruments = Instruments(x)
        began = time.perf_counter()
        rehearse(x)
        self.compiling = time.perf_counter() - began
        p = x.parameters
        plan = Plan(
            p, x.model, x.split.train, x.seed, x.sessions, self.workers, x.pi, x.avoid, x.split.test.counts
        )
        self.simulation = build_simulation(plan)
        self.horizon = run_length(p, self.simulation.period)
        if facts is not None and out is not None:
            files.restore(out, self.simulation)
            self.curve, self.wall = facts["curve"], facts["wall_seconds"]
            self.compiling += facts["compile_seconds"]

    def go(self, watch: Watcher | None = None, stop: Callable[[], bool] = lambda: False) -> Finished:
        """To the end, or until `stop` says so."""
        sim = self.simulation
        if self.x.parameters["best"] is not None:
            self._choose(watch, stop)
        often = int(self.x.parameters["evaluate.points"] or self.evaluation.points)
        for point in evaluation_points(self.horizon, sim.period, self.x.parameters, often):
            if self.curve and point <= self.curve[-1]["_ticks"]:
                continue
            while sim.now < point:
                began = time.perf_counter()
                sim.advance(min(point, sim.now + sim.period))
                self.wall += time.perf_counter() - began
                if stop():
                    self._interrupt()
                self._tell(watch, None)
                self._save_now_and_then()
            self._tell(watch, self._measure(point))
        return Finished(self.x, self._finish(), sim)

    def _choose(self, watch: Watcher | None, stop: Callable[[], bool]) -> None:
        """Let a run of its own on a validation part say how long this one is."""
        from tacit.experiment.choose_rounds import choose  # it makes runs, so it stands above this module

        if not self._resume:
            self._save(done=False)  # so that there is something to resume while choosing
        try:
            self.choice = choose(self.x, self.out, self._resume, self._threads, watch, stop)
        except Interrupted:
            where = (
                f"; go on with --out {self.out} --resume" if self.out else "; nothing was saved (no --out)"
            )
            raise Interrupted(f"stopped while choosing the number of rounds{where}") from None
        self.horizon = self.choice.round * self.simulation.period

    def _measure(self, point: int) -> float | None:
        """Put a point on the curve; its headline figure."""
        sim = self.simulation
        # The instant before: a session that ends exactly now still counts, as in traces cut at the horizon.
        online = online_mask(self.x.sessions, self.x.split.test.users, point - 1)
        if isinstance(sim, Counted):
            online &= sim.counted
        values = self.evaluation.measure(sim, online)
        where = {"round": point // sim.period, "hours": point / _HOUR, "bytes": sim.bytes}
        self.curve.append({**where, **values, **self.instruments.look(sim), "_ticks": point})
        return values[self.evaluation.headline]

    def _tell(self, watch: Watcher | None, metric: float | None) -> None:
        sim = self.simulation
        if watch is not None:
            watch.update(
                hours=sim.now / _HOUR,
                rounds=(sim.now + 1) // sim.period,
                metric_name=self.evaluation.headline,
                metric=metric,
                fraction=sim.now / self.horizon,
                node_rounds=sim.node_rounds,
            )

    def _identity(self) -> dict[str, Any]:
        """What two runs must share for one to go on with the other."""
        x = self.x
        return {
            "tacit": VERSION,
            "recipe": x.recipe,
            "seed": x.seed,
            "parameters": x.parameters,
            "sha256": x.dataset.sha256,
        }

    def _facts(self, done: bool) -> dict[str, Any]:
        return {
            **self._identity(),
            "curve": self.curve,
            "wall_seconds": self.wall,
            "compile_seconds": self.compiling,
            "done": done,
        }

    def _save(self, done: bool) -> None:
        if self.out is not None:
            files.write_state(self.out, self.simulation, self._facts(done))

    def _save_now_and_then(self) -> None:
        began = time.monotonic()
        if self.out is not None and began >= self._save_at:
            self._save(done=False)
            now = time.monotonic()
            self._save_at = now + max(_SAVE_EVERY, 9 * (now - began))

    def _interrupt(self) -> None:
        self._save(done=False)
        where = f"; go on with --out {self.out} --resume" if self.out else "; nothing was saved (no --out)"
        raise Interrupted(f"stopped at {self.simulation.now / _HOUR:.2f} virtual hours{where}")

    def _finish(self) -> Result:
        x, sim = self.x, self.simulation
        if self._keep:
            self._save(done=True)
        last = self.curve[-1]
        each = self.evaluation.per_user(sim)
        result = Result(
            recipe=x.recipe,
            seed=x.seed,
            parameters=x.parameters,
            data=x.dataset.counts(),
            split=x.split.to_json(),
            metrics={name: last[name] for name in (*each, *self.evaluation.whole)},
            curve=[{k: v for k, v in point.items() if k != "_ticks"} for point in self.curve],
            cost=Cost(
                bytes_sent=sim.bytes,
                messages=sim.messages,
                node_rounds=sim.node_rounds,
                virtual_hours=sim.now / _HOUR,
                wall_seconds=self.wall,
                compile_seconds=self.compiling,
                peak_rss_mb=peak_rss_mb(),
                more={**(sim.costs() if isinstance(sim, Costed) else {}), **told(sim, x.split.train)},
            ),
            per_user=pl.DataFrame(
                {
                    "user": x.dataset.user_ids,
                    "train": x.split.train.counts,
                    "test": x.held_out.counts,
                    **{name: pl.Series(values, nan_to_null=True) for name, values in each.items()},
                    "bytes_sent": sim.tally.bytes,
                    "messages": sim.tally.updates,
                    "rows_sent": sim.tally.rows,
                    "rows_sent_rated": sim.tally.rows_rated,
                    **self._further(),
                }
            ),
            per_item=self._per_item(),
            observed=observed_frame(sim, x.split.train, x.dataset.user_ids, x.dataset.item_ids),
            more=self.evaluation.more(sim) | ({"best": self.choice.to_json()} if self.choice else {}),
            notes=[*x.notes, *self._doubts(last), *([self.choice.told()] if self.choice else [])],
        )
        if self.out is not None:
            files.write_result(self.out, result, x.source)
        return result

    def _doubts(self, last: dict[str, Any]) -> list[str]:
        """What a reader must know about figures that are not numbers."""
        value = last.get(self.evaluation.headline)
        if value is None or math.isfinite(value):
            return []
        return [
            "learning ran away: the models' numbers are not finite; try smaller steps (model.eta, model.lr)"
        ]

    def _further(self) -> dict[str, Any]:
        """What a simulation and an evaluation know about single users beside the metrics."""
        known = self.simulation.per_node() if isinstance(self.simulation, Observed) else {}
        measured = self.evaluation.further([point["round"] for point in self.curve])
        return {**known, **{name: pl.Series(each, nan_to_null=True) for name, each in measured.items()}}

    def _per_item(self) -> pl.DataFrame:
        counts = self.evaluation.per_item(self.simulation)
        if counts and isinstance(self.simulation, Costed):
            counts["updates"] = self.simulation.updates_per_item()
        return pl.DataFrame({"item": self.x.dataset.item_ids, **counts} if counts else {})
