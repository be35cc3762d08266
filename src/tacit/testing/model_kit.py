"""Check a model: declared fields, true sizes, a start by (seed, node), learning that learns."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.interactions import Interactions, Positions, Values
from tacit.core.node_state import NodeState, Ratings, Visibility
from tacit.experiment.foreign_parts import check_model_bounds, outside_explained
from tacit.models.base import Model
from tacit.testing.expect import expect, expect_part, finite, kit, same_bits

_PARTS = ("rows", "ages", "dense", "clock", "private", "memory")
_NODES, _ITEMS, _PASSES = 8, 12, 60


@kit
def check_model(model: Model, *, ratings: bool | None = None, common_start: bool = False) -> None:
    """Check a model, with its parameters, in float32 and float64.

    `ratings=False` for a model that ranks: it may touch rows of sampled items. Instead of predicting values it has to
    put a node's own items above the others. Unless it is given, the model itself says so
    (`evaluate: ClassVar[str] = "full"`). `common_start`: all nodes may start with the same random rows.
    """
    expect_part("model", model)
    if ratings is None:
        ratings = getattr(model, "evaluate", "rating") == "rating"
    _check_declarations(model)
    for dtype in ("float32", "float64"):
        check_model_bounds(model, _table(), dtype)
        with outside_explained(model, None):
            _check_start(model, dtype, common_start)
            _check_one_pass(model, dtype, ratings)
            _check_learning(model, dtype, ratings)


def _check_declarations(model: Model) -> None:
    name = f"model {model.name}"
    declared = [field.name for field in model.fields]
    expect(set(declared) <= set(_PARTS), f"{name}: fields {declared}; allowed: {', '.join(_PARTS)}")
    expect(len(set(declared)) == len(declared), f"{name}: a field is declared twice: {declared}")
    expect({"rows", "ages"} <= set(declared), f"{name}: rows and ages are not declared private or shared")
    expect(
        ("dense" in declared) == (model.dense_size > 0),
        f"{name}: dense is declared exactly when it has numbers",
    )
    private = [f.name for f in model.fields if f.visibility is Visibility.PRIVATE]
    expect("private" in declared or model.private_size == 0, f"{name}: its private part is not declared")
    expect("private" in private or "private" not in declared, f"{name}: its private part is declared SHARED")
    expect(all(f.meaning for f in model.fields), f"{name}: a field does not say what it means")
    expect(model.row_width > 0, f"{name}: row_width {model.row_width}; allowed: 1 or more")
    sizes = (model.dense_size, model.private_size)
    expect(min(sizes) >= 0, f"{name}: a negative size in (dense, private) = {sizes}")


def _check_start(model: Model, dtype: str, common: bool) -> None:
    name = f"model {model.name} ({dtype})"
    first, again, other, reseeded = (
        _node(model, dtype, *which) for which in ((0, 0), (0, 0), (0, 1), (1, 0))
    )
    expect(finite(first.rows, first.dense, first.private), f"{name}: starts with a number that is not finite")
    expect(_same(first, again), f"{name}: starts differently for the same seed and node")
    # A batch view must be filled exactly like arrays of one's own.
    batch = _batch(model, dtype)
    expect(
        _same(batch[0], first) and _same(batch[1], other),
        f"{name}: a batch starts differently from single nodes",
    )
    if np.ptp(first.rows[:, 0]) > 0:
        apart = common or not same_bits(first.rows, other.rows)
        expect(apart, f"{name}: two nodes start with the same random rows; if they should: common_start=True")
        expect(not same_bits(first.rows, reseeded.rows), f"{name}: two seeds start with the same random rows")


def _check_one_pass(model: Model, dtype: str, ratings: bool) -> None:
    name = f"model {model.name} ({dtype})"
    items, values = _data(0)
    start, node, view = _node(model, dtype, 0, 0), _node(model, dtype, 0, 0), _batch(model, dtype)[0]
    _learn(model, node, items[:0], values[:0], 0)
    expect(_same(node, start), f"{name}: learning from nothing changes something")
    kept = items.copy(), values.copy()
    _learn(model, node, items, values, 0)
    _learn(model, view, items, values, 0)
    expect(_same(node, view), f"{name}: a view into a batch learns other bits than arrays of one's own")
    expect(
        same_bits(items, kept[0]) and same_bits(values, kept[1]),
        f"{name}: learning changes the node's own data",
    )
    expect(finite(node.rows, node.dense, node.private), f"{name}: one pass gives a number that is not finite")
    expect((node.ages[items] > 0).all(), f"{name}: learning from an item leaves its age at 0")
    others = np.setdiff1d(np.arange(_ITEMS), items)
    changed = np.flatnonzero((node.rows != start.rows).any(axis=1))
    expect((node.ages[changed] > 0).all(), f"{name}: a row changed and its age stayed 0")
    if ratings:
        same = same_bits(node.rows[others], start.rows[others]) and not node.ages[others].any()
        why = "; a model that draws negatives ranks: evaluate = 'full' in its class, or ratings=False"
        expect(same, f"{name}: learning touches rows of items the node has no data about{why}")
    hyper = model.hyper()
    for item in range(_ITEMS):
        score = model.kernels.score(node.rows, node.dense, node.private, item, hyper)
        expect(np.isfinite(score), f"{name}: scores item {item} as {score}")
    expect(
        np.isfinite(model.kernels.unseen(node.private, hyper)),
        f"{name}: its word on unseen items is not finite",
    )


def _check_learning(model: Model, dtype: str, ratings: bool) -> None:
    name = f"model {model.name} ({dtype})"
    nodes = [_node(model, dtype, 0, node) for node in range(_NODES)]
    before = np.mean([_mistakes(model, node, n, ratings) for n, node in enumerate(nodes)])
    for turn in range(_PASSES):
        for n, node in enumerate(nodes):
            _learn(model, node, *_data(n), turn, n)
    expect(
        all(finite(n.rows, n.dense, n.private) for n in nodes),
        f"{name}: {_PASSES} passes end in NaN or infinity",
    )
    after = np.mean([_mistakes(model, node, n, ratings) for n, node in enumerate(nodes)])
    expect(
        after < before,
        f"{name}: {_PASSES} passes do not lower its own training error ({before:.4f}, {after:.4f})",
    )


def _data(node: int) -> tuple[Positions, Values]:
    """Five of twelve items, rated 1 to 5 by how far they lie from the node's own taste."""
    items = np.sort((np.arange(5) * 5 + node) % _ITEMS).astype(np.int32)
    values = (5 - np.abs(items - node) % 5).astype(np.float32)
    return items, values


