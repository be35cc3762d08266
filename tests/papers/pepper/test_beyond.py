"""What is run beyond the paper's own tables, and that each run differs from the others in what its row says."""

from __future__ import annotations

import pytest

from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import settle
from tacit.papers.base import Row
from tacit.papers.pepper.beyond import BEYOND, all_visits, choices, churn_and_time
from tacit.papers.pepper.paper import paper


def settings(row: Row) -> dict[str, object]:
    return dict(settle(recipe(row.wanted.recipe).parameters, dict(row.wanted.settings)))


def test_they_are_part_of_the_paper_and_their_figure_has_hours() -> None:
    assert set(BEYOND) <= set(paper.exhibits)
    assert {one.name: one.over for one in BEYOND} == {"visits": None, "churn": "hours", "choices": None}


@pytest.mark.parametrize("quick", [True, False])
def test_every_row_is_a_run_of_its_own(quick: bool) -> None:
    for rows in (all_visits(quick), churn_and_time(quick), choices(quick)):
        named = {(row.panel, row.name): row.wanted for row in rows}
        assert len(set(named.values())) == len(named)
        assert all(settings(row) for row in rows)


def test_visits_are_those_of_tables_6_and_7_but_for_the_split() -> None:
    rows = all_visits(False)
    assert {row.panel for row in rows} == {"Foursquare-NYC", "Gowalla-NYC"}
    assert {(s["split"], s["split.share"], s["evaluate"]) for s in map(settings, rows)} == {
        ("random-visits", 0.15, "sampled")
    }


def test_panels_are_what_they_say() -> None:
    for row in churn_and_time(False):
        found = settings(row)
        assert (found["churn"] == "generated") == ("phones" in row.panel)
        assert (found["start"] == "staggered") == ("asynchronous" in row.panel)
        assert (found["periods"] == found["bandwidths"] == 4.0) == ("4 times" in row.panel)


def test_the_first_row_of_a_panel_is_the_default() -> None:
    first = {row.panel: settings(row) for row in reversed(choices(False))}
    pepper = first["MovieLens-100K, pepper/pepper"]
    assert (pepper["strangers"], pepper["view.scores"], pepper["weighting.spared"]) == (
        "views",
        "last",
        False,
    )
    assert first["MovieLens-100K, pepper/dec-reptile"]["step.vector"] is True
    places = first["Foursquare-NYC, pepper/pepper, negatives per visit of PRME-G"]
    assert (places["model.unobserved"], places["model.negatives"]) == ("pair", 1)
