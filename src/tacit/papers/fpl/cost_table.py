"""Table 3 of FPL: what an epoch on Brazil costs, by the paper's formula and its own counts. It needs no run."""

from __future__ import annotations

from tacit.papers.base import Fact, reference
from tacit.protocols.federated_pairs.communication_cost import cce

BRAZIL = 599_958, 17_473, 47_270
"""Training interactions, users and venues (the paper's table 1)."""
_TO_THE_UNIT = 0.0


def cost_lines(quick: bool = False) -> list[Fact]:
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
