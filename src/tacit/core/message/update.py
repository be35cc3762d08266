"""`Update`: the only form in which a model leaves a node. Only `release` makes one from a node's state.

No other object can be encoded as a model.

update = release(model.fields, state, rated, shields, draws)      # SHARED fields only, through every shield
wire = codec.encode(update)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tacit.core.errors import BadInput
from tacit.core.interactions import Positions
from tacit.core.node_state import Ages, Field, Floats, NodeState, Visibility
from tacit.core.where import is_ours, where_defined

_KEY = object()


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """What leaves a device: rows with ages, the dense part, the clock. Made by `release` and the codec only."""

    items: int
    """M of the sender's catalogue."""
    index: Positions | None
    """Which rows, ascending; None: all of them."""
    rows: Floats
    ages: Ages
    """One per row; none where the model has no ages to share, as with sums."""
    dense: Floats
    clock: int
    _key: object = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self._key is not _KEY:
            raise TypeError(
                "an Update comes from release() or from the codec, so that nothing private is in it"
            )


@dataclass(frozen=True, slots=True)
class Draws:
    """Where a shield's randomness comes from: this node's stream, at this event."""

    seed: int
    node: int
    event: int


class Shield(Protocol):
    """A step between a node's shared fields and the wire: small, pure, chained with others."""

    def apply(self, update: Update, rated: Positions, draws: Draws) -> Update:
        """The update as it may leave. `rated`: the positions this node has data about."""
        ...


def release(
    fields: Iterable[Field], state: NodeState, rated: Positions, shields: Sequence[Shield], draws: Draws
) -> Update:
    """Make the update that leaves a node: a copy of its SHARED fields, changed by each shield in turn."""
    fields = tuple(fields)
    shared = {f.name for f in fields if f.visibility is Visibility.SHARED}
    rows = state.rows if "rows" in shared else state.rows[:0]
    # Ages that are private travel as zeros; where a state has none at all, none travel.
    ages = np.zeros(len(rows) if any(f.name == "ages" for f in fields) else 0, np.int32)
    update = Update(
        items=len(state.rows),
        index=None if "rows" in shared else np.zeros(0, np.int32),
        rows=rows.copy(),
        ages=state.ages.copy() if {"rows", "ages"} <= shared else ages,
        dense=(state.dense if "dense" in shared else state.dense[:0]).copy(),
        clock=int(state.clock) if "clock" in shared else 0,
        _key=_KEY,
    )
    for shield in shields:
        before, update = update, shield.apply(update, rated, draws)
        _check_shielded(shield, before, update)
    return update


def _check_shielded(shield: Shield, before: Update, update: Update) -> None:
    """See that a shield gave an update of the same model. One from outside of tacit must not make up NaN, either."""
    name, where = type(shield).__name__, where_defined(type(shield))
    if type(update) is not Update:
        what, got = f"apply of shield {name}", f"a {type(update).__name__}"
        raise BadInput(what, got=got, allowed="an Update", where=where)
    own, made = _model(before), _model(update)
    if made != own:
        what = f"shield {name}: model (items, width, dense, numbers)"
        raise BadInput(what, got=made, allowed=str(own), where=where)
    rows = update.items if update.index is None else len(update.index)
    counts = (rows, len(update.rows), len(update.ages) if len(before.ages) else rows)
    if len(set(counts)) > 1:
        got, allowed = "{} positions, {} rows, {} ages".format(*counts), "as many of each"
        raise BadInput(f"shield {name}", got=got, allowed=allowed, where=where)
    if not is_ours(shield) and _finite(before) and not _finite(update):
        what, got = f"apply of shield {name}", "NaN or infinity"
        raise BadInput(what, got=got, allowed="finite numbers", where=where)


def _model(update: Update) -> tuple[object, ...]:
    """What all updates of a model have in common."""
    width = update.rows.shape[1] if update.rows.ndim == 2 else f"{update.rows.ndim} axes"
    return update.items, width, len(update.dense), update.rows.dtype.name


def _finite(update: Update) -> bool:
    return bool(np.isfinite(update.rows).all() and np.isfinite(update.dense).all())


def reshape(update: Update, **changes: Any) -> Update:
    """A copy of an update with some arrays replaced: what shields and the codec use."""
    return replace(update, **changes, _key=_KEY)


def received(
    items: int, index: Positions | None, rows: Floats, ages: Ages, dense: Floats, clock: int
) -> Update:
    """An update that came off the wire: the codec's, after its checks."""
    return Update(items, index, rows, ages, dense, clock, _key=_KEY)


def arrays(update: Update) -> list[npt.NDArray[Any]]:
    """Every array of an update."""
    index = [] if update.index is None else [update.index]
    return [*index, update.ages, update.rows, update.dense]


@dataclass(frozen=True, slots=True)
class Send:
    """A message to hand to the transport."""

    peer: int
    update: Update
