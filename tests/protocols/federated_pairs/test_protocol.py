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


def test_each_user_their_own_triples(tmp_path: Path) -> None:
    users = run("federank/t1").per_user["user"]
    table = pl.DataFrame({"user": users[:60], "triples": [0] * 20 + [1] * 20 + [9] * 20})
    table.write_csv(tmp_path / "t.csv")
    result = run("fpl/pfpl", triples=str(tmp_path / "t.csv"))
    mean = result.split["train"] // 80
    assert "20 of 80 users are not in t.csv: they draw X+/N (mean)" in result.notes
    assert result.per_user["messages"][:20].sum() == 0
    rounds = result.to_json()["cost"]["freshness"]
    assert result.per_user["messages"][20:].to_list() == [3 * rounds] * 60
    rows = result.per_user["rows_sent"] / (3 * rounds)
    assert rows[20:40].to_list() == [2.0] * 20, "one pair is two rows"
    assert rows[40:60].mean() > 6
    assert rows[60:].mean() > rows[40:60].mean()
    assert result.to_json()["cost"]["cce"] == pytest.approx(
        rounds * (60 * 120 + 2 * (20 * 1 + 20 * 9 + 20 * mean))
    )


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("1.5", r"^triples: got 1.5 for user \S+; allowed: a whole number from 0"),
        ("-1", r"^triples: got -1 for user"),
        ("many", r"^triples: got many for user"),
    ],
)
def test_bad_files_of_triples_get_one_clear_line(tmp_path: Path, cell: str, line: str) -> None:
    user = run("federank/t1").per_user["user"][0]
    (tmp_path / "t.csv").write_text(f"user,triples\n{user},{cell}\n")
    with pytest.raises(BadInput, match=line):
        prepare("fpl/sfpl", "synthetic", {**SMALL, "triples": str(tmp_path / "t.csv")})


@pytest.mark.parametrize("recipe", RECIPES)
def test_clients_come_and_go(recipe: str, tmp_path: Path) -> None:
    result, all_there = run(recipe, churn="generated"), run(recipe)
    cost, full = (one.to_json()["cost"] for one in (result, all_there))
    assert 0 < cost["clients_per_round"] < (40 if "/p" in recipe else 1)
    assert cost["updates_lost"] > 0
    assert cost["bytes_up"] < full["bytes_up"]
    assert any("these days are repeated" in note for note in result.notes)
    assert result.metrics["precision@10"] is not None, "everybody is measured, online or not"
    again = tacit.run(
        recipe, "synthetic", settings={**SMALL, "churn": "generated"}, progress=False, threads=2
    )
    assert again.curve == result.curve
    absent = tmp_path / "trace.csv"
    users = result.per_user["user"]
    absent.write_text("node,start,end\n" + "".join(f"{user},0,86400\n" for user in users[:30]))
    named = run(recipe, churn=str(absent))
    assert named.per_user["messages"][30:].sum() == 0
    assert named.per_user["messages"][:30].min() > 0
    assert "50 of 80 nodes are not in the churn trace and are never online" in named.notes


def test_the_catalogue_of_the_training_part() -> None:
    frame = pl.DataFrame(
        {
            "user": [u for u in range(30) for _ in range(10)],
            "item": [(u % 3) * 5 + n if n < 8 else 100 + 2 * u + n for u in range(30) for n in range(10)],
            "timestamp": list(range(10)) * 30,
        }
    )
    few = {"data.min_user": 0, "epochs": 1}
    whole, part = (
        tacit.run("fpl/sfpl", frame, settings={**few, **more}, progress=False)
        for more in ({}, {"data.catalogue": "training"})
    )
    assert whole.data["items"] == 18 + len(set(frame.filter(pl.col("timestamp") > 7)["item"]))
    assert part.data["items"] == 18
    assert any(note.startswith("the catalogue is that of the training part") for note in part.notes)


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
        ("federank/tx", {"churn": "nowhere.csv"}, r"^churn trace: got no such file"),
        (
            "federank/tx",
            {"triples": "0"},
            r"^triples: got 0; allowed: mean, a whole number from 1, or a .csv",
        ),
        ("federank/tx", {"triples": "some"}, r"^triples: got some; allowed: mean, a whole number from 1"),
        (
            "federank/tx",
            {"triples": "no.csv"},
            r"^triples: got no.csv; allowed: .*user,triples \(it cannot be",
        ),
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
    frame = pl.DataFrame({"user": [n % 5 for n in range(100)], "item": [n % 19 for n in range(100)]})
    with pytest.raises(BadInput, match=r"^evaluate.bias: got no item category"):
        prepare("fpl/sfpl", frame, {"evaluate.bias": True})


def test_exit_code_two_and_no_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(["run", "federank/tx", "--data", "synthetic", "--set", "pi=2"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
