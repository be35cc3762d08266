"""Duplicates: what happens to a (user, item) pair that is in the source more than once."""

from __future__ import annotations

import polars as pl

from tacit.core.errors import BadInput, unknown
from tacit.core.interactions import Texts

RULES = ("auto", "latest", "error")
_PAIR = ["user", "item"]


def one_per_pair(
    rows: pl.DataFrame, rule: str, user_ids: Texts, item_ids: Texts, *, trusted: bool, where: str = ""
) -> tuple[pl.DataFrame, list[str]]:
    """The latest row of every pair, in source order (equal or unknown times: the later row), and notes.

    Users and items are positions. Their ids are for the error message. `auto` refuses pairs whose ratings
    contradict each other unless the source is `trusted`. `latest` never refuses. `error` refuses every repeated pair.
    """
    if rule not in RULES:
        raise unknown("data.duplicates", rule, RULES)
    pair = pl.col("user").cast(pl.Int64) * len(item_ids) + pl.col("item")
    if rows.select(pair.n_unique()).item() == len(rows):
        return rows, []
    contradicts = pl.col("rating").min() != pl.col("rating").max()
    groups = rows.group_by(_PAIR).agg(pl.len().alias("n"), contradicts.alias("contradicts"))
    if rule == "error":
        raise _refusal(rows, groups.filter(pl.col("n") > 1), "repeated", user_ids, item_ids, where)
    contradictory = groups.filter("contradicts")
    if rule == "auto" and not trusted and len(contradictory):
        fault = "rated more than once, with different ratings"
        raise _refusal(rows, contradictory, fault, user_ids, item_ids, where)
    repeated = int((groups["n"] > 1).sum())
    return _latest(rows), [f"{repeated:,} repeated pairs: the latest row of each kept"]


def _latest(rows: pl.DataFrame) -> pl.DataFrame:
    if "timestamp" not in rows.columns:
        return rows.unique(_PAIR, keep="last", maintain_order=True)
    numbered = rows.with_row_index("source order")
    latest = numbered.sort("timestamp", nulls_last=False, maintain_order=True).unique(
        _PAIR, keep="last", maintain_order=True
    )
    return latest.sort("source order").drop("source order")


def _refusal(
    rows: pl.DataFrame, pairs: pl.DataFrame, fault: str, user_ids: Texts, item_ids: Texts, where: str
) -> BadInput:
    user, item = (
        rows.select(_PAIR).join(pairs.select(_PAIR), on=_PAIR, how="semi", maintain_order="left").row(0)
    )
    return BadInput(
        f"(user, item) pairs {fault}",
        got=f"{len(pairs):,}, the first of them user {user_ids[user]}, item {item_ids[item]}",
        allowed="each pair once; --set data.duplicates=latest keeps the latest",
        where=where,
    )
