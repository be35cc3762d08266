"""Summary sentences: what a set of runs shows, in words made from its numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacit.experiment.kinds_of_lists import qualified, told_apart
from tacit.experiment.result import Result
from tacit.metrics.higher_is_better import lower_is_better
from tacit.report.formatting import amount, compact, headline, in_words, listing, number, short_name
from tacit.report.run_groups import (
    Group,
    best,
    comparable,
    exists,
    groups,
    labels,
    mean,
    metric_names,
    per_user,
    uneven_ground,
    uses_paper_negatives,
)


def summary(results: Sequence[Result]) -> list[str]:
    """Plain sentences, the most important first; warnings on how to read the figures come before all."""
    results = told_apart(results)
    found = headline(metric_names(results), 1)
    sentences = cautions(results)
    if not found:
        return [*sentences, f"{_runs(len(results))} on {_data(results[0])}; no metric was measured."]
    metric = found[0]
    everyone, fair = groups(results), comparable(results)
    if len(everyone) == 1:
        sentences += _alone(everyone[0], metric)
    else:
        sentences += _contest(everyone, metric, fair)
    sentences += _users(_leader(everyone, metric) if fair else everyone[0], metric)
    sentences += _seeds(everyone, metric)
    return sentences + [line for group in everyone for line in _earlier_best(group, metric)]


def cautions(results: Sequence[Result]) -> list[str]:
    """What a reader must know before looking at any figure."""
    lines = []
    paper = [uses_paper_negatives(result) for result in results]
    if any(paper):
        names = [label for label, used in zip(labels(results), paper, strict=True) if used]
        who = "" if all(paper) else f" in {listing(names)}"
        lines.append(
            f"negatives=paper{who}: training avoided the held-out items, as the published code did and no "
            "device could. These scores are too high; set them beside published figures only."
        )
    uneven = uneven_ground(results)
    if uneven:
        lines.append(
            f"The runs differ in {listing(uneven)}, so their figures cannot be compared with each other; "
            "none is marked as best."
        )
    return lines


def _runs(count: int) -> str:
    return "One run" if count == 1 else f"{count} runs"


def _data(result: Result) -> str:
    counts = [
        f"{result.data[key]:,} {key}" for key in ("users", "items", "interactions") if key in result.data
    ]
    return f"{result.data.get('name', 'unnamed data')} ({', '.join(counts)})"


def _leader(everyone: list[Group], metric: str) -> Group:
    top = best([group.metric(metric) for group in everyone], metric)
    return next(group for group in everyone if group.metric(metric) == top)


def _sent(group: Group) -> str:
    return f"{amount(group.sent() / 1e6)} MB per device"


def _alone(group: Group, metric: str) -> list[str]:
    result = group.results[0]
    hours = f" after {amount(result.cost.virtual_hours)} virtual hours" if result.cost.virtual_hours else ""
    lines = [
        f"{group.label} on {_data(result)} ended with "
        f"{in_words(qualified(metric, group.results))} {number(group.metric(metric))}{hours}."
    ]
    if result.cost.bytes_sent:
        total = compact(mean([run.cost.messages for run in group.results]))
        lines.append(f"It sent {_sent(group)}, in {total} messages altogether.")
    else:
        lines.append("No bytes were counted as sent.")
    return lines


def _contest(everyone: list[Group], metric: str, fair: bool) -> list[str]:
    result = everyone[0].results[0]
    values = [(group.metric(metric), group) for group in everyone]
    full = qualified(metric, [run for group in everyone for run in group.results])
    known = [(value, group) for value, group in values if value is not None]
    if not fair:
        each = listing(f"{group.label} {number(value)}" for value, group in known)
        return [f"{len(everyone)} settings were run. {short_name(full)} at the end: {each}."]
    if not known:
        return [f"{len(everyone)} settings were run on {_data(result)}; none has a {short_name(metric)}."]
    ranked = sorted(known, key=lambda pair: pair[0], reverse=not lower_is_better(metric))
    (top, first), *rest = ranked
    superlative = "lowest" if lower_is_better(metric) else "highest"
    line = f"Of {len(everyone)} settings on {_data(result)}, {first.label} ended with the {superlative} "
    line += f"{in_words(full)}: {number(top)}"
    if rest:
        value, second = rest[0]
        gap = abs(value - top)
        if number(value) == number(top):
            line += f", level with {second.label}"
        else:
            share = f" ({100 * gap / abs(value):.1f}\u00a0%)" if value else ""
            line += f". That is {number(gap)}{share} better than {second.label} with {number(value)}"
    return [line + ".", *_frugal(everyone, first, metric)]


def _frugal(everyone: list[Group], leader: Group, metric: str) -> list[str]:
    """Communication: the leader's bytes, and the cheapest of those that sent anything."""
    senders = [group for group in everyone if group.sent() > 0]
    if not senders:
        return ["No bytes were counted as sent by any of them."]
    paid = f"sent {_sent(leader)}" if leader.sent() else "has no bytes counted as sent"
    least = min(senders, key=Group.sent)
    if _sent(least) == _sent(leader):
        return [f"{leader.label} {paid}, the least of those that sent anything."]
    ended = f"{short_name(metric)} {number(least.metric(metric))}"
    return [
        f"{leader.label} {paid}; of those that sent anything, {least.label} sent least: "
        f"{_sent(least)}, {ended}."
    ]


def _users(group: Group, metric: str) -> list[str]:
    result = group.results[0]
    values = per_user(result, metric)
    if not len(values):
        return []
    median, low, high = np.quantile(values, [0.5, 0.1, 0.9])
    name = short_name(metric)
    half, worst = (
        (f"{name} {number(median, 3)} or less", f"{number(high, 3)} or more")
        if lower_is_better(metric)
        else (f"{name} {number(median, 3)} or more", f"{number(low, 3)} or less")
    )
    seed = f", seed {result.seed}" if len(group.results) > 1 else ""
    line = f"With {group.label}{seed}, half of the users have {half}; for the worst-off tenth it is {worst}."
    missing = result.per_user.height - len(values)
    if missing:
        line += f" {missing:,} of {result.per_user.height:,} users have no such value (no test part)."
    return [line]


def _seeds(everyone: list[Group], metric: str) -> list[str]:
    count = min(len(group.results) for group in everyone)
    if count > 1:
        spread = []
        for group in everyone:
            values = [result.metrics[metric] for result in group.results if metric in result.metrics]
            if values:
                spread.append(f"{group.label} {number(min(values))} to {number(max(values))}")
        return [f"Figures are means over {count} seeds or more; range over seeds: {'; '.join(spread)}."]
    if len(everyone) > 1:
        who = (
            "Every setting" if all(len(group.results) == 1 for group in everyone) else "At least one setting"
        )
        return [f"{who} was run with a single seed, so a small gap can be chance."]
    return ["This is a single seed; another one will give a somewhat different figure."]


def _earlier_best(group: Group, metric: str) -> list[str]:
    """A warning where a curve was clearly better before its end: the run learned for too long."""
    result = group.results[0]
    points = [(point[metric], point) for point in result.curve if exists(point.get(metric))]
    final = result.metrics.get(metric)
    if not points or final is None or not exists(final):
        return []
    top, point = (min if lower_is_better(metric) else max)(points, key=lambda pair: pair[0])
    if abs(top - final) <= 0.01 * abs(final):
        return []
    when = (
        f"round {point['round']:,.0f}" if "round" in point else f"{amount(point.get('hours'))} virtual hours"
    )
    return [
        f"{group.label} was better earlier: {short_name(metric)} {number(top)} at {when}. "
        "The figures here are those at the end."
    ]
