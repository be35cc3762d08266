"""Table 1 and figures 1 and 2 of Hegedűs et al.: the data sets, ratings per user, and who is online when.

The paper's smartphone trace is not public. Figure 2 shows the generator that stands for it, beside the trace's figures.
"""

from __future__ import annotations

from datetime import date

import numpy as np

from tacit.core.message.codec import encoded_size
from tacit.data.dataset import Dataset
from tacit.data.describe import sizes
from tacit.experiment.recipes import recipe
from tacit.papers.base import Chart, Fact, Outcomes, Series
from tacit.papers.data_tables import EXACT, facts, whole
from tacit.papers.hegedus.runs import ML_1M, ML_10M, ML_100K, TITLES
from tacit.simulator.churn.availability import Availability
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.sessions import SECOND

_PRINTED = {
    ML_100K: (943, 1_682, 100_000, 0.063, 0.0943, (date(1997, 9, 20), date(1998, 4, 22)), 0.6),
    ML_1M: (6_040, 3_952, 1_000_209, 0.042, 0.0604, (date(2000, 4, 25), date(2003, 2, 28)), 1.5),
    ML_10M: (69_878, 10_677, 10_000_054, 0.013, 0.0699, (date(1995, 1, 9), date(2009, 1, 5)), 4.1),
}
"""Users, movies, ratings, density, the test part's share, first and last day, Mbit of a message."""
_ONLINE, _SESSION = 0.20, 81.368
"""Of the trace (section 6.3): the share of nodes online, and the mean length of a session in minutes."""
_PHONES, _HOURS = 4000, 48
_ROUNDED = 0.02
"""Two digits are printed."""


def table_1(quick: bool) -> list[Fact]:
    """The data sets and the algorithm's parameters."""
    found = []
    for name, (users, movies, ratings, density, test, days, mbit) in _PRINTED.items():
        data = whole(name)
        ours = None if data is None else sizes(data.table)
        panel = TITLES[name]
        found += facts(panel, ours, {"users": users, "items": movies, "records": ratings})
        found.append(
            Fact(panel, "density", "density", None if ours is None else ours["density"], density, _ROUNDED)
        )
        held = None if data is None else 10 * data.users / len(data.table)
        found.append(Fact(panel, "share of ratings in the test part", "share", held, test, EXACT))
        told = float((days[1] - days[0]).days)
        found.append(Fact(panel, "days from the first to the last rating", "days", _days(data), told, EXACT))
        message = None if data is None else 8e-6 * encoded_size(data.table.items, 6, 0, sparse=False)
        found.append(Fact(panel, "size of a whole model", "Mbit", message, mbit))
    used = recipe("hegedus/gossip-merge").parameters
    printed = {"model.eta": 1e-2, "model.lam": 1e-1, "model.k": 5.0}
    found += [
        Fact("Every data set", key, key, float(used[key] or 0), value, 0.0) for key, value in printed.items()
    ]
    return found


def _days(data: Dataset | None) -> float | None:
    if data is None or data.table.time is None:
        return None
    return float(np.ptp(data.table.time)) / 86400


def ratings_per_user(outcomes: Outcomes) -> list[Chart]:
    """Figure 1: users in the order of how many items they rated."""
    lines = []
    for name, title in TITLES.items():
        data = whole(name)
        if data is not None:
            counts = np.sort(data.table.counts)[::-1]
            place = np.unique(np.geomspace(1, len(counts), 200).astype(np.int64))
            lines.append(Series(title, [(float(n), float(counts[n - 1])) for n in place]))
    title, x, y = "Rated items of each user", "User, most ratings first", "Rated items"
    return [Chart("ratings-per-user", title, x, y, lines, log=True)] if lines else []


def phones() -> Availability:
    """The generator's phones over two days."""
    return generate(_PHONES, seed=0, hours=_HOURS)


def churn_facts(quick: bool) -> list[Fact]:
    """The generator's share online and mean session, beside the trace's."""
    made = phones()
    online = [made.online(minute * 60 * SECOND).mean() for minute in range(0, _HOURS * 60, 10)]
    whole_ones = made.begin > 0
    length = float((made.end - made.begin)[whole_ones].mean()) / 60 / SECOND
    panel = "Smartphones, two days"
    return [
        Fact(panel, "share of phones online", "share", float(np.mean(online)), _ONLINE, 0.05),
        Fact(panel, "mean session", "minutes", length, _SESSION, 0.05),
    ]


def churn_charts(outcomes: Outcomes) -> list[Chart]:
    """Figure 2: how long sessions are, and what share of the phones is online, joins or leaves in each hour."""
    made = phones()
    minutes = (made.end - made.begin)[made.begin > 0] / 60 / SECOND
    edges = np.arange(0, 601, 20)
    share = np.histogram(minutes, edges)[0] / len(minutes)
    middle = (edges[:-1] + edges[1:]) / 2
    histogram = Series("sessions", list(zip(middle.tolist(), share.tolist(), strict=True)))
    hour = 3600 * SECOND
    lines: dict[str, list[tuple[float, float]]] = {"online": [], "joined": [], "left": []}
    for n in range(_HOURS):
        lines["online"].append((n + 0.5, 100 * float(made.online(n * hour + hour // 2).mean())))
        for name, times in (("joined", made.begin), ("left", made.end)):
            inside = (times > n * hour) & (times <= (n + 1) * hour)
            lines[name].append((n + 0.5, 100 * len(np.unique(made.node[inside])) / _PHONES))
    return [
        Chart(
            "session-lengths", "How long a phone stays online", "Minutes", "Share of sessions", [histogram]
        ),
        Chart(
            "churn-by-hour",
            "Phones that are online, and that joined or left at least once in an hour",
            "Hour (0 is midnight)",
            "% of the phones",
            [Series(name, points) for name, points in lines.items()],
        ),
    ]
