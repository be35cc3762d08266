"""Table 3 of FPL: what an epoch on Brazil costs, by the paper's formula and its own counts. It needs no run."""

from __future__ import annotations

from tacit.papers.base import Fact, reference
from tacit.protocols.federated_pairs.communication_cost import cce

BRAZIL = 599_958, 17_473, 47_270
"""Training interactions, users and venues (the paper's table 1)."""
_TO_THE_UNIT = 0.0
_ROUNDED = 0.01
_UPPER = {
    "sFPL": (1.0, 1.0, 599_958.0, 1.0),
    "sFPL+": (1.0, 34.0, 599_958.0, 1.0),
    "pFPL": (17_473.0, 1.0, 34.0, 0.000057),
    "pFPL+": (17_473.0, 34.0, 34.0, 0.000057),
}
"""The printed numbers: |U-|, T, rpe and nFresh, which the paper gives in percent."""


def table_3(quick: bool = False) -> list[Fact]:
    """Both halves of the table."""
    return [*configuration_lines(), *cost_lines()]


def configuration_lines() -> list[Fact]:
    """The upper half: clients per round, triples of a client, rounds per epoch and normalized freshness."""
    positives, users, _ = BRAZIL
    mean = positives / users
    lines = []
    for name, (clients, triples, rounds, fresh) in _UPPER.items():
        per_round = users if name.startswith("p") else 1
        per_epoch = positives / per_round
        ours = {"clients per round": (float(per_round), clients, _TO_THE_UNIT)}
        ours["triples"] = (round(mean) if name.endswith("+") else 1, triples, _TO_THE_UNIT)
        ours["rounds per epoch"] = (round(per_epoch), rounds, _TO_THE_UNIT)
        ours["normalized freshness"] = (per_epoch / positives, fresh, _ROUNDED)
        lines += [
            Fact("Foursquare Brazil, configurations", name, what, a, b, near)
            for what, (a, b, near) in ours.items()
        ]
    return lines


def cost_lines() -> list[Fact]:
    """Every printed number of the communication cost CCE (equations 9 and 10) beside ours."""
    positives, users, items = BRAZIL
    mean = positives / users
    lines = []
    for row in reference("fpl/communication_cost"):
        triples = mean if row["configuration"].endswith("+") else 1
        pi = float(row["pi"])
        parallel = row["configuration"].startswith("p")
        ours = cce(users, mean, items, triples, pi) if parallel else cce(1, positives, items, triples, pi)
        name = f"{row['configuration']}, pi {pi:g}"
        lines.append(
            Fact("Foursquare Brazil", name, "cce", float(round(ours)), float(row["cce"]), _TO_THE_UNIT)
        )
    return lines
