"""Kinds of lists: the same metric at K is another quantity in a list per user and in a list per held-out item.

`evaluate=full` makes one list per user. `evaluate=sampled` and `sampled-per-item` rank each held-out item in a list of
its own. Only F1 is of a list with all of a user's held-out items. Every label says which, and runs of both never
share a column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tacit.core.errors import BadInput

if TYPE_CHECKING:
    from tacit.experiment.result import Result

ONE_PER_USER = "one list per user"


def among_negatives(count: int, fewer: bool = False) -> dict[str, str]:
    """What a sampled evaluation says of its lists; `fewer`: somebody has fewer items left to be ranked among."""
    among = f"among up to {count}" if fewer else f"among {count}"
    return {"list": f"per held-out item {among}", "list of f1": f"per user, held-out items together {among}"}


def evaluation_of(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """How a run was measured, from its parameters: for results that were saved without saying so."""
    kind = parameters.get("evaluate")
    lists: dict[str, str] = {}
    if kind == "full":
        lists = {"list": ONE_PER_USER}
    elif kind in ("sampled", "sampled-per-item"):
        lists = among_negatives(int(parameters.get("evaluate.negatives", 100)))
    return {"kind": kind, **lists}


def headline_of(parameters: Mapping[str, Any]) -> str:
    """The metric that a ranking run leads with; empty where the first one does.

    >>> headline_of({"evaluate": "full", "evaluate.k": 5}), headline_of({"evaluate": "sampled"})
    ('precision@5', 'hr@20')
    """
    kind = str(parameters.get("evaluate"))
    if kind == "full":
        return f"precision@{parameters.get('evaluate.k', 10)}"
    return "hr@20" if kind.startswith("sampled") else ""


def list_of(metric: str, evaluation: Mapping[str, Any]) -> str:
    """What kind of list a metric is of; nothing for one without a cut-off.

    >>> list_of("hr@20", {"kind": "sampled", **among_negatives(100)})
    'per held-out item among 100'
    >>> list_of("rmse", {"kind": "rating"})
    ''
    """
    family, at, _ = metric.partition("@")
    if not at or ", " in metric:
        return ""
    return str(evaluation.get(f"list of {family}", evaluation.get("list", "")))


def in_brackets(kind: str) -> str:
    """A kind of list behind a figure.

    >>> in_brackets("one list per user"), in_brackets("")
    (' (one list per user)', '')
    """
    return f" ({kind})" if kind else ""


def qualified(metric: str, results: Sequence[Result]) -> str:
    """A metric's name with the kind of list it is of in these runs: `hr@20, per held-out item among 100`."""
    kinds = dict.fromkeys(r.list_of(metric) for r in results if metric in r.metrics)
    return ", ".join([metric, *filter(None, kinds)]) if len(kinds) == 1 else metric


def one_kind(metric: str, results: Sequence[Result]) -> str:
    """The same; runs in which the metric is of different lists cannot share an axis."""
    kinds = dict.fromkeys(r.list_of(metric) for r in results if metric in r.metrics)
    if len(kinds) > 1:
        got = " and ".join(kinds)
        raise BadInput(metric, got=f"runs of different kinds: {got}", allowed="runs with the same evaluation")
    return qualified(metric, results)


def told_apart(results: Sequence[Result]) -> list[Result]:
    """The same runs; a metric that is of different lists in some has a name of its own for each kind."""
    names = dict.fromkeys(name for result in results for name in result.metrics)
    mixed = [name for name in names if len({r.list_of(name) for r in results if name in r.metrics}) > 1]
    return [_renamed(result, mixed) for result in results] if mixed else list(results)


def groups_told_apart(groups: Mapping[str, Sequence[Result]]) -> dict[str, list[Result]]:
    """The same for groups of runs."""
    flat = iter(told_apart([run for runs in groups.values() for run in runs]))
    return {name: [next(flat) for _ in runs] for name, runs in groups.items()}


def _renamed(result: Result, mixed: Sequence[str]) -> Result:
    names = {name: qualified(name, [result]) for name in mixed if name in result.metrics}
    columns = {old: new for old, new in names.items() if old in result.per_user.columns}
    return replace(
        result,
        metrics={names.get(name, name): value for name, value in result.metrics.items()},
        curve=[{names.get(name, name): value for name, value in point.items()} for point in result.curve],
        per_user=result.per_user.rename(columns),
    )
