from io import StringIO

from rich.console import Console

from tacit.experiment.result import Result
from tacit.report.terminal_tables import print_summary, result_table, summary_table
from tests.report.factory import make_result, ranking_runs, rating_runs


def _printed(*results: Result, width: int = 80) -> str:
    out = StringIO()
    print_summary(Console(width=width, file=out), *results)
    return out.getvalue()


def test_one_row_a_run_with_the_best_marked() -> None:
    lines = _printed(*rating_runs()).splitlines()
    (winner,) = [line for line in lines if line.startswith("baseline/central-mf")]
    (loser,) = [line for line in lines if line.startswith("hegedus/federated")]
    assert "0.9207*" in winner
    assert "0.7251*" in winner
    assert "*" not in loser
    assert loser.split()[1:] == ["0.9389", "0.7385", "1.412", "20.1", "283k", "48", "118k", "2.40", "s"]


def test_nothing_is_cut_in_80_columns() -> None:
    for runs in (rating_runs(), ranking_runs(), [make_result(**{"model.k": k}) for k in (5, 10)]):
        text = _printed(*runs)
        assert max(len(line) for line in text.splitlines()) <= 80
        assert "…" not in text
        for word in ("Messages", "device", "Virtual", "Worst", "2.40 s"):
            assert word in text


def test_names_stay_whole_and_columns_make_room() -> None:
    names = ("baseline/popular", "dymbe/shared-data-clusters", "dymbe/mnist-weighted-majority")
    runs = [make_result(name, finals={"rmse": 0.9, "mae": 0.7}) for name in names]
    lines = _printed(*runs).splitlines()
    assert max(map(len, lines)) <= 80
    for name in names:
        (line,) = [line for line in lines if name in line]
        assert line.split()[:2] == [name, "0.9000*"]
        assert line.split()[-2:] == ["2.40", "s"]
    told = " ".join(" ".join(lines).split())
    assert "no room for node-rounds per second and virtual hours" in told
    wide = _printed(*runs, width=120)
    assert "no room" not in wide
    assert "rounds" in wide


def test_the_demos_names_leave_room_for_every_column() -> None:
    names = ("tacit/best", "tacit/federated", "baseline/ials", "baseline/popular")
    text = _printed(*(make_result(name, finals={"ndcg@10": 0.3, "recall@10": 0.2}) for name in names))
    assert all(sum(name in line for line in text.splitlines()) == 1 for name in names)
    assert "no room" not in text


def test_what_is_said_of_parameters_stands_below_a_long_name() -> None:
    runs = [make_result("dymbe/shared-data-clusters", **{"cluster.size": size}) for size in (5, 10)]
    lines = _printed(*runs).splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith("dymbe/shared-data-clusters "))
    assert lines[first + 1].strip() == "(cluster.size=5)"


def test_runs_on_different_ground_have_no_best() -> None:
    text = _printed(*ranking_runs())
    assert "*" not in text
    assert "Note: negatives=paper in pepper/fedavg" in text


def test_chosen_metrics_are_shown() -> None:
    titles = [str(column.header) for column in summary_table(ranking_runs(), ["hr@5", "hr@20"]).columns]
    assert [" ".join(title.split()) for title in titles[1:3]] == [
        "HR@5 per held-out item among 100",
        "HR@20 per held-out item among 100",
    ]


def test_a_note_about_some_runs_says_which() -> None:
    both, one = "filters kept 9 of 10 users", "ties decided 20.4 % of the ranks"
    text = " ".join(_printed(make_result("a/b", notes=[both]), make_result("c/d", notes=[both, one])).split())
    assert f"Note: {both}" in text
    assert text.count(both) == 1
    assert f"Note: c/d: {one}" in text


def test_metrics_of_different_lists_have_columns_of_their_own() -> None:
    finals = {"ndcg@10": 0.3}
    runs = [make_result(f"a/{kind}", finals=finals, evaluate=kind) for kind in ("full", "sampled")]
    text = _printed(*runs)
    header = " ".join(text.split("a/full")[0].split())
    assert header.count("NDCG@10") == 2
    rows = [line.split() for line in text.splitlines() if line.startswith("a/")]
    assert [cells[1:3] for cells in rows] == [["0.3000", "\u2013"], ["\u2013", "0.3000"]]


def test_one_run_shows_every_metric_in_words() -> None:
    text = _printed(ranking_runs()[0])
    for words in (
        "per held-out item among 100:",
        "hit rate in the top 5 (HR@5)",
        "ranking quality in the top 20 (NDCG@20)",
        "MB sent per device",
    ):
        assert words in text
    assert result_table(ranking_runs()[0]).row_count == 1 + 6 + 5


def test_notes_are_printed_once_and_markup_is_only_text() -> None:
    note = "3 users have [bold]no[/bold] test part."
    text = _printed(make_result("a/x", notes=[note]), make_result("a/y", notes=[note]))
    assert text.count(note) == 1


def test_a_run_without_metrics_still_prints() -> None:
    empty = make_result(finals={}, points=0, megabytes=0.0)
    assert "hegedus/gossip-merge" in _printed(empty)
    assert "gossip-merge, seed 0 #2" in _printed(empty, empty)
