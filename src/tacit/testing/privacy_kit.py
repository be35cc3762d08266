"""Check a shield: it leaves its input alone and gives an Update that is no larger."""

from __future__ import annotations

import numpy as np

from tacit.core.interactions import Positions
from tacit.core.message import codec
from tacit.core.message.update import Draws, Shield, Update, arrays, release
from tacit.core.node_state import Field, NodeState, Visibility
from tacit.core.rng import Stream, uniforms
from tacit.testing.expect import expect, expect_part, finite, kit, same_bits

_FIELDS = (
    Field("rows", Visibility.SHARED, "item rows"),
    Field("ages", Visibility.SHARED, "their ages"),
    Field("dense", Visibility.SHARED, "a network"),
    Field("clock", Visibility.SHARED, "the model's age"),
    Field("private", Visibility.PRIVATE, "the person's part"),
)
_ITEMS, _WIDTH = 40, 3


@kit
def check_shield(shield: Shield) -> None:
    """Check a shield on whole and on thinned updates, for nodes with no, few, many and all items rated."""
    expect_part("shield", shield)
    name = f"shield {type(shield).__name__}"
    state = _state()
    for step in (_ITEMS + 1, 9, 2, 1):
        rated = np.arange(step - 1, _ITEMS, step, dtype=np.int32)
        draws = Draws(seed=4, node=2, event=step)
        whole = release(_FIELDS, state, rated, (), draws)
        once = _check_once(name, shield, whole, rated, draws, state.private)
        _check_once(f"{name} after itself", shield, once, rated, draws, state.private)


def _state() -> NodeState:
    numbers = uniforms(9, Stream.SYNTHETIC, 0, _ITEMS, _WIDTH).astype(np.float32) + 1
    return NodeState(
        rows=numbers,
        ages=np.arange(_ITEMS, dtype=np.int32),
        dense=uniforms(9, Stream.SYNTHETIC, 1, 1, 5)[0].astype(np.float32) + 2,
        clock=17,
        private=uniforms(9, Stream.SYNTHETIC, 2, 1, 4)[0].astype(np.float32) + 50,
    )


def _check_once(
    name: str,
    shield: Shield,
    update: Update,
    rated: Positions,
    draws: Draws,
    private: np.ndarray[tuple[int], np.dtype[np.floating]],
) -> Update:
    before, rated_before = [a.copy() for a in arrays(update)], rated.copy()
    out = shield.apply(update, rated, draws)
    expect(type(out) is Update, f"{name}: gives a {type(out).__name__}; allowed: an Update")
    kept = all(same_bits(a, b) for a, b in zip(arrays(update), before, strict=True))
    expect(kept and same_bits(rated, rated_before), f"{name}: changes its input; allowed: a changed copy")
    _check_rows(name, update, out)
    again = shield.apply(update, rated, draws)
    same = len(arrays(again)) == len(arrays(out)) and all(
        same_bits(a, b) for a, b in zip(arrays(again), arrays(out), strict=True)
    )
    expect(same and again.clock == out.clock, f"{name}: another result for the same draws")
    for array in (out.rows, out.dense):
        expect(not np.isin(array, private).any(), f"{name}: a private number is in the update")
    back = codec.decode(codec.encode(out))
    same = all(same_bits(a, b) for a, b in zip(arrays(back), arrays(out), strict=True))
    expect(same, f"{name}: does not come off the wire as it went on")
    return out


def _check_rows(name: str, update: Update, out: Update) -> None:
    expect(out.items == update.items, f"{name}: the catalogue became {out.items} items")
    expect(out.rows.dtype == update.rows.dtype, f"{name}: rows became {out.rows.dtype}")
    expect(
        out.rows.ndim == 2 and out.rows.shape[1] == update.rows.shape[1],
        f"{name}: rows of shape {out.rows.shape}",
    )
    expect(len(out.ages) == len(out.rows), f"{name}: {len(out.ages)} ages for {len(out.rows)} rows")
    expect(finite(out.rows, out.dense), f"{name}: a number is not finite")
    expect((out.ages >= 0).all(), f"{name}: a negative age")
    was = np.arange(update.items) if update.index is None else update.index
    if out.index is None:
        expect(update.index is None, f"{name}: claims to send all rows of an update that had some")
        expect(len(out.rows) == out.items, f"{name}: {len(out.rows)} rows of {out.items} without an index")
        return
    expect(out.index.dtype == np.int32, f"{name}: an index of {out.index.dtype}; allowed: int32")
    expect(len(out.index) == len(out.rows), f"{name}: {len(out.index)} positions for {len(out.rows)} rows")
    expect((np.diff(out.index) > 0).all(), f"{name}: positions are not ascending: {out.index.tolist()}")
    expect(np.isin(out.index, was).all(), f"{name}: sends rows that were not in the update it got")
