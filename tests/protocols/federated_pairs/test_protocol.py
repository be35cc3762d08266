from pathlib import Path

import polars as pl
import pytest

import tacit
from tacit.cli.main import call
from tacit.core.errors import BadInput
from tacit.experiment.prepare import prepare

SMALL = {"data.users": 80, "data.items": 120, "data.interactions": 3000, "data.min_user": 0, "epochs": 3}
RECIPES = ["fpl/sfpl", "fpl/sfpl+", "fpl/pfpl", "fpl/pfpl+", "federank/t1", "federank/tx"]


def run(recipe: str, out: Path | None = None, **more: object) -> tacit.Result:
    settings = {**SMALL, **{key.replace("__", "."): value for key, value in more.items()}}
    return tacit.run(recipe, "synthetic", settings=settings, progress=False, out=out)


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_runs_an_epoch_a_round_and_tells_its_cost(recipe: str) -> None:
    result = run(recipe, pi=0.5)
    assert [point["round"] for point in result.curve] == [1, 2, 3]
    cost, train = result.to_json()["cost"], result.split["train"]
    clients = 80 if "/p" in recipe else 1
    triples = train // 80 if recipe.endswith(("+", "tx")) else 1
    rounds = train // clients
    assert cost["cce"] == pytest.approx(clients * rounds * (120 + triples * 1.5))
    assert cost["freshness"] == rounds
    assert cost["normalized_freshness"] == pytest.approx(rounds / train)
    assert cost["node_rounds"] == 3 * clients * rounds
    assert cost["bytes_sent"] > cost["bytes_up"] > 0
    assert result.per_item["updates"].sum() == result.per_user["rows_sent"].sum()


def test_same_seed_same_result_and_learning_beats_chance() -> None:
    first, again = run("federank/tx", epochs=10), run("federank/tx", epochs=10)
    assert first.metrics == again.metrics
    assert (
        first.metrics["precision@10"]
        > 1.5 * run("federank/tx", epochs=1, model__lr=1e-9).metrics["precision@10"]
    )


def test_what_the_server_could_tell(tmp_path: Path) -> None:
    open_hand = run("federank/tx", tmp_path, observe="server").to_json()["cost"]
    closed = run("federank/tx", observe="server", pi=0).to_json()["cost"]
    assert open_hand["observed_clients"] == 50
    assert open_hand["observed_auc"] > 0.99
    assert 0.5 < closed["observed_auc"] <= 1
    seen = pl.read_parquet(tmp_path / "observed.parquet")
    assert seen["user"].n_unique() == 50
    assert seen.filter(pl.col("bias") > 0)["consumed"].all()


def test_each_user_their_own_pi(tmp_path: Path) -> None:
    users = run("federank/t1").per_user["user"]
    pl.DataFrame({"user": users, "pi": [0.0] * 40 + [1.0] * 40}).write_csv(tmp_path / "pi.csv")
    result = run("federank/t1", pi=str(tmp_path / "pi.csv"))
    assert result.per_user["rows_sent_rated"][:40].sum() == 0
    assert result.per_user["rows_sent_rated"][40:].sum() > 0


def test_paper_negatives_are_told_in_the_first_line() -> None:
    assert run("fpl/sfpl", negatives="paper").notes[0].startswith("negatives=paper")
    assert not any("negatives" in note for note in run("fpl/sfpl").notes)


@pytest.mark.parametrize(
    ("recipe", "settings", "line"),
    [
        ("federank/tx", {"pi": "1.5"}, r"^pi: got 1.5; allowed: a number from 0, at most 1, or a .csv"),
        ("federank/tx", {"pi": "-0.1"}, r"^pi: got -0.1"),
        ("federank/tx", {"pi": "some"}, r"^pi: got some; allowed: a number from 0"),
        ("hegedus/gossip", {"pi": "0.5"}, r"^pi: got 0.5; allowed: 1 with protocol gossip"),
        ("federank/tx", {"model": "mf"}, r"^model: got mf; allowed: bpr with protocol federated-pairs"),
        ("federank/tx", {"churn": "generated"}, r"^churn: got generated; allowed: none with protocol"),
        (
            "federank/tx",
            {"clients": 81},
            r"^clients: got 81; allowed: at most 80, the number of users, or all",
        ),
        (
            "federank/tx",
            {"triples": 100000},
            r"^triples: got 100000; allowed: at most \d+, all that user number 0 has",
        ),
        (
            "hegedus/gossip",
            {"model": "bpr", "negatives": "paper"},
            r"^negatives: got paper; allowed: honest with",
        ),
    ],
)
def test_bad_input_gets_one_clear_line(recipe: str, settings: dict[str, object], line: str) -> None:
    with pytest.raises(BadInput, match=line) as problem:
        prepare(recipe, "synthetic", {**SMALL, **settings})
    assert "\n" not in str(problem.value)


def test_bias_without_categories_gets_one_clear_line() -> None:
    frame = pl.DataFrame({"user": [n % 5 for n in range(100)], "item": [n // 5 for n in range(100)]})
    with pytest.raises(BadInput, match=r"^evaluate.bias: got no item category"):
        prepare("fpl/sfpl", frame, {"evaluate.bias": True})


def test_exit_code_two_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "federank/tx", "--data", "synthetic", "--set", "pi=2"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
