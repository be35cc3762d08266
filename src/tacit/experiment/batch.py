"""A batch of runs, in turn or side by side, each with a folder of its own. A finished one is only read back."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from threading import Event, Lock
from typing import Any, Protocol

import msgspec

from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput, Interrupted, NotWritten
from tacit.data.dataset import Data
from tacit.experiment import run_folder
from tacit.experiment.callbacks import OnRound
from tacit.experiment.choose_rounds import Watcher
from tacit.experiment.experiment import Experiment
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.result import VERSION, Result
from tacit.experiment.run import Run
from tacit.experiment.run_settings import came_later, protocol_named, settle
from tacit.experiment.trained import Trained
from tacit.experiment.warmup import RunSpec, compiling_ahead

_BUILDING = Lock()
"""A run compiles what it needs while it is built. Two at once must not compile the same kernels."""


@dataclass(frozen=True, slots=True)
class Task:
    """One run that is wanted, as `tacit run` would get it."""

    recipe: str
    data: Data
    settings: Mapping[str, Any] = field(default_factory=dict)
    seed: int = 0
    keep: bool = False
    """Whether to keep the models, for `tacit recommend`; they can be large."""
    label: str = ""
    """What it is called in tables and figures; empty: by its recipe."""


@dataclass(frozen=True, slots=True)
class Job:
    """A task in its batch: its place, and the title it has in lines of progress."""

    place: int
    title: str
    task: Task


class Engine(Protocol):
    """Something that carries out the runs of a batch elsewhere: in other processes, or on other machines."""

    def run_all(
        self, jobs: Sequence[Job], out: Path | None, host: RunListener
    ) -> Iterator[tuple[int, Result]]:
        """Places and results, in the order of `jobs`."""
        ...


@dataclass(frozen=True, slots=True)
class RunListener:
    """Follows runs: `watch(title)` gives a watcher, `say` takes a line, `stop` says whether to end early."""

    watch: Callable[[str], AbstractContextManager[Watcher | None]] = lambda title: nullcontext(None)
    say: Callable[[str], None] = lambda line: None
    stop: Callable[[], bool] = lambda: False
    download: Callable[[int, int | None], None] | None = None
    """Called with the bytes of a data set that must be fetched."""
    on_round: OnRound = None
    """Called at every measured point of every run."""
    begin: Callable[[Sequence[Task]], None] = lambda tasks: None
    """Called once with the runs of a study, when they are known and before the first one."""
    show: Callable[[Any], None] = lambda found: None
    """Called with what came out of a study before it is written: a full disk must not lose it."""
    threads: int | None = None
    compile_ahead: bool = False
    """Whether the code of later runs is compiled in another process while the first ones go on."""
    engine: Engine | None = None
    """Where runs are carried out; None: in this process."""


def run_all(
    tasks: Sequence[Task],
    out: Path | None = None,
    host: RunListener | None = None,
    done: Callable[[int, Result], None] = lambda place, result: None,
) -> list[Result]:
    """Every task's result, in order. With `out`, the same call again resumes where it was stopped.

    Runs follow each other, each on all cores; where learning is one long sequence, as many at once as there are cores.
    `done` is called after each run with its place and its result.
    """
    host = host or RunListener()
    for task in tasks:
        settle(recipe(task.recipe).parameters, task.settings)
    if out is not None:
        run_folder.open_folder(out)
    results: list[Result] = []
    with compiling_ahead(_to_compile(tasks) if host.compile_ahead and host.engine is None else []):
        _run_in_turn(tasks, out, host, done, results)
    return results


def _run_in_turn(
    tasks: Sequence[Task],
    out: Path | None,
    host: RunListener,
    done: Callable[[int, Result], None],
    results: list[Result],
) -> None:
    jobs = [
        Job(place, f"{task.label or task.recipe}, seed {task.seed} ({place + 1} of {len(tasks)})", task)
        for place, task in enumerate(tasks)
    ]
    try:
        for place, result in (
            _here(jobs, out, host) if host.engine is None else host.engine.run_all(jobs, out, host)
        ):
            results.append(result)
            done(place, result)
    except Interrupted:
        saved = "the same command continues from here" if out else "nothing was saved (no --out)"
        raise Interrupted(f"stopped; {len(results)} of {len(tasks)} runs are finished; {saved}") from None


def _here(jobs: Sequence[Job], out: Path | None, host: RunListener) -> Iterator[tuple[int, Result]]:
    """Carry out runs in this process."""
    for alone, found in groupby(jobs, key=lambda job: not _one_core(job.task)):
        group = list(found)
        together = 1 if alone or len(group) == 1 else Workers(host.threads).threads
        yield from _few_at_once(group, together, out, host)


def _to_compile(tasks: Sequence[Task]) -> list[RunSpec]:
    """The runs whose data another process can find."""
    return [(t.recipe, str(t.data), dict(t.settings)) for t in tasks if isinstance(t.data, str | Path)]


def _one_core(task: Task) -> bool:
    """Whether a run leaves all cores but one idle while it learns."""
    return protocol_named(settle(recipe(task.recipe).parameters, task.settings)["protocol"]).one_core


def _few_at_once(
    jobs: Sequence[Job], together: int, out: Path | None, host: RunListener
) -> Iterator[tuple[int, Result]]:
    """Results in order. If one fails or is stopped, the others stop too, each in a state that can be resumed."""
    failed = Event()
    if together > 1:
        # A terminal has one moving line: runs side by side only say that they are done.
        host = replace(
            host, watch=lambda title: nullcontext(None), stop=partial(_either, host.stop, failed), threads=1
        )

    # Two names may stand for one run, which has one folder: the second waits and finds it finished.
    alone = {same_run(job.task): Lock() for job in jobs}

    def one(job: Job) -> Result:
        if host.stop():
            raise Interrupted("before the next run")
        try:
            with alone[same_run(job.task)]:
                return run_one(job.task, job.title, out, host)
        except BaseException:
            failed.set()
            raise

    if together == 1:
        yield from ((job.place, one(job)) for job in jobs)
        return
    with ThreadPoolExecutor(together) as pool:
        running = [(job, pool.submit(one, job)) for job in jobs]
        try:
            for job, future in running:
                result = future.result()
                host.say(f"{job.title}: done")
                yield job.place, result
        except Interrupted:
            pool.shutdown(cancel_futures=True)
            for _, future in running:  # was it a mistake in another one that stopped them all?
                if not future.cancelled() and not isinstance(future.exception(), Interrupted):
                    future.result()
            raise
        finally:
            failed.set()
            pool.shutdown(cancel_futures=True)


def same_run(task: Task) -> str:
    """The same text for the same run, whatever it is called."""
    settled = settle(recipe(task.recipe).parameters, task.settings)
    return repr((task.recipe, sorted(settled.items()), task.seed, id(task.data)))


def _either(stop: Callable[[], bool], failed: Event) -> bool:
    return failed.is_set() or stop()


def folder_of(experiment: Experiment, out: Path) -> Path:
    """Where a run belongs: readable, and another one for every difference in parameters or data."""
    x = experiment
    later = came_later(x.parameters)
    counted = sorted((k, value) for k, value in x.parameters.items() if k not in later or value != later[k])
    identity = [VERSION, x.recipe, x.seed, counted, x.dataset.sha256]
    digest = hashlib.sha256(msgspec.json.encode(identity)).hexdigest()[:8]
    return out / f"{x.recipe.replace('/', '-')}-seed{x.seed}-{digest}"


def prepare_task(
    task: Task, progress: Callable[[int, int | None], None] | None = None, *, here: bool = True
) -> Experiment:
    """The run that is wanted, checked and ready to start; one that does not start `here` need not fit here."""
    return prepare(task.recipe, task.data, task.settings, task.seed, progress, here=here, settled=True)


def run_one(task: Task, title: str, out: Path | None, host: RunListener) -> Result:
    """Carry out a run in this process: take it from its folder, go on with it, or begin."""
    experiment = prepare_task(task, host.download)
    where = None if out is None else folder_of(experiment, out)
    found = None if where is None else found_before(task, experiment, where)
    if found is not None:
        host.say(f"{title}: finished before, taken from {where}")
        return found
    resume = where is not None and _under_way(where)
    with _BUILDING:
        under_way = Run(
            experiment, out=where, resume=resume, threads=host.threads, keep=task.keep, label=task.label
        )
    ended: list[Result] = []
    unwritten: list[NotWritten] = []
    with host.watch(title) as watch:
        try:
            under_way.go(watch, host.stop, ended.append, on_round=host.on_round)
        except NotWritten as problem:  # the figures are there: say it, and go on
            unwritten.append(problem)
    result = ended[0]
    for why in unwritten:
        host.say(f"{title}: {why}")
        result = replace(result, notes=[*result.notes, f"not written ({why})"])
    if where is not None and not task.keep:
        (where / run_folder.STATE).unlink(missing_ok=True)
    return _asked(result, where)


def finished_before(task: Task, out: Path) -> Result | None:
    """A task's result if its run is finished in a batch's folder."""
    experiment = prepare_task(task, here=False)
    return found_before(task, experiment, folder_of(experiment, out))


def found_before(task: Task, experiment: Experiment, where: Path) -> Result | None:
    """A task's result if its run is finished in a folder, with the models if they are to be kept."""
    result = finished(where, experiment)
    if result is None or (task.keep and not (where / run_folder.STATE).exists()):
        return None
    return _asked(replace(result, label=task.label), where)


def _asked(result: Result, where: Path | None) -> Result:
    """The result with its models, where they are in its folder."""
    kept = where is not None and (where / run_folder.STATE).exists()
    return replace(result, trained=Trained(folder=where)) if kept else result


def finished(where: Path, experiment: Experiment) -> Result | None:
    """The run's figures if it has been done before with the same parameters on the same data."""
    try:
        result, _ = run_folder.read_result(where)
    except BadInput:
        return None
    result = replace(result, parameters={**came_later(experiment.parameters), **result.parameters})
    same = (
        (result.recipe, result.seed) == (experiment.recipe, experiment.seed)
        and result.parameters == experiment.parameters
        and result.data.get("sha256") == experiment.dataset.sha256
        and result.split == experiment.split.to_json()
        and "stopped" not in result.more
    )
    return result if same else None


def _under_way(where: Path) -> bool:
    """Whether there is a state to go on from; a damaged one, or another version's, is as good as none."""
    try:
        return bool(run_folder.read_facts(where).get("tacit") == VERSION)
    except BadInput:
        return False
