"""Messages of a simulated node past its shields: through the same door, and counted as encoded, as on a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tacit.core.interactions import Positions
from tacit.core.message import codec
from tacit.core.message.update import Draws, Shield, Update, release
from tacit.core.node_state import Field, Floats, NodeState
from tacit.core.traffic import Traffic
from tacit.simulator.fleet import Parcels, Slots

_NOBODYS: Floats = np.zeros(0, np.float32)


class Leaving(NamedTuple):
    """What all messages of a network have in common on their way out."""

    fields: Sequence[Field]
    shields: Sequence[Shield]
    seed: int

    def release(self, state: NodeState, rated: Positions, node: int, event: int) -> tuple[Update, int]:
        """The update as it arrives, and how many bytes it was on the way."""
        wire = codec.encode(release(self.fields, state, rated, self.shields, Draws(self.seed, node, event)))
        return codec.decode(wire), len(wire)

    def release_parcel(
        self, parcels: Parcels, at: int, rated: Positions, node: int, event: int, traffic: Traffic
    ) -> None:
        """Take the whole model in parcel `at` past the shields, and put what leaves in its place."""
        rows, ages, dense = parcels.rows[at], parcels.ages[at], parcels.dense[at]
        state = NodeState(rows, ages, dense, int(parcels.clock[at]), _NOBODYS)
        update, size = self.release(state, rated, node, event)
        index = positions(update)
        count = len(index)
        parcels.places[at, :count], parcels.places[at, count:] = index, -1
        rows[:count], ages[:count], dense[:] = update.rows, update.ages, update.dense
        parcels.clock[at] = update.clock
        count_rows(traffic, node, index, rated, size)

    def release_model(
        self, slots: Slots, at: int, rated: Positions, node: int, event: int, traffic: Traffic
    ) -> Positions:
        """Take the model in slot `at` past the shields, and write what leaves over it; the rows that left."""
        state = NodeState(slots.rows[at], slots.ages[at], slots.dense[at], int(slots.clock[at]), _NOBODYS)
        update, size = self.release(state, rated, node, event)
        index = positions(update)
        slots.rows[at, index], slots.ages[at, index] = update.rows, update.ages
        slots.dense[at] = update.dense
        count_rows(traffic, node, index, rated, size)
        return index


def positions(update: Update) -> Positions:
    """The rows of an update; all of them where it names none."""
    return np.arange(update.items, dtype=np.int32) if update.index is None else update.index


def count_rows(traffic: Traffic, node: int, index: Positions, rated: Positions, size: int) -> None:
    """Enter what left; that a message was sent is counted where it is."""
    traffic.rows[node] += len(index)
    traffic.rows_rated[node] += int(np.isin(index, rated).sum())
    traffic.bytes[node] += size
