"""Samplers and shields of a gossip run, by name."""

from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.audit import audit
from tacit.experiment.prepare import prepare
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import settle
from tests.experiment.running import run

RECIPE = "hegedus/gossip-merge"
SMALL = {"data.users": 40, "data.items": 60, "data.interactions": 900, "split.n": 2, "rounds": 6}


def settled(chosen: dict[str, object], name: str = RECIPE) -> dict[str, object]:
    return dict(settle(recipe(name).parameters, chosen))


def test_a_shield_brings_parameters_of_its_own() -> None:
    assert settled({"shield": "disclosure", "shield.pi": "0.2"})["shield.pi"] == 0.2
    assert "shield.pi" not in settled({})
    with pytest.raises(BadInput, match=r"^shield\.pi: got 2; allowed: a number from 0, at most 1"):
        settled({"shield": "disclosure", "shield.pi": "2"})


@pytest.mark.parametrize(
    ("name", "chosen", "says"),
    [
        (RECIPE, {"peers": "unifrm"}, r"^peers: got unifrm; did you mean uniform\? known: uniform$"),
        (RECIPE, {"peers": "personalized"}, r"^peers: got personalized; known: uniform$"),
        (RECIPE, {"peers": "graphs"}, r"^peers: got graphs; known: uniform$"),
        (RECIPE, {"shield": "secure-sum"}, r"known: disclosure, known, none, sparse, subsample$"),
        (
            "dymbe/ensemble",
            {"shield": "known"},
            r"^shield: got known; allowed: with protocol clusters or federated or .* ensemble has none",
        ),
        (
            "tacit/best",
            {"shield": "known"},
            r"^shield: got known; allowed: with protocol clusters or .* or gossip or view-gossip, .* push-sum has none",
        ),
        (
            "hegedus/federated",
            {"peers": "uniform"},
            r"^peers: got uniform; allowed: with protocol clusters or",
        ),
        ("pepper/pepper", {"peers": "nope"}, r"^peers: got nope; allowed: personalized, uniform"),
    ],
)
def test_what_does_not_exist_or_does_not_fit_is_one_line(
    name: str, chosen: dict[str, object], says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        settled(chosen, name)


def test_a_shield_that_hides_everything_one_has_is_seen_in_what_was_sent() -> None:
    plain, hidden = (
        run(prepare(RECIPE, "synthetic", {**SMALL, **more}), threads=1)
        for more in ({}, {"shield": "disclosure", "shield.pi": 0})
    )
    assert hidden.cost.bytes_sent < plain.cost.bytes_sent
    assert hidden.cost.messages == plain.cost.messages
    assert plain.per_user["rows_sent_rated"].sum() > 0
    assert hidden.per_user["rows_sent_rated"].sum() == 0


def test_attackers_see_messages_past_the_shield() -> None:
    """With nothing that one has in any message, presence gives everything away: what never comes is the victim's."""
    found = audit(RECIPE, "synthetic", {**SMALL, "shield": "disclosure", "shield.pi": 0}).findings
    by = {finding.attacker: finding.auc for finding in found}
    absent = next(auc for attacker, auc in by.items() if attacker.endswith("one message, by presence"))
    assert absent == 0


def test_clusters_take_both_and_learn_less_wrongly_than_nothing() -> None:
    chosen = {**SMALL, "cluster.size": 5, "shield": "known", "peers": "uniform"}
    result = run(prepare("dymbe/shared-data-clusters", "synthetic", chosen), threads=1)
    assert result.metrics["rmse"] < result.curve[0]["rmse"]


def test_pairwise_models_are_refused_inside_federated_clusters() -> None:
    with pytest.raises(BadInput, match=r"^model: got bpr; allowed: one that draws no negatives"):
        prepare("dymbe/federated-clusters", "synthetic", {**SMALL, "model": "bpr", "init": "random"})
