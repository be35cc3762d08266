"""Reproduce a paper: run what its tables and figures need, and check its claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tacit.core.errors import BadInput, unknown
from tacit.core.registry import find, offered
from tacit.data.sources.locate import at_hand
from tacit.experiment.batch import RunListener, Task, finished_before, run_all
from tacit.experiment.memory_estimate import available
from tacit.experiment.result import VERSION, Result
from tacit.papers.base import (
    NOT_CHECKED,
    Chart,
    Claim,
    Exhibit,
    Finding,
    Outcomes,
    Paper,
    Row,
    Wanted,
    measured,
    ran_away,
    stated,
)
from tacit.papers.item_names import exhibit_named

_PACKAGE = "tacit.papers"


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What came out of running a paper again."""

    paper: Paper
    quick: bool
    exhibits: list[Exhibit]
    outcomes: Outcomes
    findings: list[tuple[Claim, Finding]]

    def __repr__(self) -> str:
        verdicts = Counter(finding.verdict for _, finding in self.findings)
        said = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.most_common()) or "no claims"
        return f"<Reproduction of {self.paper.name}{', quick' * self.quick}: {said}>"

    def tables(self) -> list[dict[str, Any]]:
        """Every table and figure: name, title, rows with the paper's number, ours and the difference."""
        tables = []
        for exhibit in self.exhibits:
            rows = [stated(fact) for fact in exhibit.facts(self.quick)]
            rows += [self._measured(row) for row in exhibit.rows(self.quick)]
            tables.append({"name": exhibit.name, "title": exhibit.title, "rows": rows})
        return tables

    def _measured(self, row: Row) -> dict[str, Any]:
        return measured(row, self.outcomes.get(row.wanted), self.outcomes.get(row.over or row.wanted))

    def charts(self) -> dict[str, list[Chart]]:
        """What to draw for each table or figure, by its name."""
        return {exhibit.name: list(exhibit.charts(self.outcomes)) for exhibit in self.exhibits}

    def claims(self) -> list[dict[str, Any]]:
        """Every claim: what the paper says, how we measure it, what we found."""
        return [
            {
                "claim": claim.name,
                "text": claim.text,
                "source": claim.source,
                "measure": claim.measure,
                "verdict": finding.verdict,
                "ours": finding.ours,
                "numbers": dict(finding.numbers),
            }
            for claim, finding in self.findings
        ]

    def to_json(self) -> dict[str, Any]:
        """One object with everything."""
        return {
            "tacit": VERSION,
            "paper": self.paper.name,
            "citation": self.paper.citation,
            "quick": self.quick,
            "tables": self.tables(),
            "claims": self.claims(),
            "notes": self.paper.notes_of(self.quick),
            "runs": [result.to_json() for result in self.outcomes.every()],
        }


def papers() -> list[str]:
    """The papers that can be run again."""
    return sorted(offered(_PACKAGE, "paper"))


def paper_named(name: str) -> Paper:
    """A paper by name; an unknown name is an error that lists all."""
    if name not in papers():
        raise unknown("paper", name, papers(), "tacit reproduce PAPER")
    found: Paper = find(_PACKAGE, "paper", name)
    return found


def reproduce(
    name: str,
    table: str | None = None,
    quick: bool = False,
    out: Path | None = None,
    host: RunListener | None = None,
    *,
    finished: bool = False,
) -> Reproduction:
    """Run what a paper's tables and figures need (or one of them) and check the claims that rest on them.

    `finished`: run nothing, show what is finished in `out`.
    """
    found = paper_named(name)
    host = host or RunListener()
    exhibits = list(found.exhibits) if table is None else [exhibit_named(found, table)]
    everything = list(dict.fromkeys(row.wanted for exhibit in exhibits for row in exhibit.rows(quick)))
    missing = {w: lack for w in everything if (lack := lacking(w))}
    wanted = [w for w in everything if w not in missing]
    tasks = [Task(w.recipe, w.data, dict(w.settings), seed) for w in wanted for seed in range(w.seeds)]
    if not tasks and not any(_needs_no_run(exhibit, quick) for exhibit in exhibits):
        raise BadInput("paper", got=f"nothing to run for {name}", allowed="without --quick")
    if finished:
        outcomes = Outcomes(quick, finished_runs(wanted, out) | {w: [] for w in missing})
        return _judged(found, quick, exhibits, outcomes)
    host.begin(tasks)
    expected = [w.seconds for w in wanted for _ in range(w.seeds)]
    if tasks:
        again = (
            f"runs that are finished in {out} are not run again"
            if out
            else "with --out it can be stopped and resumed"
        )
        host.say(f"{found.title}: {len(tasks)} runs, {about(sum(expected))} on two cores; {again}")
    if missing:
        host.say(f"not at hand, left out: {', '.join(dict.fromkeys(missing.values()))}")
    watch = _Clock(expected, host)
    results = run_all(tasks, out, host, watch.done) if tasks else []
    left = iter(results)
    runs = {w: [next(left) for _ in range(w.seeds)] for w in wanted}
    return _judged(found, quick, exhibits, Outcomes(quick, runs | {w: [] for w in missing}))


