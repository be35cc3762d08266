"""Beyond PEPPER's own tables: churn and nodes in their own time, and each choice that its text leaves, one by one.

Section 5.3 does not say which visits of the test part count. Tables 6 and 7 are also run with all of them.
Section 6 of the paper calls churn and heterogeneity future work. Sections 3.2 and 4.1 have nodes that push at their
own periods, over links that differ; its experiments are in rounds (section 5.1).
"""

from __future__ import annotations

from tacit.core.settings import Value
from tacit.papers.base import Exhibit, Row, Wanted
from tacit.papers.pepper.runs import (
    ALGORITHMS,
    BASELINES,
    HONEST,
    KS,
    ML,
    NYC,
    PEPPER,
    TITLES,
    VISITS,
    datasets,
    wanted,
)

_NAMES = {
    PEPPER: "PEPPER",
    "pepper/model-age": "Model-Age-Based",
    "pepper/dec-fedavg": "Decentralized FedAvg",
}
_APART: dict[str, Value] = {"start": "staggered", "periods": 4.0, "bandwidths": 4.0}
TIMES: dict[str, dict[str, Value]] = {
    "in rounds": {},
    "asynchronous, all alike": {"start": "staggered"},
    "asynchronous, up to 4 times as slow": _APART,
}
CHURN: dict[str, dict[str, Value]] = {"everybody online": {}, "phones on chargers": {"churn": "generated"}}

CHOICES: dict[str, tuple[tuple[str, dict[str, Value]], ...]] = {
    PEPPER: (
        ("default", {}),
        ("a sender's best score", {"view__scores": "best"}),
        ("strangers from everybody", {"strangers": "everybody"}),
        ("a new view every 5 rounds", {"view__period": 5}),
        ("a new view every 20 rounds", {"view__period": 20}),
        ("negatives spare the weighting set", {"weighting__spared": True}),
        ("100 items for each weighting item", {"merge__drawn": "item"}),
        ("100 items for each test item", {"evaluate": "sampled-per-item"}),
    ),
    "pepper/dec-fedavg": (("default", {}), ("strangers from everybody", {"strangers": "everybody"})),
    "pepper/model-age": (("default", {}), ("strangers from everybody", {"strangers": "everybody"})),
    "pepper/dec-reptile": (
        ("default", {}),
        ("strangers from everybody", {"strangers": "everybody"}),
        ("the step without the person's vector", {"step__vector": False}),
    ),
    "pepper/reptile": (
        ("the step for all parameters", {}),
        ("the step without the person's vector", {"step__vector": False}),
    ),
    "pepper/fedavg": (("all clients alike", {}), ("weighed by data, equation 1", {"weights": "samples"})),
}
PLACES: tuple[tuple[str, dict[str, Value]], ...] = (
    ("one, not observed for (u, l_s)", {}),
    ("one, outside all places of the person", {"model__unobserved": "person"}),
    ("four, outside all places of the person", {"model__unobserved": "person", "model__negatives": 4}),
)


def _run(quick: bool, data: str, recipe: str, model: str, settings: dict[str, Value]) -> Wanted:
    made = wanted(quick, data, recipe, HONEST, model, **settings)
    assert made is not None
    return made


def churn_and_time(quick: bool) -> list[Row]:
    """PEPPER and two competitors, in rounds and in their own time, with and without churn; a model takes 172.8 s."""
    made = []
    data = NYC if quick else ML
    for when, time in TIMES.items():
        for who, churn in CHURN.items():
            for recipe, name in _NAMES.items():
                run = _run(quick, data, recipe, "gmf", {"bandwidth": "high", **time, **churn})
                panel = f"{TITLES[data]}, {when}, {who}"
                made += [Row(panel, name, run, m) for m in ("hr@20", "hr@20 p10", "models_received")]
    return made


def choices(quick: bool) -> list[Row]:
    """HR@20 with GMF, and F1@20 with PRME-G, where one choice at a time is made the other way."""
    data = NYC if quick else ML
    made = [
        Row(f"{TITLES[data]}, {recipe}", name, _run(quick, data, recipe, "gmf", settings), "hr@20")
        for recipe, rules in CHOICES.items()
        for name, settings in rules
    ]
    for recipe in (PEPPER, "pepper/model-age", "pepper/fedavg"):
        panel = f"{TITLES[NYC]}, {recipe}, negatives per visit of PRME-G"
        made += [
            Row(panel, name, _run(quick, NYC, recipe, "prme-g", settings), "f1@20")
            for name, settings in PLACES
        ]
    return made


def all_visits(quick: bool) -> list[Row]:
    """Tables 6 and 7 where held-out visits to known places count, too: visits are divided, not places."""
    made = []
    for data in datasets(quick, "prme-g"):
        for recipe, name in {**ALGORITHMS, **BASELINES}.items():
            run = _run(quick, data, recipe, "prme-g", VISITS)
            made += [Row(TITLES[data], name, run, f"f1@{k}") for k in KS]
    return made


BEYOND = (
    Exhibit("visits", "Tables 6 and 7 with visits to known places", all_visits),
    Exhibit("churn", "Not in the paper: churn, and nodes in their own time", churn_and_time, over="hours"),
    Exhibit("choices", "The choices that the paper's text leaves, one by one", choices),
)
