"""Visit sequences: where users went, in order of time within the training part, and the places' coordinates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Ints, Positions
from tacit.data.dataset import Dataset
from tacit.data.splits import TRAIN, Parts


@dataclass(frozen=True, slots=True, eq=False)
class Sequences:
    """User u was at item[start[u]:start[u+1]], in this order, at these times. NaN: a place of unknown location."""

    start: Ints
    item: Positions
    time: Ints
    lat: npt.NDArray[np.float64]
    lon: npt.NDArray[np.float64]
    notes: tuple[str, ...] = ()


def sequences(data: Dataset, train: Interactions, visits: Parts | None = None) -> Sequences:
    """Every check-in at a place of the user's training part; equal times keep the order of the source.

    A place that is held out does not appear, not even as somebody's previous place: that would reveal where they went.
    `visits` is the part of each check-in where these are divided: then held-out ones are left out.
    """
    events = data.events
    if events["timestamp"].null_count() == len(events):
        allowed = "data with a column timestamp: prme-g learns from the order of visits"
        raise BadInput("model", got="prme-g, but no visit has a time", allowed=allowed, where=data.name)
    known = [c for c in ("lat", "lon") if c in data.items.columns]
    lat, lon = (data.items[c].cast(pl.Float64).fill_null(np.nan).to_numpy() for c in known) if len(known) == 2 else (
        np.full(train.items, np.nan), np.full(train.items, np.nan)
    )  # fmt: skip
    nowhere = int((np.isnan(lat) | np.isnan(lon)).sum())
    if nowhere == train.items:
        allowed = "data with columns lat and lon: prme-g weighs places by how far they are"
        raise BadInput("model", got="prme-g, but no place has coordinates", allowed=allowed, where=data.name)
    user, item = (events[c].to_numpy().astype(np.int64) for c in ("user", "item"))
    time = events["timestamp"].fill_null(-1).to_numpy()
    learned = np.isin(user * train.items + item, train.user.astype(np.int64) * train.items + train.item)
    if visits is not None:
        learned &= visits == TRAIN
    user, item, time = user[learned], item[learned], time[learned]
    order = np.lexsort((time, user))
    counts = np.bincount(user, minlength=train.users)
    notes = (
        (f"{nowhere:,} of {train.items:,} places have no coordinates: no distance weight for them",)
        if nowhere
        else ()
    )
    return Sequences(
        start=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        item=item[order].astype(np.int32),
        time=time[order].astype(np.int64),
        lat=lat,
        lon=lon,
        notes=notes,
    )
