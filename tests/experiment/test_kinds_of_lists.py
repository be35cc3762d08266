from pathlib import Path

import msgspec
import pytest

import tacit
from tacit.core.errors import BadInput
from tacit.experiment.kinds_of_lists import one_kind, qualified, told_apart
from tacit.experiment.run_folder import read_result
from tests.report.factory import make_result

SMALL = {"data.users": 30, "data.items": 400, "data.interactions": 900, "data.min_user": 0}
PER_ITEM = "per held-out item among 100"


def test_the_result_says_what_kind_of_list_its_metrics_are_of() -> None:
    found = {
        kind: tacit.run("baseline/popular", "synthetic", settings={**SMALL, "evaluate": kind}, progress=False)
        for kind in ("full", "sampled")
    }
    told = {kind: result.to_json()["evaluation"] for kind, result in found.items()}
    assert told["full"] == {"kind": "full", "list": "one list per user", "ties": told["full"]["ties"]}
    assert told["sampled"]["list"] == PER_ITEM
    assert found["sampled"].list_of("hr@20") == found["sampled"].list_of("ndcg@5") == PER_ITEM
    assert found["sampled"].list_of("f1@20") == "per user, held-out items together among 100"
    assert found["full"].list_of("hr@10") == "one list per user"


def test_a_list_that_is_shorter_for_somebody_says_so() -> None:
    settings = {**SMALL, "data.items": 60, "evaluate": "sampled"}
    result = tacit.run("baseline/popular", "synthetic", settings=settings, progress=False)
    assert result.list_of("hr@20") == "per held-out item among up to 100"
    assert result.list_of("f1@20") == "per user, held-out items together among up to 100"


def test_ratings_have_no_lists() -> None:
    result = tacit.run(
        "hegedus/federated",
        "synthetic",
        settings={**SMALL, "evaluate": "rating", "rounds": 1},
        progress=False,
    )
    assert result.to_json()["evaluation"] == {"kind": "rating"}
    assert result.list_of("rmse") == ""


def test_other_numbers_of_negatives_are_other_kinds() -> None:
    runs = [
        make_result("a/b", finals={"hr@20": 0.5}, evaluate="sampled", **{"evaluate.negatives": count})
        for count in (50, 100)
    ]
    assert [run.list_of("hr@20") for run in runs] == ["per held-out item among 50", PER_ITEM]
    assert qualified("hr@20", runs[1:]) == f"hr@20, {PER_ITEM}"
    with pytest.raises(
        BadInput, match=r"^hr@20: got runs of different kinds: .* 50 and .* 100; allowed: runs"
    ):
        one_kind("hr@20", runs)


def test_runs_of_both_kinds_are_told_apart_in_metrics_curves_and_users() -> None:
    finals = {"hr@10": 0.5, "item_coverage@10": 7.0}
    runs = [make_result(f"a/{kind}", finals=finals, evaluate=kind) for kind in ("full", "sampled")]
    one, other = told_apart(runs)
    assert set(one.metrics) == {"hr@10, one list per user", "item_coverage@10, one list per user"}
    assert f"hr@10, {PER_ITEM}" in other.metrics
    assert f"hr@10, {PER_ITEM}" in other.curve[-1]
    assert f"hr@10, {PER_ITEM}" in other.per_user.columns
    assert told_apart(runs[:1]) == runs[:1], "nothing to tell apart"


def test_results_of_older_versions_are_read(tmp_path: Path) -> None:
    """They have gini@K for what is evenness@K, and do not say how they were measured."""
    settings = {**SMALL, "evaluate": "full"}
    result = tacit.run("baseline/popular", "synthetic", settings=settings, out=tmp_path, progress=False)
    path = tmp_path / "result.json"
    old = msgspec.json.decode(path.read_bytes())
    del old["evaluation"], old["notes"]
    for values in (old["metrics"], *old["curve"]):
        values["gini@10"] = values.pop("evenness@10")
    path.write_bytes(msgspec.json.encode(old))
    read, _ = read_result(tmp_path)
    assert read.metrics == result.metrics
    assert read.curve == result.curve
    assert read.list_of("hr@10") == "one list per user"
    assert read.notes == result.notes
