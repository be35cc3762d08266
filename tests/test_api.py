"""tacit as a library: everything that takes data takes all kinds of it, and what comes back can be asked."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.sparse as sp

import tacit
from tacit.core.errors import BadInput
from tacit.models import MF
from tacit.papers.base import Paper
from tacit.protocols import Gossip
from tests.papers.fake_paper import fake_paper as fake_paper
from tests.report.factory import make_result

ROWS = [(u, 100 + i, 1 + (u * i) % 5) for u in range(14) for i in range(18) if (u * 3 + i * 7) % 4]
FRAME = pl.DataFrame(ROWS, schema=["user", "item", "rating"], orient="row")
QUICK: dict[str, Any] = {"rounds": 2, "split.n": 3}
RECIPE = "hegedus/federated"


def run(data: Any, **more: Any) -> tacit.Result:
    return tacit.run(RECIPE, data, settings=QUICK, progress=False, **more)


def test_all_kinds_of_data_give_the_same_run(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "mine.csv")
    expected = run(FRAME).metrics
    matrix = sp.csr_matrix((FRAME["rating"].to_numpy(), (FRAME["user"].to_numpy(), FRAME["item"].to_numpy())))
    for data in (tmp_path / "mine.csv", str(tmp_path / "mine.csv"), FRAME.lazy(), tacit.load(FRAME), matrix):
        assert run(data).metrics == expected
    pd = pytest.importorskip("pandas", reason="pandas is not installed (extra oracles)")
    assert run(pd.DataFrame(FRAME.to_dict(as_series=False))).metrics == expected


def test_a_data_set_is_accepted_everywhere(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "mine.csv")
    data = tacit.load(tmp_path / "mine.csv")
    compared = tacit.compare([RECIPE, "hegedus/gossip"], data, settings=QUICK, progress=False)
    assert compared.results[0].metrics == run(data).metrics
    swept = tacit.sweep(RECIPE, {"model.k": [2, 3]}, data, settings=QUICK, progress=False)
    assert len(swept.tried) == 2
    audited = tacit.audit("hegedus/gossip", data, settings=QUICK, progress=False)
    assert audited.table().columns == ["attacker", "setting", "auc", "auc_all", "precision"]
    assert run(data).data == run(tmp_path / "mine.csv").data, "the same checksum, whichever way"


def test_columns_are_named_once_for_all(tmp_path: Path) -> None:
    other = FRAME.rename({"user": "who", "item": "what"})
    columns = {"user": "who", "item": "what"}
    assert run(other, columns=columns, out=tmp_path / "run").metrics == run(FRAME).metrics
    assert tacit.open(tmp_path / "run").recommend(3, 2).items, "its rows are saved under our names"
    other.write_csv(tmp_path / "mine.csv")
    result = run(tmp_path / "mine.csv", columns="user=who,item=what")
    assert result.metrics == run(FRAME).metrics
    assert result.parameters["data.columns"] == "user=who,item=what"
    with pytest.raises(BadInput, match="columns: got user=who; allowed: a file or a frame"):
        run(tacit.load(FRAME), columns={"user": "who"})


def test_a_folder_is_opened_as_the_same_result(tmp_path: Path) -> None:
    alive, saved = run(FRAME), run(FRAME, out=tmp_path)
    opened = tacit.open(tmp_path)
    assert type(opened) is tacit.Result
    for result in (saved, opened):
        assert result.metrics == alive.metrics
        assert result.per_user.equals(alive.per_user)
        assert result.recommend(3, 4) == alive.recommend("3", 4)
        assert result.lists(3).equals(alive.lists(3))
        assert np.array_equal(result.item_factors(), alive.item_factors())
        assert result.score(3, [101, 102]).tolist() == alive.score(3, [101, 102]).tolist()
        assert result.parts().equals(alive.parts())
        assert result.items["item"].to_list() == list(range(100, 118))
    assert tacit.recommend(tmp_path, 3, 4) == alive.recommend(3, 4)


def test_a_run_on_its_own_split_again() -> None:
    first = run(FRAME)
    again = tacit.run(RECIPE, first.parts(), settings={"rounds": 2, "split": "given"}, progress=False)
    assert again.metrics == first.metrics


def test_folders_that_cannot_be_opened(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"run: got no result\.json"):
        tacit.open(tmp_path)
    tacit.compare([RECIPE], FRAME, settings=QUICK, seeds=2, out=tmp_path, progress=False)
    assert tacit.table(tmp_path).frame.height == 2
    again = tacit.compare([RECIPE], FRAME, settings=QUICK, seeds=2, out=tmp_path, progress=False)
    assert len(again.results) == 2, "without overwrite"
    for said in (
        r"^folder: got one with 2 runs; allowed: tacit.table\(FOLDER\) for a table of all; ",
        r"the same tacit.compare\(..., out=FOLDER\) again, which reads finished runs back; ",
        "or one of the runs in it: hegedus-federated",
    ):
        with pytest.raises(BadInput, match=said):
            tacit.open(tmp_path)


def test_a_half_done_run_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text("{}")
    (tmp_path / "state.npz").touch()
    with pytest.raises(BadInput, match=r"^run: got a half-done run; allowed: a finished run; .*resume=True"):
        tacit.open(tmp_path)


def test_models_of_many_runs(tmp_path: Path) -> None:
    kept = tacit.compare([RECIPE], FRAME, settings=QUICK, seeds=2, out=tmp_path, progress=False)
    assert kept.results[0].lists(2).equals(run(FRAME).lists(2)), "the first seed's are in its folder"
    for none in (kept.results[1], run(FRAME, keep_models=False)):
        with pytest.raises(BadInput, match="models: got none; allowed: a run that kept them"):
            none.recommend(3)
    again = tacit.compare([RECIPE], FRAME, settings=QUICK, seeds=2, out=tmp_path, progress=False)
    assert again.results[0].recommend(3) == kept.results[0].recommend(3)


def test_a_callback_follows_and_ends_runs() -> None:
    seen: list[tacit.Measured] = []
    tacit.compare([RECIPE], FRAME, settings=QUICK, seeds=2, on_round=seen.append, progress=False)
    assert [(now.seed, now.round) for now in seen] == [(0, 1), (0, 2), (1, 1), (1, 2)]
    result = run(FRAME, on_round=lambda now: now.round == 1)
    assert len(result.curve) == 1
    assert result.recommend(3, 2).items


def test_everything_is_shown_in_a_line(tmp_path: Path) -> None:
    shown = [
        run(FRAME),
        tacit.load(FRAME),
        tacit.compare([RECIPE, "hegedus/gossip"], FRAME, settings=QUICK, progress=False),
        tacit.sweep(RECIPE, {"model.k": [2, 3]}, FRAME, settings=QUICK, progress=False),
        tacit.audit("hegedus/gossip", FRAME, settings=QUICK),
        run(FRAME).recommend(3),
    ]
    for one in shown:
        assert repr(one).startswith("<"), repr(one)
        assert len(repr(one)) < 200
        assert "\n" not in repr(one)
    assert repr(shown[0]).startswith("<Result hegedus/federated on frame, seed 0: rmse 1.")
    assert repr(shown[0]).endswith("virtual hours>")
    assert repr(shown[2]).startswith("<Comparison of 2 recipes on frame, 1 seed; best rmse 1.")


def test_the_line_of_a_result_leads_with_its_headline() -> None:
    finals = {"hr@5": 0.1, "hr@20": 0.4, "item_coverage@10": 7.0}
    sampled = make_result("a/b", finals=finals, evaluate="sampled")
    measured = ": hr@20 0.4000, hr@5 0.1000, item_coverage@10 7 (per held-out item among 100); "
    assert measured in repr(sampled)
    popular = make_result(
        "a/b", finals={"hr@10": 0.1, "precision@10": 0.2}, evaluate="full", protocol="baseline"
    )
    said = ": precision@10 0.2000, hr@10 0.1000 (one list per user)>"
    assert repr(popular).endswith(said), "a baseline has no virtual hours"


def test_nothing_to_recommend_has_a_reason() -> None:
    settings = {"split.n": 3, "hours": 0.0001}
    found = tacit.run("hegedus/gossip", FRAME, settings=settings, progress=False).recommend(3)
    assert found.items == []
    assert found.note.startswith("nothing to recommend yet: no item that is new to this user has reached")
    assert found.to_json()["note"] == found.note
    assert run(FRAME).recommend(3).note == ""


@pytest.mark.parametrize("whole", [True, False])
def test_all_tables_of_a_run_have_the_ids_of_the_data(tmp_path: Path, whole: bool) -> None:
    kind = pl.Int64 if whole else pl.String
    data = (
        FRAME
        if whole
        else FRAME.with_columns(pl.format("u{}", "user").alias("user"), pl.col("item").cast(kind))
    )
    settings = {**QUICK, "evaluate": "full"}
    made = tacit.run(RECIPE, data, settings=settings, out=tmp_path / "run", progress=False)
    for result in (made, tacit.open(tmp_path / "run")):
        assert result.per_user.schema["user"] == result.parts().schema["user"] == kind
        assert result.per_item.schema["item"] == result.parts().schema["item"] == kind
        assert len(result.parts().join(result.per_user, on="user")) == len(FRAME)
        assert result.per_user.equals(made.per_user)
    for name, column in (("per_user", "user"), ("per_item", "item")):
        assert pl.read_parquet_schema(tmp_path / "run" / f"{name}.parquet")[column] == pl.String, "as before"


def test_a_threshold_makes_ratings_likes() -> None:
    result = tacit.run(
        "baseline/popular", FRAME, settings={"data.min_rating": 4, "data.min_user": 0}, progress=False
    )
    assert result.parts()["rating"].min() == 4
    assert any("ratings from 4 count as liked" in note for note in result.notes)


def test_a_split_of_the_data_s_own_is_not_passed_over_in_silence() -> None:
    frame = FRAME.with_columns(
        split=pl.when(pl.col("item") % 5 == 0).then(pl.lit("test")).otherwise(pl.lit("train"))
    )
    assert any("--set split=given uses it" in note for note in run(frame).notes)
    given = tacit.run(RECIPE, frame, settings={"rounds": 2, "split": "given"}, progress=False)
    assert given.split == {
        "kind": "given",
        "train": len(FRAME) - given.split["test"],
        "test": given.split["test"],
    }
    assert set(given.parts().filter(split="test")["item"] % 5) == {0}
    with pytest.raises(BadInput, match=r"split\.file: got x\.csv; allowed: with split=given, not random-n"):
        tacit.run(RECIPE, FRAME, settings={**QUICK, "split.file": "x.csv"}, progress=False)
    swept = tacit.sweep(
        RECIPE, {"model.k": [2, 3]}, frame, settings={"split": "given", "rounds": 2}, progress=False
    )
    assert swept.test[0].split == given.split, "the test part is the given one"


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        (
            {"split.share": 0.5},
            "split.share: got 0.5; allowed: with split=random-share, temporal, random-visits or ",
        ),
        (
            {"split": "random-share", "split.n": 3},
            "split.n: got 3; allowed: with split=random-n, not random-share",
        ),
        ({"split": "given", "split.n": 10}, "split.n: got 10; allowed: with split=random-n, not given"),
    ],
)
def test_a_size_that_the_split_does_not_heed_is_refused(settings: dict[str, Any], says: str) -> None:
    calls: list[Callable[..., object]] = [
        partial(tacit.run, RECIPE),
        partial(tacit.audit, RECIPE),
        partial(tacit.compare, [RECIPE, "federank/t1"]),
        partial(tacit.sweep, RECIPE, {"model.k": [2, 3]}),
    ]
    for call in calls:
        with pytest.raises(BadInput) as caught:
            call(data=FRAME, settings=settings, progress=False)
        assert says in str(caught.value)
    with pytest.raises(BadInput, match=r"split\.n: got 2; allowed: with split=random-n, not random-share"):
        tacit.run(protocol=Gossip(), model=MF(k=2), data=FRAME, settings={"split.n": 2}, progress=False)


def test_sizes_that_recipes_bring_along_are_no_mistake(tmp_path: Path) -> None:
    settings = {"rounds": 1, "data.min_user": 0, "split": "random-n", "split.n": 3, "evaluate": "full"}
    found = tacit.compare(
        ["federank/t1", RECIPE], FRAME, settings=settings, out=tmp_path / "study", progress=False
    )
    assert [run.parameters["split.share"] for run in found.results] == [0.2, 0.2], "of the first recipe"
    tacit.run("federank/t1", FRAME, settings=settings, out=tmp_path / "run", progress=False)
    assert len(tacit.open(tmp_path / "run").parts()) == len(FRAME), "all parameters are read again"


def test_papers_are_reproduced_from_python(fake_paper: Paper, tmp_path: Path) -> None:
    found = tacit.reproduce("fake", quick=True, out=tmp_path, progress=False)
    assert [claim["claim"] for claim in found.claims()] == ["C1"]
    assert repr(found).startswith("<Reproduction of fake, quick: 1 ")
    assert json.loads((tmp_path / "result.json").read_text())["claims"] == found.claims()
    assert "tacit reproduce fake --quick" in (tmp_path / "report.html").read_text()
    with pytest.raises(BadInput, match="table or figure of fake: got nothing-such"):
        tacit.reproduce("fake", table="nothing-such", progress=False)


def test_recipes_is_a_function_again_and_again() -> None:
    assert tacit.recipes()["tacit/best"].about
    run(FRAME)
    assert tacit.recipes().keys() == tacit.recipes().keys()


def test_results_can_be_pickled_with_their_models(tmp_path: Path) -> None:
    popular = tacit.run("baseline/popular", FRAME, settings={"data.min_user": 0}, progress=False)
    for result in (run(FRAME, threads=2), run(FRAME, out=tmp_path / "run"), popular):
        copy = pickle.loads(pickle.dumps(result))
        assert copy.metrics == result.metrics
        assert copy.lists(4).equals(result.lists(4))