def _judged(paper: Paper, quick: bool, exhibits: list[Exhibit], outcomes: Outcomes) -> Reproduction:
    there = {exhibit.name for exhibit in exhibits}
    findings = [
        (claim, _with_gaps(claim, claim.judge(outcomes), exhibits, outcomes))
        for claim in paper.claims
        if set(claim.needs) <= there
    ]
    return Reproduction(paper, quick, exhibits, outcomes, findings)


def _with_gaps(claim: Claim, finding: Finding, exhibits: Sequence[Exhibit], outcomes: Outcomes) -> Finding:
    """A verdict says how many of its runs there are, and in how many learning ran away.

    What cannot be run here does not count.
    """
    if finding.verdict == NOT_CHECKED:
        return finding
    wanted = {row.wanted for e in exhibits if e.name in claim.needs for row in e.rows(outcomes.quick)}
    possible = [w for w in wanted if w not in outcomes or outcomes[w]]
    made, every = (sum(w.seeds for w in some) for some in ([w for w in possible if w in outcomes], possible))
    lost = sum(ran_away(run) for w in possible for run in outcomes.get(w))
    where = ", ".join(name.replace("-", " ", 1) for name in claim.needs)
    gaps = [f"{made} of {every} runs of {where} are finished"] if made < every else []
    gaps += [f"learning ran away in {lost} runs of {where}"] if lost else []
    return replace(finding, ours="; ".join([finding.ours, *gaps]))


def finished_runs(wanted: Sequence[Wanted], out: Path | None) -> dict[Wanted, list[Result]]:
    """Settings whose seeds are all finished in a folder, with their results. Another process may be writing there."""
    if out is None or not out.is_dir():
        raise BadInput(
            "--finished",
            got=f"--out {out}" if out else "no --out",
            allowed="--out DIR of a reproduction that was begun",
        )
    there = {}
    for w in wanted:
        found = [
            finished_before(Task(w.recipe, w.data, dict(w.settings), seed), out) for seed in range(w.seeds)
        ]
        if all(found):
            there[w] = [result for result in found if result is not None]
    return there


def _needs_no_run(exhibit: Exhibit, quick: bool) -> bool:
    """Whether there is something to show without any run: sizes of data sets, a generator's figures."""
    return bool(exhibit.facts(quick) or exhibit.charts(Outcomes(quick, {})))


def lacking(wanted: Wanted) -> str | None:
    """What a setting cannot be run without, if that is not here: its data set, a package, memory."""
    if wanted.optional and not at_hand(wanted.data):
        return f"{wanted.data} (see tacit data list)"
    if wanted.needs and find_spec(wanted.needs) is None:
        return f"{wanted.needs}, which {wanted.recipe} needs"
    if 1e9 * wanted.gigabytes > available():
        return f"{wanted.gigabytes:.0f} GB of memory, which {wanted.recipe} on {wanted.data} needs"
    return None


def about(seconds: float) -> str:
    """A rough time in words.

    >>> about(40), about(100), about(9000)
    ('under a minute', 'about 2 min', 'about 2.5 h')
    """
    if seconds < 55:
        return "under a minute"
    return f"about {seconds / 60:.0f} min" if seconds < 5400 else f"about {seconds / 3600:.1f} h"


class _Clock:
    """Says now and then how long the rest will take, judging by the runs so far."""

    def __init__(self, expected: Sequence[float], host: RunListener) -> None:
        self._expected, self._host = expected, host
        self._spent = self._told = 0.0

    def done(self, place: int, result: Result) -> None:
        self._spent += result.cost.wall_seconds
        before = sum(self._expected[: place + 1])
        rest = sum(self._expected[place + 1 :])
        if rest and before - self._told > 60:
            self._told = before
            left = rest * max(self._spent, 1.0) / before
            self._host.say(f"{place + 1} of {len(self._expected)} runs done, {about(left)} left")
