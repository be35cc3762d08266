"""Attackers find what is there to be found, and masks leave them nothing."""

from importlib.metadata import EntryPoint, EntryPoints

import numpy as np
import pytest

from tacit.attacks.base import judge, knowing_popularity, victims
from tacit.attacks.curious_partner import ALL_PARTNERS, EVERYTHING, PARTNER, RECEIVER, TASTE
from tacit.core import registry
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.experiment.audit import Audit, attackers, audit

SMALL = {"data.users": 60, "data.items": 120, "data.interactions": 2400}


def by_name(found: Audit, **settings: float) -> dict[str, float]:
    return {
        finding.attacker: finding.auc
        for finding in found.findings
        if all(finding.settings.get(key) == value for key, value in settings.items())
    }


def test_without_masks_a_share_tells_everything_and_with_masks_nothing() -> None:
    found = audit("tacit/best", "synthetic", {**SMALL, "rounds": 75})
    bare, masked = by_name(found, masks=0.0), by_name(found, masks=24.0)
    # In so small a network others' shares arrive before some nodes send their first.
    assert bare[RECEIVER] > 0.75
    assert bare[EVERYTHING] > 0.75
    assert bare[TASTE] > 0.6
    assert masked[RECEIVER] == pytest.approx(0.5, abs=0.05)
    assert masked[PARTNER] == pytest.approx(0.5, abs=0.06)
    assert masked[TASTE] == pytest.approx(0.5, abs=0.06)
    # The mask is gone: it protects against some partners, not all. What is left is rounding, which is not meant to.
    assert masked[ALL_PARTNERS] > 0.56
    entry = found.to_json()["attackers"][0]
    assert {"attacker", "auc", "precision@|I|"} <= set(entry)


def test_a_server_that_adds_up_sees_everything() -> None:
    found = by_name(audit("tacit/federated", "synthetic", SMALL))
    assert found["server, one upload"] == 1.0


def test_gossiped_models_give_their_rows_away() -> None:
    found = by_name(audit("hegedus/gossip-merge", "synthetic", {**SMALL, "rounds": 40}))
    assert found["20 messages over a run, by ages"] > 0.9
    pepper = by_name(audit("pepper/pepper", "synthetic", {**SMALL, "rounds": 6}))
    assert pepper["receiver, one message, by scores"] > 0.6
    some = by_name(audit("hegedus/gossip-10", "synthetic", {**SMALL, "rounds": 40}))
    assert some["receiver, one message, by presence"] > 0.5


def test_a_server_that_averages_whole_models_sees_which_rows_moved_and_which_way() -> None:
    found = by_name(audit("pepper/fedavg", "synthetic", {**SMALL, "data.items": 800, "rounds": 20}))
    assert found["server, one upload, by distance"] > 0.9
    assert found["server, 20 uploads over a run, by direction"] > 0.8


def test_pair_wise_learning_at_several_pi() -> None:
    found = audit("federank/tx", "synthetic", {**SMALL, "data.min_user": 0, "epochs": 2})
    assert by_name(found, pi=1.0)["server, everything over a run, by sign"] > 0.95
    assert by_name(found, pi=0.0)["server, everything over a run, by silence"] > 0.5


def test_popularity_alone_tells_nothing_about_anybody() -> None:
    rng = np.random.default_rng(0)
    chance = np.linspace(0.05, 0.8, 400)
    table = Interactions.from_pairs(*np.nonzero(rng.random((80, 400)) < chance), users=80, items=400)
    nobody = knowing_popularity(table, victims(table, 0))
    assert nobody.auc == pytest.approx(0.5, abs=0.03)
    assert nobody.auc_all > 0.6
    perfect = judge("all", {3: np.isin(np.arange(400), table.of(3)[0]).astype(float)}, table)
    assert (perfect.auc, perfect.auc_all, perfect.precision) == (1.0, 1.0, 1.0)


def test_what_cannot_be_audited_is_refused() -> None:
    with pytest.raises(BadInput, match="got protocol baseline"):
        audit("baseline/popular", "synthetic", {**SMALL, "data.min_user": 0})


def test_an_attack_that_can_never_play_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    found = EntryPoints(
        [
            EntryPoint("curious-receiver-2", "tests.nosuch", "tacit.attacks"),
            EntryPoint("typo", "tests.experiment.typo_attack", "tacit.attacks"),
        ]
    )
    monkeypatch.setattr(registry, "_outside", lambda group: found.select(group=group))
    played, notes = attackers(None, "gossip")
    assert "typo" in [one.name for one in played]
    assert len(notes) == 2
    assert notes[0].startswith(
        "attack curious-receiver-2 is left out, for it is broken: attack curious-receiver-2"
    )
    assert "attack typo: against: got gosip; did you mean gossip?" in notes[1]
    assert "typo_attack.py, line" in notes[1]
