"""PEPPER's recipes as a user runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tacit
from tacit.core.compiled.threads import Workers
from tacit.core.errors import BadInput, Interrupted
from tacit.core.interactions import Interactions
from tacit.experiment.prepare import prepare
from tacit.experiment.run import Run
from tacit.models.gmf import GeneralizedMatrixFactorization
from tacit.protocols.view_gossip.protocol import set_aside
from tacit.protocols.view_gossip.simulation import ViewGossipSimulation
from tacit.simulator.churn.sessions import always
from tacit.simulator.simulation import Scenario

SMALL = {"data.users": 40, "data.items": 150, "data.interactions": 1200, "rounds": 4, "split.share": 0.2}
GOSSIP = ["pepper/pepper", "pepper/dec-fedavg", "pepper/model-age", "pepper/dec-reptile"]
FEDERATED = ["pepper/fedavg", "pepper/fedfast", "pepper/reptile"]


def run(recipe: str, **more: object) -> tacit.Result:
    settings = {**SMALL, **{key.replace("__", ".").replace("_", "-"): value for key, value in more.items()}}
    return tacit.run(recipe, "synthetic", settings=settings, progress=False)


@pytest.fixture(scope="module")
def walks() -> pl.DataFrame:
    """Thirty people who walk about among 60 places, each around their own corner."""
    rng = np.random.default_rng(0)
    places = rng.uniform([40.6, -74.1], [40.9, -73.8], (60, 2))
    rows = []
    for user in range(30):
        order = np.argsort(((places - places[user]) ** 2).sum(axis=1))
        for step in range(40):
            place = order[int(rng.exponential(8)) % 60]
            rows.append((f"u{user}", f"p{place}", 3600 * 3 * step, *places[place]))
    return pl.DataFrame(rows, schema=["user", "item", "timestamp", "lat", "lon"], orient="row")


@pytest.mark.parametrize("recipe", [*GOSSIP, *FEDERATED])
def test_every_recipe_runs_with_gmf_and_repeats_with_the_seed(recipe: str) -> None:
    first, again = run(recipe), run(recipe)
    assert first.metrics == again.metrics
    assert set(first.metrics) == {f"{name}@{k}" for name in ("hr", "ndcg", "f1") for k in (5, 10, 20)}
    assert first.curve[-1]["round"] == 4
    assert not any("negatives=paper" in note for note in first.notes)


@pytest.mark.parametrize("recipe", [*GOSSIP, *FEDERATED])
@pytest.mark.parametrize("vectors", ["private", "travel"])
def test_every_recipe_runs_with_prme_g(recipe: str, vectors: str, walks: pl.DataFrame) -> None:
    if recipe == "pepper/fedfast" and vectors == "travel":
        pytest.skip("FedFast keeps vectors apart")
    settings = {
        "model": "prme-g",
        "rounds": 2,
        "model.k": 4,
        "user-vectors": vectors,
        "data.duplicates": "latest",
    }
    result = tacit.run(recipe, walks, settings={**settings, "evaluate.negatives": 20}, progress=False)
    assert 0 <= result.metrics["f1@5"] <= 1


def test_prme_g_learns_where_people_go(walks: pl.DataFrame) -> None:
    settings = {
        "model": "prme-g",
        "model.k": 6,
        "model.lr": 0.05,
        "data.duplicates": "latest",
        "evaluate.negatives": 20,
    }
    result = tacit.run("pepper/fedavg", walks, settings={**settings, "rounds": 30}, progress=False)
    first = tacit.run("pepper/fedavg", walks, settings={**settings, "rounds": 1}, progress=False)
    assert result.metrics["hr@5"] > first.metrics["hr@5"] + 0.1


def test_the_papers_negatives_are_told_first_and_make_figures_better() -> None:
    long = {"rounds": 40, "data__interactions": 2500}
    honest, paper = run("pepper/dec-fedavg", **long), run("pepper/dec-fedavg", negatives="paper", **long)
    assert paper.notes[0].startswith("negatives=paper")
    assert paper.metrics["hr@20"] > honest.metrics["hr@20"] + 0.03


def test_fedfast_says_what_its_server_sees() -> None:
    assert any("the server sees user embeddings" in note for note in run("pepper/fedfast").notes)
    with pytest.raises(BadInput, match=r"^user-vectors: got travel; allowed: private with clusters"):
        run("pepper/fedfast", user_vectors="travel")


@pytest.mark.parametrize("recipe", GOSSIP)
def test_what_is_shown_changes_nothing_in_what_is_sent(recipe: str) -> None:
    results = [run(recipe, read_out=kind) for kind in ("local", "merged", "averaged")]
    assert len({result.cost.bytes_sent for result in results}) == 1
    assert len({result.metrics["ndcg@20"] for result in results}) == 3


def test_more_about_users_and_how_figures_are_spread() -> None:
    result = run("pepper/pepper", evaluate__convergence=True, timing=True)
    each = result.per_user
    assert each["models_received"].sum() == result.cost.node_rounds
    assert (each["seconds"] > 0).all()
    assert set(each["rounds_to_convergence"].drop_nulls().unique()) <= {1, 2, 3, 4}
    spread = result.to_json()["spread"]["hr@20"]
    assert spread["p10"] <= spread["p50"] <= spread["p99"]
    assert spread["zero"] == pytest.approx((each["hr@20"] == 0).mean())


def test_a_weighting_set_is_as_large_as_the_test_part_and_leaves_something() -> None:
    train = Interactions.from_pairs(
        [0] * 14 + [1] * 5 + [2] * 2, [*range(14), *range(5), 0, 1], users=3, items=20
    )
    run = Scenario(GeneralizedMatrixFactorization(), train, 0, always(), held=np.array([3, 0, 2]))
    assert set_aside(run).tolist() == [3, 0, 0]


APART = {"start": "staggered", "periods": 4, "bandwidths": 3}


@pytest.mark.parametrize("recipe", GOSSIP)
def test_every_recipe_runs_in_its_own_time_and_repeats_with_the_seed(recipe: str) -> None:
    rounds, apart, again = run(recipe), run(recipe, **APART), run(recipe, **APART)
    assert apart.metrics == again.metrics != rounds.metrics
    assert 0 < apart.cost.node_rounds < apart.cost.messages < rounds.cost.messages
    per_message = [result.cost.bytes_sent / result.cost.messages for result in (rounds, apart)]
    assert per_message[0] == per_message[1]


def test_prme_g_and_travelling_vectors_in_their_own_time(walks: pl.DataFrame) -> None:
    settings = {
        "model": "prme-g",
        "rounds": 2,
        "model.k": 4,
        "user-vectors": "travel",
        "evaluate.negatives": 20,
    }
    result = tacit.run("pepper/pepper", walks, settings={**settings, **APART}, progress=False)
    assert 0 <= result.metrics["f1@5"] <= 1


def test_asynchronous_runs_with_churn_and_with_timing() -> None:
    result = run("pepper/pepper", rounds=30, churn="generated", bandwidth="high", timing=True, **APART)
    assert 0 < result.cost.node_rounds < result.cost.messages
    assert ((result.per_user["seconds"] > 0) | (result.per_user["models_received"] == 0)).all()


def test_churn_lasts_as_long_as_the_rounds_do() -> None:
    """A round is as long as three transfers: somebody must be online in the last one, too."""
    for more in ({}, {"view": 6}):
        x = prepare(
            "pepper/pepper",
            "synthetic",
            {**SMALL, **more, "rounds": 200, "churn": "generated", "bandwidth": "high"},
        )
        end = x.horizon(x.protocol.build(x.scenario()).period)
        assert x.sessions.begin.max() > end - 3600 * 1_000_000


def test_an_asynchronous_run_goes_on_where_it_stopped(tmp_path: Path) -> None:
    settings = {**SMALL, **APART, "rounds": 6}
    whole = tacit.run("pepper/pepper", "synthetic", settings=settings, progress=False)
    x = prepare("pepper/pepper", "synthetic", settings)
    calls = iter(range(100))
    with pytest.raises(Interrupted):
        Run(x, out=tmp_path).go(stop=lambda: next(calls) >= 2)
    resumed = Run(prepare("pepper/pepper", "synthetic", settings), out=tmp_path, resume=True).go().result
    assert resumed.metrics == whole.metrics
    assert resumed.cost.bytes_sent == whole.cost.bytes_sent


def test_what_messages_tell_beside_the_model_is_said() -> None:
    told = "every message also tells which peers are in its sender's view, by number"
    assert f"{told}; some of them suit its user best" in run("pepper/pepper").notes
    assert told in run("pepper/model-age").notes
    silent = run("pepper/pepper", strangers="everybody")
    assert not any(told in note for note in silent.notes)
    assert silent.cost.bytes_sent == run("pepper/pepper").cost.bytes_sent - 12 * silent.cost.messages


@pytest.mark.parametrize(
    "setting",
    [{"strangers": "everybody"}, {"view__scores": "best"}, {"view__period": 2}, {"weighting__spared": True}],
)
def test_each_choice_of_the_text_changes_something(setting: dict[str, object]) -> None:
    assert run("pepper/pepper", rounds=8, **setting).metrics != run("pepper/pepper", rounds=8).metrics


def test_negatives_that_spare_the_weighting_set_never_touch_it() -> None:
    """Negatives are outside what a node has to learn from: there its weighting set stands, marked, or does not."""
    for spared in (True, False):
        x = prepare("pepper/pepper", "synthetic", {**SMALL, "weighting.spared": spared})
        simulation = x.protocol.build(x.scenario())
        assert isinstance(simulation, ViewGossipSimulation)
        node, aside = simulation._data, simulation._aside
        for u in range(40):
            own = node.item[node.start[u] : node.start[u + 1]]
            inside = np.isin(aside.item[aside.start[u] : aside.start[u + 1]], own)
            assert inside.all() if spared else not inside.any()


@pytest.mark.parametrize("key", ["periods", "bandwidths"])
@pytest.mark.parametrize("value", ["0.5", "fast", "1000"])
def test_a_ratio_below_one_is_refused_in_one_line(key: str, value: str) -> None:
    with pytest.raises(BadInput, match=rf"^{key}: got {value}; allowed: a number from 1, at most 100"):
        prepare("pepper/pepper", "synthetic", {key: value})


def test_federated_recipes_have_rounds_only() -> None:
    with pytest.raises(BadInput, match=r"^start: got staggered; allowed: synchronous"):
        prepare("pepper/fedavg", "synthetic", {"start": "staggered"})


def csv(path: Path, users: int, each: int = 8) -> str:
    rows = [f"u{u},i{(u + 3 * n) % 30}" for u in range(users) for n in range(each)]
    path.write_text("user,item\n" + "\n".join(rows) + "\n")
    return str(path)


def test_two_nodes_and_a_view_larger_than_the_network(tmp_path: Path) -> None:
    settings = {"rounds": 3, "evaluate.negatives": 5}
    result = tacit.run("pepper/pepper", csv(tmp_path / "two.csv", 2), settings=settings, progress=False)
    assert result.cost.messages == 3 * 2
    assert any(note.startswith("a view of 3 is larger than the network") for note in result.notes)


def test_one_node_has_nobody_to_gossip_with(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as told:
        prepare("pepper/pepper", csv(tmp_path / "one.csv", 1))
    assert "\n" not in str(told.value)


def test_users_with_too_few_interactions_are_kept_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "few.csv"
    csv(path, 6, 14)
    path.write_text(path.read_text() + "new,i1\nnew,i2\n")
    result = tacit.run(
        "pepper/pepper", str(path), settings={"rounds": 2, "evaluate.negatives": 5}, progress=False
    )
    assert any(
        note.startswith("1 of 7 users have too few interactions for a weighting set") for note in result.notes
    )
    assert result.per_user.filter(pl.col("user") == "new")["train"].item() == 2


def test_merges_of_rows_and_of_models_are_not_confused() -> None:
    with pytest.raises(
        BadInput, match=r"^merge: got age-average; allowed: performance, samples or model-age"
    ):
        prepare("pepper/pepper", "synthetic", {"merge": "age-average"})
    with pytest.raises(BadInput, match=r"^merge: got performance; allowed: a merge of single rows"):
        prepare("hegedus/gossip-merge", "synthetic", {"merge": "performance"})


def test_prme_g_needs_times_and_places() -> None:
    frame = pl.DataFrame(
        {"user": [1, 1, 2, 2] * 4, "item": range(16), "lat": [40.0] * 16, "lon": [-74.0] * 16}
    )
    with pytest.raises(BadInput, match="no visit has a time"):
        prepare("pepper/pepper", frame, {"model": "prme-g"})
    timed = frame.drop("lat", "lon").with_columns(timestamp=pl.arange(16, eager=True))
    with pytest.raises(BadInput, match="no place has coordinates"):
        prepare("pepper/pepper", timed, {"model": "prme-g"})


@pytest.mark.parametrize("recipe", ["pepper/dec-fedavg", "pepper/fedavg"])
def test_where_visits_are_learned_from_they_are_the_samples_that_weigh(
    recipe: str, walks: pl.DataFrame
) -> None:
    settings = {"model": "prme-g", "data.min_user": 0, "data.min_item": 0}
    if recipe == "pepper/fedavg":
        settings["weights"] = "samples"
    x = prepare(recipe, walks, settings)
    built: Any = x.protocol.build(x.scenario(Workers(1)))
    events, visits = x.dataset.events.select("user", "item").rows(), [0] * 30
    for user, item in events:
        visits[user] += item in x.split.train.of(user)[0]
    assert built._samples.tolist() == visits
    assert (x.split.train.counts < visits).all(), "everybody comes back to some place"
    found = tacit.run(recipe, walks, settings={**settings, "rounds": 2}, progress=False)
    assert found.metrics, "a rehearsal with three people comes before a run, and has no counts of its own"
