"""One run: build the simulation, advance it in virtual time, measure, save.

result = Run(prepare("hegedus/gossip-merge", "movielens-100k", {"epochs": 10}, seed=1)).go().result
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from tacit.attacks.curious_pairs_server import observed_frame, told
from tacit.core.compiled.threads import Workers
from tacit.core.errors import Interrupted, NotWritten
from tacit.core.where import is_ours
from tacit.experiment import run_folder
from tacit.experiment.callbacks import Callback, Measured, OnRound, callbacks_of, ends
from tacit.experiment.choose_rounds import Choice, Watcher, choose
from tacit.experiment.evaluations.base import Evaluation, Floats, Mask, values_per_user
from tacit.experiment.experiment import Experiment
from tacit.experiment.foreign_parts import outside_explained
from tacit.experiment.instruments import Instruments
from tacit.experiment.memory_estimate import peak_rss_mb
from tacit.experiment.part_records import write_parts
from tacit.experiment.result import Cost, Result
from tacit.experiment.run_settings import TimeSettings
from tacit.experiment.warmup import warm_up
from tacit.experiment.warnings import no_numbers, warnings
from tacit.simulator.churn.sessions import SECOND, always, online_mask
from tacit.simulator.partition import ALONE, Partition
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
        partition: Partition = ALONE,
    ) -> None:
        """With a `partition` several processes share the run: each makes it, and the first one writes the folder."""
        x = experiment
        self._partition = partition
        self.x, self.out, self.workers = x, out, Workers(threads)
        self._keep, self._label = keep, label
        self._threads, self._resume = threads, resume
        self.choice: Choice | None = None
        self._stopped = False
        self.curve: list[dict[str, Any]] = []
        self.wall = 0.0
        self._save_at = self._round_ended = 0.0
        self._unsaved = ""
        """Why the last state could not be saved."""
        facts = run_folder.facts_to_resume(out, x.identity()) if resume else None
        if out is not None and partition.first:
            run_folder.open_folder(out)
            write_parts(out, x.parameters)
        self.evaluation: Evaluation = x.evaluation(x, self.workers)
        self.instruments = Instruments(x)
        began = time.perf_counter()
        for turn in range(2):  # the first rank compiles; where others find its code they only read it
            if partition.first == (turn == 0):
                warm_up(x)
            partition.total(0)
        self.compiling = time.perf_counter() - began
        self.simulation = x.protocol.build(x.scenario(self.workers, partition))
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
        on_round: OnRound = None,
    ) -> Finished:
        """Run to the end. Where `stop` says so the run is interrupted; where `on_round` does it ends with a result.

        `show` gets the figures before the folder is written: a full disk loses the folder and not the figures.
        """
        with outside_explained(self.x.model, self.x.protocol):
            return self._go(watch, stop, show, on_round)

    def _go(
        self,
        watch: Watcher | None,
        stop: Callable[[], bool],
        show: Callable[[Result], None],
        on_round: OnRound,
    ) -> Finished:
        sim, callbacks = self.simulation, callbacks_of(on_round)
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
                if self._partition.any(stop()):
                    self._interrupt()
                self._tell(watch, None)
                self._save_now_and_then()
            self._tell(watch, self._measure(point))
            if self._ends(callbacks) and point < self.horizon:
                self._stopped = True
                break
        result = self._result()
        try:
            if self._partition.first:
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
        if not self.curve and not is_ours(self.evaluation):  # a miniature may have as few users as values
            values_per_user(self.evaluation, sim, self.x.split.train.users)
        values = self.evaluation.measure(sim, self._online(point))
        where = {"round": point // sim.period, "hours": point / _HOUR, "bytes": sim.bytes}
        self.curve.append({**where, **values, **self.instruments.look(sim), "_ticks": point})
        return values[self.evaluation.headline]

    def _online(self, point: int) -> Mask:
        """The users that are measured at a point of the curve."""
        # The instant before: a session that ends exactly now still counts, as in traces cut at the horizon.
        sessions = always() if self.x.protocol.repeats_days else self.x.sessions
        online: Mask = online_mask(sessions, self.x.split.test.users, point - 1)
        return online if self.simulation.counted is None else online & self.simulation.counted

    def _ends(self, callbacks: list[Callback]) -> bool:
        """Whether a callback ends the run at the point measured last. Where one fails, the run is saved first."""
        if not callbacks:
            return False
        sim, last = self.simulation, self.curve[-1]
        where = ("round", "hours", "bytes")
        metrics = {name: last[name] for name in last if name not in (*where, "_ticks")}
        places = {name: last[name] for name in where}
        now = Measured(self.x.recipe, self.x.seed, **places, fraction=sim.now / self.horizon, metrics=metrics)
        try:
            return ends(callbacks, now)
        except BaseException:
            self._save(done=False)
            raise

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

    def _facts(self, done: bool) -> dict[str, Any]:
        return {
            **self.x.identity(),
            "curve": self.curve,
            "wall_seconds": self.wall,
            "compile_seconds": self.compiling,
            "done": done,
        }

    def _save(self, done: bool) -> None:
        if self.out is not None:
            run_folder.write_state(self.out, self.simulation, self._facts(done))

    def _save_under_way(self) -> None:
        """Save. If that fails, learning continues, and a note says so at the end."""
        try:
            self._save(done=False)
            self._unsaved = ""
        except NotWritten as problem:
            self._unsaved = str(problem)

    def _save_now_and_then(self) -> None:
        """Save where the next round, if it takes as long as this one, would end too late."""
        began = time.monotonic()
        due = began + (began - self._round_ended) >= self._save_at
        if self.out is not None and self._partition.decided(due):
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
        return f"not saved: {self._unsaved}" if self._unsaved else f"continue with --out {self.out} --resume"

    def _write(self, result: Result) -> None:
        """The models first, where they are kept. The figures are written even if there is no room for those."""
        if self.out is None:
            return
        try:
            if self._keep:
                self._save(done=True)
        finally:
            if self._partition.first:
                if self.x.rows is not None and self._keep:
                    with run_folder.writing(self.out):
                        self.x.rows.save(self.out)
                run_folder.write_result(self.out, result, self.x.source)

    def _result(self) -> Result:
        x, sim = self.x, self.simulation
        last = self.curve[-1]
        each = values_per_user(self.evaluation, sim, x.split.train.users)
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
                more={**sim.costs(), **told(sim, x.split.train), **self._partition.costs()},
            ),
            per_user=pl.DataFrame(
                {
                    "user": x.dataset.ids("user"),
                    "train": x.split.train.counts,
                    "test": x.held_out.counts,
                    "online": self._online(last["_ticks"]),
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
            evaluation={
                "kind": x.parameters["evaluate"],
                **self.evaluation.lists(),
                **({} if (ties := self.evaluation.ties(sim)) is None else {"ties": ties}),
            },
            more=self._more(),
            notes=[*x.notes, *self._warnings(last, each), *self._said(), *self._partition.notes()],
        )

    def _more(self) -> dict[str, Any]:
        """Further objects of the result's JSON."""
        best = {"best": self.choice.to_json()} if self.choice else {}
        stopped = {
            "stopped": {"round": self.curve[-1]["round"], "of": self.horizon // self.simulation.period}
        }
        return self.evaluation.more(self.simulation) | best | (stopped if self._stopped else {})

    def _said(self) -> list[str]:
        """What a reader must know about how long it ran."""
        lines = [self.choice.sentence()] if self.choice else []
        if self._stopped:
            share = self.simulation.now / self.horizon
            lines.append(
                f"ended by a callback after round {self.curve[-1]['round']}, at {share:.0%} of the run"
            )
        return lines

    def _warnings(self, last: dict[str, Any], each: dict[str, Floats]) -> list[str]:
        """What a reader must know about the figures."""
        metric = self.evaluation.headline
        unsaved = [f"the run could not be saved on its way ({self._unsaved})"] if self._unsaved else []
        told = warnings(self.x, self.simulation, self.evaluation, last.get(metric), each.get(metric))
        return unsaved + told + no_numbers({name: last[name] for name in each}, metric)

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
        return pl.DataFrame({"item": self.x.dataset.ids("item"), **counts} if counts else {})
