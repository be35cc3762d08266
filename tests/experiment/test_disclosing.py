"""Who discloses what: by share, by kind of item, anew each time or once and for all; in results and in audits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tacit
from tacit.core.errors import BadInput
from tacit.experiment.audit import audit
from tacit.experiment.disclosing import SILENCE
from tacit.experiment.experiment import Experiment
from tacit.experiment.prepare import for_validation, prepare

SMALL = {"data.users": 60, "data.items": 150, "data.interactions": 3000, "data.min_user": 0}
SHORT = {**SMALL, "epochs": 3}


def prepared(recipe: str, **settings: Any) -> Experiment:
    chosen = {key.replace("__", "."): value for key, value in settings.items()}
    return prepare(recipe, "synthetic", {**SMALL, **chosen})


def run(recipe: str, **settings: Any) -> tacit.Result:
    chosen = {key.replace("__", "."): value for key, value in settings.items()}
    return tacit.run(recipe, "synthetic", settings={**SHORT, **chosen}, progress=False)


def test_results_say_that_silence_tells_something_too() -> None:
    assert SILENCE in run("fpl/sfpl", pi=0.5).notes
    assert SILENCE in run("fpl/sfpl", disclose="likes").notes
    assert SILENCE not in run("fpl/sfpl").notes


def test_a_user_who_is_not_in_a_file_discloses_nothing(tmp_path: Path) -> None:
    users = run("fpl/pfpl").per_user["user"]
    pl.DataFrame({"user": users[:30], "pi": [1.0] * 30}).write_csv(tmp_path / "pi.csv")
    result = run("fpl/pfpl", pi=str(tmp_path / "pi.csv"))
    assert result.per_user["rows_sent_rated"][30:].sum() == 0
    assert result.per_user["rows_sent_rated"][:30].min() > 0
    assert "30 of 60 users are not in pi.csv: they disclose nothing (pi 0)" in result.notes


@pytest.mark.parametrize("disclose", ["likes", "likes:5", "not:Comedy"])
def test_updates_of_a_kind_that_may_not_leave_are_never_sent(disclose: str) -> None:
    frame = _with_genres()
    result = tacit.run(
        "fpl/sfpl+", frame, settings={"data.min_user": 0, "epochs": 3, "observe": "server", "disclose": disclose},
        progress=False,
    )  # fmt: skip
    seen = result.observed.filter(pl.col("consumed"))
    own = frame.with_columns(pl.col("user", "item").cast(pl.String))
    told = seen.join(own, on=["user", "item"])
    assert len(told) == len(seen) > 0
    if disclose == "not:Comedy":
        assert not told["genres"].str.contains("Comedy").any()
    else:
        assert told["rating"].min() == (5 if disclose == "likes:5" else 4)


def _with_genres() -> pl.DataFrame:
    rows = [
        (u, i, 1 + (u * 7 + i * 3) % 5) for u in range(40) for i in range(80) if (u * 31 + i * 17) % 4 == 0
    ]
    frame = pl.DataFrame(rows, ["user", "item", "rating"], orient="row")
    genres = pl.when(pl.col("item") % 3 == 0).then(pl.lit("Comedy|Drama")).otherwise(pl.lit("Drama"))
    return frame.with_columns(genres=genres, timestamp=pl.int_range(len(frame)))


def test_fixed_items_what_takes_part_is_the_same_in_every_protocol_and_split() -> None:
    taking = [
        prepared(recipe, pi=0.4, pi__rule="fixed-items", split="temporal", split__share=0.2).scenario().train
        for recipe in ("fpl/sfpl", "hegedus/gossip", "pepper/fedavg")
    ]
    for other in taking[1:]:
        assert np.array_equal(other.item, taking[0].item)
        assert np.array_equal(other.start, taking[0].start)
    x = prepared("fpl/sfpl", pi=0.4, pi__rule="fixed-items")
    whole, tuning = x.scenario().train, for_validation(x).scenario().train
    keys = [set(zip(one.user.tolist(), one.item.tolist(), strict=True)) for one in (tuning, whole)]
    assert keys[0] < keys[1]
    assert len(whole) == pytest.approx(0.4 * len(x.split.train), rel=0.1)


@pytest.mark.parametrize("recipe", ["fpl/sfpl+", "fpl/pfpl", "hegedus/gossip-merge", "pepper/fedavg"])
def test_fixed_items_hidden_ones_leave_no_mark(recipe: str) -> None:
    """With other hidden ratings, and with none, everything that is learned and sent is the same bits."""
    x = prepared(recipe, pi=0.5, pi__rule="fixed-items", rounds=4)
    assert x.disclosing is not None
    train = x.split.train
    takes_part = x.disclosing.takes_part(train, x.seed)
    assert 0 < takes_part.sum() < len(train)
    states = []
    for hidden in (0.0, 5.0, None):
        parts = train.take(takes_part if hidden is None else np.ones(len(train), np.bool_))
        if hidden is not None:
            parts.value[~takes_part] = hidden
        scenario = replace(x, split=replace(x.split, train=parts)).scenario()
        simulation = x.protocol.build(replace(scenario, interactions=len(train)))
        simulation.advance(4 * simulation.period)
        states.append([array.tobytes() for array in (*simulation.fleet.slots, simulation.fleet.private)])
        states[-1].append(simulation.traffic.bytes.tobytes())
    assert states[0] == states[1] == states[2]


def test_fixed_items_with_everything_disclosed_is_the_same_run() -> None:
    one, two = (run("fpl/sfpl", **more) for more in ({}, {"pi__rule": "fixed-items"}))
    assert one.metrics == two.metrics
    assert not any("are learned from" in note for note in two.notes)


def test_fixed_items_says_how_many_take_part() -> None:
    result = run("hegedus/gossip-merge", pi=0.5, pi__rule="fixed-items", rounds=2)
    assert any("training interactions are learned from" in note for note in result.notes)
    assert SILENCE not in result.notes


def test_likes_only_in_gossip() -> None:
    x = prepared("hegedus/gossip-merge", disclose="likes", pi__rule="fixed-items")
    assert x.scenario().train.value.min() >= 3.5 > x.split.train.value.min()


@pytest.mark.parametrize(
    ("recipe", "settings", "line"),
    [
        (
            "hegedus/gossip",
            {"pi": 0.5},
            r"^pi: got 0.5; allowed: 1 with protocol gossip, .*or pi.rule=fixed-items",
        ),
        ("hegedus/gossip", {"disclose": "likes"}, r"^disclose: got likes; allowed: all with protocol gossip"),
        (
            "fpl/sfpl",
            {"disclose": "some"},
            r"^disclose: got some; allowed: all, likes, likes:RATING, category:",
        ),
        ("fpl/sfpl", {"disclose": "category:War"}, r"^disclose: category: got War; known: "),
        ("fpl/sfpl", {"disclose": "none.csv"}, r"^disclose: got none.csv; allowed: .*cannot be read"),
        ("fpl/sfpl", {"pi.rule": "once"}, r"^pi.rule: got once; allowed: each-time, fixed-items"),
        (
            "fpl/sfpl",
            {"pi.rule": "fixed-items", "pi": 0.5, "negatives": "paper"},
            r"^negatives: got paper; allowed: honest with pi.rule=fixed-items",
        ),
    ],
)
def test_bad_input_gets_one_clear_line(recipe: str, settings: dict[str, Any], line: str) -> None:
    with pytest.raises(BadInput, match=line) as problem:
        prepare(recipe, "synthetic", {**SMALL, **settings})
    assert "\n" not in str(problem.value)


def test_an_audit_tells_what_is_kept_back_from_what_is_not() -> None:
    found = audit("fpl/sfpl+", "synthetic", {**SHORT, "disclose": "likes", "pi": 0.99}).findings
    by_name = {finding.attacker: finding for finding in found}
    assert {finding.settings.get("pi") for finding in found[1:]} == {0.99}, "the pi that was set"
    silent = by_name["server, everything over a run, by silence, what is kept back"]
    signed = by_name["server, everything over a run, by sign, what is kept back"]
    # Held back, and told all the same: everything else comes as a negative, sooner or later.
    assert silent.auc_all > 0.9
    assert signed.auc_all > 0.9
    fixed = audit(
        "fpl/sfpl+", "synthetic", {**SHORT, "disclose": "likes", "pi.rule": "fixed-items", "pi": 0.99}
    )
    hidden = [one for one in fixed.findings if one.attacker.endswith("what is kept back")]
    assert [one.attacker.split(", ")[2] for one in hidden] == ["by sign", "by silence", "by size"]
    assert all(one.auc < 0.65 for one in hidden), hidden


def test_an_audit_of_gossip_with_fixed_items() -> None:
    settings = {**SMALL, "rounds": 30, "pi": 0.5, "pi.rule": "fixed-items"}
    found = audit("hegedus/gossip-merge", "synthetic", settings).findings
    by_name = {finding.attacker: finding for finding in found}
    shown = by_name["20 messages over a run, by ages"]
    hidden = by_name["20 messages over a run, by ages, what is kept back"]
    assert shown.auc > 0.65
    assert hidden.auc == pytest.approx(0.5, abs=0.1)


def test_without_a_pi_an_audit_goes_over_several() -> None:
    found = audit("fpl/sfpl+", "synthetic", {**SHORT, "pi.rule": "fixed-items"}).findings
    assert [one.auc for one in found if one.settings.get("pi") == 0.0] == [0.5] * 3, "nothing is sent"
    anew = audit("fpl/sfpl+", "synthetic", SHORT).findings
    assert max(one.auc for one in anew if one.settings.get("pi") == 0.0) > 0.9
    assert [one.settings["pi"] for one in found if one.attacker.endswith("by sign")] == [1.0, 0.5, 0.1, 0.0]
