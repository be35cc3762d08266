from dataclasses import replace

from tacit.report.summary_sentences import summary
from tests.report.factory import make_result, ranking_runs, rating_runs


def test_says_who_ended_best_by_how_much_and_at_what_cost() -> None:
    first, second, *_ = summary(rating_runs())
    # 0.9389 - 0.9207 = 0.0182, which is 1.9 % of 0.9389
    assert "baseline/central-mf ended with the lowest rating error (RMSE): 0.9207" in first
    assert "0.0182 (1.9\u00a0%) better than hegedus/federated with 0.9389" in first
    assert "hegedus/gossip-merge sent least: 12.4 MB per device, RMSE 0.9432" in second


def test_higher_is_better_for_rankings() -> None:
    runs = [
        make_result("pepper/pepper", finals={"hr@20": 0.6}),
        make_result("pepper/fedavg", finals={"hr@20": 0.5}),
    ]
    assert "pepper/pepper ended with the highest hit rate in the top 20 (HR@20): 0.6000" in summary(runs)[0]


def test_paper_negatives_are_the_first_line_whether_told_by_parameter_or_note() -> None:
    assert summary(ranking_runs())[0].startswith("negatives=paper in pepper/fedavg")
    noted = make_result(notes=["negatives=paper was used"])
    assert summary([noted])[0].startswith("negatives=paper: ")


def test_no_winner_is_named_across_different_splits() -> None:
    one, two, *_ = rating_runs()
    lines = summary([one, replace(two, split={"kind": "temporal"})])
    assert lines[0].startswith("The runs differ in split")
    assert not any("lowest" in line for line in lines)


def test_equal_figures_are_called_level() -> None:
    assert "level with" in summary([make_result("a/x"), make_result("a/y")])[0]


def test_one_seed_is_admitted_and_several_show_their_range() -> None:
    assert any("single seed" in line for line in summary(rating_runs()))
    seeds = [make_result(seed=s, finals={"rmse": r}) for s, r in enumerate((0.94, 0.96))]
    lines = summary(seeds)
    assert "0.9500" in lines[0]
    assert any("0.9400 to 0.9600" in line for line in lines)


def test_a_curve_that_was_better_earlier_is_told() -> None:
    result = make_result(points=10)
    result.curve[4]["rmse"] = 0.90
    assert any("was better earlier: RMSE 0.9000 at round 10" in line for line in summary([result]))
    assert not any("earlier" in line for line in summary([make_result()]))


def test_missing_users_are_counted() -> None:
    assert any(
        "17 of 943 users have no such value" in line for line in summary([make_result(without_test=17)])
    )


def test_nothing_measured_claims_nothing() -> None:
    empty = make_result(finals={}, points=0)
    assert summary([empty])[0].endswith("no metric was measured.")
    missing = [
        make_result("a/x", finals={"rmse": float("nan")}),
        make_result("a/y", finals={"rmse": float("nan")}),
    ]
    assert not any("lowest" in line or "nan" in line for line in summary(missing))
