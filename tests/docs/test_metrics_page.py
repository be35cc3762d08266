"""The page of formulas names every metric there is, under the name that results have."""

import tacit
from tests.docs.pages import page

SMALL = {"data.users": 30, "data.items": 400, "data.interactions": 900, "data.min_user": 0}
FEW = {"split": "random-n", "split.n": 3}


def measured(recipe: str, **more: object) -> set[str]:
    result = tacit.run(recipe, "synthetic", settings={**SMALL, **FEW, **more}, progress=False)
    return {metric.partition("@")[0] + ("@K" if "@" in metric else "") for metric in result.metrics}


def test_every_metric_has_a_formula() -> None:
    formulas = page("reference/metrics.md").partition("## Formulas")[2].partition("## In other libraries")[0]
    found = measured("baseline/popular", evaluate="full") | measured("baseline/popular", evaluate="sampled")
    found |= measured("hegedus/federated", evaluate="rating", rounds=1)
    assert {name for name in found if f"| `{name}` |" not in formulas} == set()


def test_the_object_on_the_page_is_what_a_result_says() -> None:
    result = tacit.run(
        "baseline/popular", "synthetic", settings={**SMALL, **FEW, "evaluate": "sampled"}, progress=False
    )
    text = " ".join(page("reference/metrics.md").split())
    for key, value in result.to_json()["evaluation"].items():
        if key != "ties":
            assert f'"{key}": "{value}"' in text
