"""What is in a message of Flower: records of plain values around the bytes of an `Update`. Nothing is pickled."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

import numpy as np
from flwr.app import ConfigRecord, Message, MetricRecord, RecordDict

from tacit.core.errors import BadMessage
from tacit.core.message import codec
from tacit.core.message.update import Update
from tacit.core.node_state import NodeState

UPDATE, ABOUT, FACTS, METRICS = "update", "about", "facts", "metrics"


def content(
    update: Update | None = None,
    metrics: Mapping[str, float] | None = None,
    facts: Mapping[str, float] | None = None,
    **about: int | str | bool,
) -> RecordDict:
    """A message: only `codec.encode` makes bytes, and it takes nothing but an `Update`."""
    records: dict[str, Any] = {ABOUT: ConfigRecord(dict(about))}
    if update is not None:
        records[UPDATE] = ConfigRecord({UPDATE: codec.encode(update)})
    if facts:
        records[FACTS] = ConfigRecord({name: float(value) for name, value in facts.items()})
    if metrics is not None:
        records[METRICS] = MetricRecord({name: float(value) for name, value in metrics.items()})
    return RecordDict(records)


def about(message: Message) -> dict[str, Any]:
    """The plain values of a message."""
    return dict(message.content.config_records.get(ABOUT, {}))


def whole(told: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A whole number that another side says, or `BadMessage`."""
    value = told.get(name)
    if type(value) is not int or not low <= value <= high:
        raise BadMessage(f"{name}: got {str(value)[:40]}; allowed: a whole number from {low} to {high}")
    return value


def facts(message: Message) -> dict[str, float]:
    """The numbers beside the model."""
    return _numbers(message.content.config_records.get(FACTS, {}))


def metrics(message: Message) -> dict[str, float]:
    """Sums of metrics."""
    return _numbers(message.content.metric_records.get(METRICS, {}))


def _numbers(found: Mapping[str, Any]) -> dict[str, float]:
    for name, value in found.items():
        if not isinstance(value, int | float) or not isfinite(value):
            raise BadMessage(f"{name[:40]}: got {str(value)[:40]}; allowed: a finite number")
    return {name: float(value) for name, value in found.items()}


def data(message: Message) -> bytes:
    """The bytes of the update in a message."""
    found = message.content.config_records.get(UPDATE, {}).get(UPDATE)
    if not isinstance(found, bytes):
        raise BadMessage("message: got no update; allowed: one")
    return found


def model_in(message: Message, dtype: str) -> NodeState:
    """The server's model in a message, in the precision that clients compute in."""
    update = codec.decode(data(message))
    ages = update.ages if len(update.ages) else np.zeros(update.items, np.int32)
    return NodeState(
        update.rows.astype(dtype), ages, update.dense.astype(dtype), update.clock, np.zeros(0, dtype)
    )
