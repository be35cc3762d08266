"""Foreign parts: a model, a merge or a sampler that is not ours is tried once, with every index checked.

A model whose rows are too narrow would write into its neighbours' rows, and equal runs would give different results.
The try is interpreted (`core/compiled/interpreted.py`), on arrays of exactly the sizes that the model declares. They
are those of a small invented node, then of a few nodes of the run. An index outside of an array, a name that does not
exist and a score that is not a number are errors here. The compiler or the run says better whatever else is wrong.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.compiled.interpreted import interpreted
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.node_state import NodeState, Ratings
from tacit.core.where import where_defined, where_raised
from tacit.models.base import Model, memory_sizes

_ITEMS = 8
_OWN = Interactions.from_pairs([0, 0, 0], [0, 3, _ITEMS - 1], [1.0, 3.0, 5.0], users=1, items=_ITEMS)
"""Data about the first row and the last one."""
_OTHERS = 4
"""How many nodes are tried beside those that have most, least and the last item."""
_ENTRIES = 20_000
"""About how many interactions of these others are tried at most."""


def check_foreign(model: Model, protocol: object, train: Interactions, dtype: str) -> None:
    """Refuse parts from outside of tacit that reach outside of their arrays."""
    if is_foreign(model):
        check_model_bounds(model, train, dtype)
    for field in fields(protocol) if is_dataclass(protocol) else ():
        part = getattr(protocol, field.name)
        if is_foreign(part) and hasattr(part, "shape"):  # a merge's and a sampler's own number
            _check_sampler(part)
            _check_merge(part)


def is_foreign(part: object) -> bool:
    """Whether an object's class is defined outside of tacit.

    >>> is_foreign(Path()), is_foreign(3)
    (True, False)
    """
    module = type(part).__module__
    return module != "builtins" and module.partition(".")[0] not in ("tacit", "numpy")


def check_model_bounds(model: Model, train: Interactions, dtype: str) -> None:
    """Start, learn twice and score, as an invented node and as some nodes of the run would."""
    hyper: Any = model.hyper()
    # What is looked up by item or by user has the size of the real data.
    looked_up = any(isinstance(value, np.ndarray) for value in (hyper if isinstance(hyper, tuple) else ()))
    if not looked_up or not len(train):
        _Try(model, hyper, _OWN, dtype).play(0)
    if len(train):
        real = _Try(model, hyper, train, dtype)
        for user in tried_nodes(train):
            real.play(user)


def tried_nodes(train: Interactions) -> list[int]:
    """The nodes with most, with least and with the last item of all, and a few between them.

    >>> tried_nodes(Interactions.from_pairs([0, 1, 1, 2], [2, 0, 1, 0], [1, 1, 1, 1], users=3, items=3))
    [1, 2, 0]
    """
    by_count = np.argsort(-train.counts, kind="stable")
    last_item = train.user[np.argmax(train.item)]
    places = np.linspace(0, train.users - 1, _OTHERS + 2).astype(np.int64)[1:-1]
    others = by_count[places]
    others = others[np.cumsum(train.counts[others]) <= _ENTRIES]
    return list(dict.fromkeys(int(user) for user in (by_count[0], by_count[-1], last_item, *others)))


class _Try:
    """One model on the data of one table. Every node starts with the rows of the first one."""

    def __init__(self, model: Model, hyper: Any, table: Interactions, dtype: str) -> None:
        self._model, self._hyper, self._table, self._dtype = model, hyper, table, dtype
        self._start: tuple[Any, Any] | None = None

    def play(self, user: int) -> None:
        """Start, learn twice and score, as this user's node would."""
        state, hyper = self._state(user), self._hyper
        items, values = self._table.of(user)
        self._attempt("init_private", 0, user, state.private, hyper)
        self._attempt("init_data", state.private.copy(), items, values, np.zeros(len(items)), hyper)
        node = state.arrays()._replace(memory=state.memory if len(state.memory) else None)
        for event in (0, 1):
            self._attempt("learn", node, Ratings(items, values), (0, user, event), hyper)
        self._score(state)

    def _state(self, user: int) -> NodeState:
        model, table, dtype = self._model, self._table, self._dtype
        if self._start is None:
            rows, dense = np.zeros((table.items, model.row_width), dtype), np.zeros(model.dense_size, dtype)
            self._attempt("init_rows", 0, user, rows, dense, self._hyper)
            self._start = rows, dense
        rows, dense = self._start
        remembered = memory_sizes(model).total(int(table.counts[user]), table.items)
        return NodeState(
            rows=rows.copy(),
            ages=np.zeros(table.items, np.int32),
            dense=dense.copy(),
            clock=0,
            private=np.zeros(model.private_size, dtype),
            memory=np.zeros(remembered, dtype),
        )

    def _score(self, state: NodeState) -> None:
        finite = all(np.isfinite(part).all() for part in (state.rows, state.dense, state.private))
        for item in (0, self._table.items - 1):
            self._number("score", finite, state.rows, state.dense, state.private, item, self._hyper)
        self._number("unseen", finite, state.private, self._hyper)

    def _number(self, name: str, finite: bool, *args: Any) -> None:
        """What scores must be a number; one that is NaN only where the model itself ran away."""
        found = self._attempt(name, *args)
        wrong = not isinstance(found, int | float | np.number | None)
        if wrong or (finite and found is not None and np.isnan(found)):
            kernel = getattr(self._model.kernels, name)
            raise BadInput(
                f"model {self._model.name}: {name}",
                got=repr(found) if wrong else "nan",
                allowed="a number",
                where=where_defined(kernel),
            )

    def _attempt(self, name: str, *args: Any) -> Any:
        model = self._model
        kernel = getattr(model.kernels, name)
        allowed = (
            f"rows of row_width {model.row_width}, dense of dense_size {model.dense_size}, "
            f"private of private_size {model.private_size}"
        )
        return None if kernel is None else _attempt(f"model {model.name}: {name}", allowed, kernel, *args)


def _check_sampler(part: Any) -> None:
    pick = getattr(part, "pick", None)
    if pick is None:
        return
    what = f"sampler {getattr(part, 'name', type(part).__name__)}: pick"
    for candidates in (1, 2, 7):
        for event in range(4):
            place = _attempt(what, "places among the candidates", pick, 0, 1, event, candidates, part.shape)
            if place is not None and not 0 <= place < candidates:
                raise BadInput(what, got=f"place {place} of {candidates}", allowed=f"0 to {candidates - 1}")


def _check_merge(part: Any) -> None:
    weight = getattr(part, "weight", None)
    if weight is not None:
        what = f"merge {getattr(part, 'name', type(part).__name__)}: weight"
        for own, received in ((0, 1), (3, 2)):
            _attempt(what, "indices inside its arrays", weight, own, received, part.shape)


def _attempt(what: str, allowed: str, kernel: Callable[..., Any], *args: Any) -> Any:
    """Call a kernel as plain Python; None where that cannot be done."""
    try:
        with np.errstate(all="ignore"):
            return interpreted(kernel)(*args)
    except (IndexError, ValueError) as error:
        if isinstance(error, ValueError) and "broadcast" not in str(error):
            return None
        raise BadInput(what, got=str(error), allowed=allowed, where=_place(error)) from None
    except Exception as error:
        if isinstance(error, NameError) or str(error).startswith("module "):  # has no such attribute
            where = where_raised(error) or _place(error)
            raise BadInput(f"{what}: {type(error).__name__}: {error}", where=where) from None
        return None


def _place(error: Exception) -> str:
    """The file and the line that reached outside."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}, line {last.lineno}"
