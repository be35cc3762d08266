"""One run: build the simulation, advance it in virtual time, measure, save.

result = Run(prepare("hegedus/gossip-merge", "movielens-100k", {"epochs": 10}, seed=1)).go().result
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.attacks.curious_pairs_server import observed_frame, told
from tacit.core.compiled.threads import Workers
from tacit.core.errors import Interrupted, NotWritten
from tacit.experiment import run_folder
from tacit.experiment.choose_rounds import Choice, Watcher, choose
from tacit.experiment.evaluations.base import Evaluation
from tacit.experiment.experiment import Experiment
from tacit.experiment.instruments import Instruments
from tacit.experiment.memory_estimate import peak_rss_mb
from tacit.experiment.result import VERSION, Cost, Result
from tacit.experiment.run_settings import TimeSettings
from tacit.experiment.warmup import warm_up
from tacit.simulator.churn.sessions import SECOND, online_mask
from tacit.simulator.simulation import Simulation, ticks

_HOUR = 3600 * SECOND


_FIRST_SAVE = 10.0
"""Seconds of learning after which a run with a folder has saved its state, at the end of a round."""
_SAVE_EVERY = 120.0
"""Seconds between two saved states after the first, or as often as a tenth of the time goes into it."""


def evaluation_points(horizon: int, period: int, time: TimeSettings, count: int = 100) -> list[int]:
    """When to measure: about `count` times, at whole transfers of a model, and at every whole hour.

    With `rounds` given, or where a round is an epoch: at whole rounds instead. The end is always one of them.
    """
    unit = period if time.in_rounds else ticks(time.full_seconds)
    step = unit * max(1, -(-horizon // (unit * count)))
    points = set(range(step, horizon + 1, step)) | {horizon}
    if not time.in_rounds and horizon <= 2 * count * _HOUR:
        points |= set(range(_HOUR, horizon + 1, _HOUR))
    return sorted(points)


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that has ended: its figures, and the models it ended with."""

    experiment: Experiment
    result: Result
    simulation: Simulation


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
        label: str = "",
    ) -> None:
        x = experiment
        self.x, self.out, self.workers = x, out, Workers(threads)
        self._keep, self._label = keep, label
        self._threads, self._resume = threads, resume
        self.choice: Choice | None = None
        self.curve: list[dict[str, Any]] = []
        self.wall = 0.0
        self._save_at = self._round_ended = 0.0
        self._unsaved = ""
        """Why the last state could not be saved."""
        facts = run_folder.facts_to_resume(out, self._identity()) if resume else None
        if out is not None:
            run_folder.open_folder(out)
        self.evaluation: Evaluation = x.evaluation(x, self.workers)
        self.instruments = Instruments(x)
        began = time.perf_counter()
        warm_up(x)
        self.compiling = time.perf_counter() - began
        self.simulation = x.protocol.build(x.scenario(self.workers))
        self.horizon = x.horizon(self.simulation.period)
        if facts is not None and out is not None:
            run_folder.restore(out, self.simulation)
            self.curve, self.wall = facts["curve"], facts["wall_seconds"]
            self.compiling += facts["compile_seconds"]

    def go(
        self,
        watch: Watcher | None = None,
        stop: Callable[[], bool] = lambda: False,
        show: Callable[[Result], None] = lambda result: None,
    ) -> Finished:
        """Run to the end, or until `stop` says so.

        `show` gets the figures before the folder is written: a full disk loses the folder and not the figures.
        """
        sim = self.simulation
        settings = self.x.settings
        if settings.evaluation.best is not None:
            self._choose(watch, stop)
        self._round_ended = time.monotonic()
        self._save_at = self._round_ended + _FIRST_SAVE
        often = settings.evaluation.points or self.evaluation.points
        for point in evaluation_points(self.horizon, sim.period, settings.time, often):
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
        result = self._result()
        try:
            show(result)
        finally:
            self._write(result)
        return Finished(self.x, result, sim)

    def _choose(self, watch: Watcher | None, stop: Callable[[], bool]) -> None:
        """Choose the number of rounds by a separate run on a validation part."""
        if not self._resume:
            self._save_under_way()  # so that there is something to resume while choosing
        try:
            self.choice = choose(Run, self.x, self.out, self._resume, self._threads, watch, stop)
        except Interrupted:
            raise Interrupted(
                f"stopped while choosing the number of rounds; {self._where_to_go_on()}"
            ) from None
        self.horizon = self.choice.round * self.simulation.period

    def _measure(self, point: int) -> float | None:
        """Add a point to the curve; return its headline metric."""
        sim = self.simulation
        # The instant before: a session that ends exactly now still counts, as in traces cut at the horizon.
        online = online_mask(self.x.sessions, self.x.split.test.users, point - 1)
        if sim.counted is not None:
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
            run_folder.write_state(self.out, self.simulation, self._facts(done))

    def _save_under_way(self) -> None:
        """Save; where that fails learning goes on, and the reader is told at the end."""
        try:
            self._save(done=False)
            self._unsaved = ""
        except NotWritten as problem:
            self._unsaved = str(problem)

    def _save_now_and_then(self) -> None:
        """Save where the next round, if it takes as long as this one, would end too late."""
        began = time.monotonic()
        if self.out is not None and began + (began - self._round_ended) >= self._save_at:
            self._save_under_way()
            now = time.monotonic()
            self._save_at = now + max(_SAVE_EVERY, 9 * (now - began))
        self._round_ended = time.monotonic()

    def _interrupt(self) -> None:
        self._save_under_way()
        hours = self.simulation.now / _HOUR
        raise Interrupted(f"stopped at {hours:.2f} virtual hours; {self._where_to_go_on()}")

    def _where_to_go_on(self) -> str:
        if self.out is None:
            return "nothing was saved (no --out)"
        return f"not saved: {self._unsaved}" if self._unsaved else f"go on with --out {self.out} --resume"

    def _write(self, result: Result) -> None:
        """The models first, where they are kept. The figures are written even if there is no room for those."""
        if self.out is None:
            return
        try:
            if self._keep:
                self._save(done=True)
        finally:
            frame = self.x.frame if self._keep else None  # who keeps no models recommends nothing
            run_folder.write_result(self.out, result, self.x.source, frame)

    def _result(self) -> Result:
        x, sim = self.x, self.simulation
        last = self.curve[-1]
        each = self.evaluation.per_user(sim)
        return Result(
            recipe=x.recipe,
            label=self._label,
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
                more={**sim.costs(), **told(sim, x.split.train)},
            ),
            per_user=pl.DataFrame(
                {
                    "user": x.dataset.user_ids,
                    "train": x.split.train.counts,
                    "test": x.held_out.counts,
                    **{name: pl.Series(values, nan_to_null=True) for name, values in each.items()},
                    "bytes_sent": sim.traffic.bytes,
                    "messages": sim.traffic.updates,
                    "rows_sent": sim.traffic.rows,
                    "rows_sent_rated": sim.traffic.rows_rated,
                    **self._further(),
                }
            ),
            per_item=self._per_item(),
            observed=observed_frame(sim, x.split.train, x.dataset.user_ids, x.dataset.item_ids),
            more=self.evaluation.more(sim) | ({"best": self.choice.to_json()} if self.choice else {}),
            notes=[*x.notes, *self._warnings(last), *([self.choice.sentence()] if self.choice else [])],
        )

    def _warnings(self, last: dict[str, Any]) -> list[str]:
        """What a reader must know: figures that are not numbers, a state that could not be saved."""
        value = last.get(self.evaluation.headline)
        found = [f"the run could not be saved on its way ({self._unsaved})"] if self._unsaved else []
        if value is not None and not math.isfinite(value):
            found.append(
                "learning ran away: the models' numbers are not finite; try smaller steps (model.eta, model.lr)"
            )
        return found

    def _further(self) -> dict[str, Any]:
        """What a simulation and an evaluation know about single users beside the metrics."""
        measured = self.evaluation.further([point["round"] for point in self.curve])
        return {
            **self.simulation.per_node(),
            **{name: pl.Series(each, nan_to_null=True) for name, each in measured.items()},
        }

    def _per_item(self) -> pl.DataFrame:
        counts = self.evaluation.per_item(self.simulation)
        updates = self.simulation.updates_per_item()
        if counts and updates is not None:
            counts["updates"] = updates
        return pl.DataFrame({"item": self.x.dataset.item_ids, **counts} if counts else {})