def _table() -> Interactions:
    """What all nodes have."""
    items, values = zip(*(_data(node) for node in range(_NODES)), strict=True)
    who = np.repeat(np.arange(_NODES), [len(one) for one in items])
    return Interactions.from_pairs(
        who, np.concatenate(items), np.concatenate(values), users=_NODES, items=_ITEMS
    )


def _mistakes(model: Model, state: NodeState, node: int, ratings: bool) -> float:
    """The mean squared error; or the share of (own, other) pairs of items that are in the wrong order."""
    items, values = _data(node)
    hyper = model.hyper()
    scores: npt.NDArray[np.float64] = np.array(
        [model.kernels.score(state.rows, state.dense, state.private, i, hyper) for i in range(_ITEMS)],
        np.float64,
    )
    if ratings:
        return float(np.mean((scores[items] - values) ** 2))
    others = np.delete(scores, items)
    return float(np.mean(scores[items][:, None] <= others[None, :]))


def _learn(
    model: Model, state: NodeState, items: Positions, values: Values, turn: int, node: int = 0
) -> None:
    arrays = state.arrays()._replace(memory=None)
    model.kernels.learn(arrays, Ratings(items, values), (0, node, turn), model.hyper())


def _node(model: Model, dtype: str, seed: int, node: int) -> NodeState:
    state = NodeState(
        rows=np.zeros((_ITEMS, model.row_width), dtype),
        ages=np.zeros(_ITEMS, np.int32),
        dense=np.zeros(model.dense_size, dtype),
        clock=0,
        private=np.zeros(model.private_size, dtype),
    )
    model.kernels.init_rows(seed, node, state.rows, state.dense, model.hyper())
    model.kernels.init_private(seed, node, state.private, model.hyper())
    return state


def _batch(model: Model, dtype: str) -> list[NodeState]:
    """Two nodes as views into arrays of a whole fleet, and filled there."""
    rows = np.zeros((2, _ITEMS, model.row_width), dtype)
    ages = np.zeros((2, _ITEMS), np.int32)
    dense = np.zeros((2, model.dense_size), dtype)
    private = np.zeros((2, model.private_size), dtype)
    for n in range(2):
        model.kernels.init_rows(0, n, rows[n], dense[n], model.hyper())
        model.kernels.init_private(0, n, private[n], model.hyper())
    return [NodeState(rows[n], ages[n], dense[n], 0, private[n]) for n in range(2)]


def _same(a: NodeState, b: NodeState) -> bool:
    pairs = ((a.rows, b.rows), (a.ages, b.ages), (a.dense, b.dense), (a.private, b.private))
    return all(same_bits(x, y) for x, y in pairs)
