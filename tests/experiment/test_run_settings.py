from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.recipes import recipe, recipes
from tacit.experiment.run_settings import RunSettings, known, parse_set, settle, variant


def test_the_users_choice_beats_the_recipe_which_beats_the_default() -> None:
    values = settle({"epochs": 3, "model.k": 7}, {"model.k": "9"})
    assert (values["epochs"], values["model.k"], values["model.eta"]) == (3, 9, 0.01)


def test_another_protocol_brings_its_own_parameters() -> None:
    assert "graph.degree" in known({"protocol": "gossip"})
    assert "graph.degree" not in known({"protocol": "federated"})


def test_a_recipes_parameters_that_another_protocol_does_not_know_are_left_behind() -> None:
    values = settle(recipe("hegedus/gossip-10").parameters, {"protocol": "centralized"})
    assert values["protocol"] == "centralized"
    assert "subsample" not in values


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("epochs", "0", "a whole number from 1"),
        ("epochs", "2.5", "a whole number from 1"),
        ("epochs", "many", "got many"),
        ("epochs", "", "got nothing"),
        ("hours", "nan", "a number above 0"),
        ("hours", "inf", "a number above 0"),
        ("hours", "-1", "a number above 0"),
        ("subsample", "0", "a number above 0, at most 1"),
        ("bandwidth", "fast", "low, high, or a number"),
        ("split", "random", "random-n, random-share, random-visits, temporal"),
        ("scale", "5,1", "LOW,HIGH"),
        ("lazy", "perhaps", "true or false"),
        ("merge", "middle", "known: age-average"),
        ("model", "xx", "known: "),
        ("protocol", "pigeon", "known: "),
        ("evaluate", "taste", "known: "),
        ("epoch", "1", "did you mean epochs?"),
    ],
)
def test_a_wrong_choice_gets_one_line_that_says_what_is_allowed(key: str, value: str, told: str) -> None:
    with pytest.raises(BadInput) as caught:
        settle(recipe("hegedus/gossip-merge").parameters, {key: value})
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_settings_of_the_command_line() -> None:
    assert parse_set(["a=1", "b.c = x=y "]) == {"a": "1", "b.c": "x=y"}
    for wrong in ("epochs", "=3", ""):
        with pytest.raises(BadInput, match="key=value"):
            parse_set([wrong])


def test_bandwidth_by_name_or_in_seconds() -> None:
    for given, seconds in (("low", 1728.0), ("high", 172.8), ("60", 60.0)):
        assert RunSettings.of(settle({}, {"bandwidth": given})).time.full_seconds == seconds


def test_every_recipe_settles_and_says_what_it_is() -> None:
    for found in recipes().values():
        settle(found.parameters, {})
        assert set(variant(found.parameters, {})) <= set(known(found.parameters))
        assert len(found.about) > 20


def test_the_papers_parameters() -> None:
    """Table 1 and section 6 of Hegedűs et al."""
    for name in ("gossip", "gossip-merge", "gossip-10", "federated", "federated-10"):
        p = settle(recipe(f"hegedus/{name}").parameters, {})
        assert (p["model.k"], p["model.eta"], p["model.lam"]) == (5, 0.01, 0.1)
        assert (p["split"], p["split.n"], p["hours"], p["epochs"]) == ("random-n", 10, 48.0, 1)
        assert p["subsample"] == (0.1 if name.endswith("10") else 1.0)


def test_a_recipe_may_say_more_for_another_model() -> None:
    own = recipe("pepper/pepper").parameters
    gmf, places = settle(own, {}), settle(own, {"model": "prme-g"})
    assert (gmf["model.k"], places["model.k"]) == (8, 10)
    assert settle(own, {"model": "prme-g", "model.k": "3"})["model.k"] == 3
    assert "model.reg" not in places


def test_tables_of_a_recipe_count_where_they_fit_and_in_their_order() -> None:
    own = {"model": "gmf", "rounds": 300, "negatives=paper.rounds": 20, "model=prme-g.rounds": 9}
    for chosen, rounds in (
        ({}, 300),
        ({"negatives": "paper"}, 20),
        ({"model": "prme-g"}, 9),
        ({"model": "prme-g", "negatives": "paper"}, 9),
        ({"negatives": "paper", "rounds": "5"}, 5),
    ):
        assert settle({"protocol": "view-gossip", **own}, chosen)["rounds"] == rounds
