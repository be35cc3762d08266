"""Groups of runs that differ only in the seed: their names, whether they may be compared, and their worst-off users."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.experiment.result import Result
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.formatting import tail_share


@dataclass(frozen=True, slots=True)
class Group:
    """Runs that differ in nothing but the seed: one line in a legend."""

    label: str
    results: list[Result]

    def metric(self, name: str) -> float | None:
        """Mean over the seeds."""
        return mean([result.metrics.get(name) for result in self.results])

    def spread(self, name: str) -> float | None:
        """Standard deviation over the seeds; None for one."""
        values = [result.metrics[name] for result in self.results if exists(result.metrics.get(name))]
        return float(np.std(values, ddof=1)) if len(values) > 1 else None

    def sent(self) -> float:
        """Mean bytes per device."""
        return mean([bytes_per_node(result) for result in self.results]) or 0.0


def exists(value: float | None) -> bool:
    """Whether there is a finite number."""
    return value is not None and math.isfinite(value)


def mean(values: Sequence[float | None]) -> float | None:
    """The mean of those values that exist and are finite."""
    known = [value for value in values if value is not None and exists(value)]
    return sum(known) / len(known) if known else None


def nodes(result: Result) -> int:
    """How many devices there were."""
    return max(1, int(result.data.get("users") or result.per_user.height))


def bytes_per_node(result: Result) -> float:
    """Everything that was sent, shared out evenly."""
    return result.cost.bytes_sent / nodes(result)


def speed(result: Result) -> float | None:
    """Node-rounds per second of learning and exchange."""
    cost = result.cost
    return cost.node_rounds / cost.wall_seconds if cost.wall_seconds > 0 and cost.node_rounds else None


def metric_names(results: Sequence[Result]) -> list[str]:
    """Every metric that any run measured, in the runs' own order."""
    return list(dict.fromkeys(name for result in results for name in result.metrics))


def per_user(result: Result, metric: str) -> npt.NDArray[np.float64]:
    """The users' values in ascending order, without users who have none (no test part)."""
    if metric not in result.per_user.columns:
        return np.empty(0)
    values = result.per_user[metric].cast(pl.Float64).drop_nulls().to_numpy()
    return np.sort(values[np.isfinite(values)])


def tail(result: Result, metric: str) -> float | None:
    """The value that nine users in ten reach or surpass; the worst-off tenth does not."""
    values = per_user(result, metric)
    return float(np.quantile(values, tail_share(metric))) if len(values) else None


def best(values: Sequence[float | None], metric: str) -> float | None:
    """The best of those values that exist."""
    known = [value for value in values if value is not None and exists(value)]
    if not known:
        return None
    return min(known) if lower_is_better(metric) else max(known)


def uneven_ground(results: Sequence[Result]) -> list[str]:
    """In what the runs differ that must be the same before their figures may be compared."""
    grounds = [
        {
            "data": dict(result.data),
            "split": {key: value for key, value in result.split.items() if key != "seed"},
            "evaluation": result.parameters.get("evaluate"),
            "negatives": uses_paper_negatives(result),
        }
        for result in results
    ]
    return differences(grounds)


def comparable(results: Sequence[Result]) -> bool:
    """Whether all runs had the same data, split, evaluation and kind of negatives."""
    return not uneven_ground(results)


def one_winner(results: Sequence[Result]) -> bool:
    """Whether the best of these runs may be marked: the same ground, and no setting with several seeds to pick from."""
    return 1 < len(results) == len(groups(results)) and comparable(results)


def uses_paper_negatives(result: Result) -> bool:
    """Whether training avoided the held-out items, as the published code did and no device could."""
    return result.parameters.get("negatives") == "paper" or any(
        "negatives=paper" in note for note in result.notes
    )


def differences(mappings: Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys whose values are not the same in all mappings."""
    keys = dict.fromkeys(key for mapping in mappings for key in mapping)
    absent = object()
    return [key for key in keys if any(m.get(key, absent) != mappings[0].get(key, absent) for m in mappings)]


def groups(results: Sequence[Result]) -> list[Group]:
    """The runs without regard to seeds, named as shortly as tells them apart."""
    members: list[list[Result]] = []
    for result in results:
        for group in members:
            if _identity(group[0]) == _identity(result):
                group.append(result)
                break
        else:
            members.append([result])
    labels = _unique([_label(group[0], [other[0] for other in members]) for group in members])
    return [Group(label, group) for label, group in zip(labels, members, strict=True)]


def labels(results: Sequence[Result]) -> list[str]:
    """A name for each run: its group's, with the seed where a group has several runs."""
    names: dict[int, str] = {}
    for group in groups(results):
        for result in group.results:
            many = len(group.results) > 1
            names[id(result)] = f"{group.label}, seed {result.seed}" if many else group.label
    return _unique([names[id(result)] for result in results])


def _identity(result: Result) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """What must be the same in all runs of a group; a label stands for recipe and parameters."""
    if result.label:
        return result.label, {}, dict(result.data)
    parameters = {key: value for key, value in result.parameters.items() if key != "seed"}
    return result.recipe, parameters, dict(result.data)


def _label(result: Result, everyone: Sequence[Result]) -> str:
    if result.label:
        return result.label
    rivals = [other for other in everyone if other.recipe == result.recipe and not other.label]
    words = [
        f"{key}={result.parameters.get(key, 'unset')}" for key in differences([r.parameters for r in rivals])
    ]
    if differences([{"name": r.data.get("name")} for r in rivals]):
        words.insert(0, str(result.data.get("name")))
    words = [word for word in words if not word.startswith("seed=")]
    if not words:
        return result.recipe
    return f"{result.recipe} ({', '.join(words[:3])}{', …' if len(words) > 3 else ''})"


def _unique(names: list[str]) -> list[str]:
    count = Counter(names)
    seen: Counter[str] = Counter()
    unique = []
    for name in names:
        seen[name] += 1
        unique.append(f"{name} #{seen[name]}" if count[name] > 1 else name)
    return unique
