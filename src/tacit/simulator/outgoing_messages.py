"""Messages of a simulated node past its shields: through the same door, and counted as encoded, as on a device."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Positions
from tacit.core.message import codec
from tacit.core.message.update import Draws, Shield, release
from tacit.core.node_state import Field, Floats, NodeState
from tacit.simulator.fleet import Parcels

_NOBODYS: Floats = np.zeros(0, np.float32)


class Left(NamedTuple):
    """What a message came to."""

    rows: int
    rows_rated: int
    bytes: int


def leave(
    fields: Sequence[Field],
    parcels: Parcels,
    at: int,
    rated: Positions,
    shields: Sequence[Shield],
    draws: Draws,
) -> Left:
    """Take the whole model in parcel `at` past the shields, and put what leaves in its place."""
    rows, ages, dense = parcels.rows[at], parcels.ages[at], parcels.dense[at]
    state = NodeState(rows, ages, dense, int(parcels.clock[at]), _NOBODYS)
    wire = codec.encode(release(fields, state, rated, shields, draws))
    update = codec.decode(wire)
    got = (update.items, update.rows.shape[1], len(update.dense), update.rows.dtype.name)
    own = (len(rows), rows.shape[1], len(dense), rows.dtype.name)
    if got != own:
        names = ", ".join(type(shield).__name__ for shield in shields)
        raise BadInput(f"shield {names}: model (items, width, dense, numbers)", got=got, allowed=str(own))
    index = np.arange(update.items, dtype=np.int32) if update.index is None else update.index
    count = len(index)
    parcels.places[at, :count], parcels.places[at, count:] = index, -1
    rows[:count], ages[:count], dense[:] = update.rows, update.ages, update.dense
    parcels.clock[at] = update.clock
    return Left(count, int(np.isin(index, rated).sum()), len(wire))
