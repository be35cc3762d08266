"""Foreign parts: a model, a merge or a sampler that is not ours is tried once, with every index checked.

A model whose rows are too narrow would write into its neighbours' rows, and equal runs would give different results.
The try is interpreted (`core/compiled/interpreted.py`), on arrays of exactly the sizes that the model declares. They
are those of a small invented node, then of a few nodes of the run. An index outside of an array, a name that does not
exist and a score that is not a number are errors here. The compiler or the run says better whatever else is wrong.

The try knows the line of a mistake. It does not come by every branch, such as one for rows of age 500. During a run
foreign kernels look at every index, too (`core/compiled/compiling.py`). `outside_explained` says whose it was.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.compiled.failures import OUTSIDE, compiling_explained
from tacit.core.compiled.interpreted import interpreted
from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions
from tacit.core.node_state import NodeState, Ratings
from tacit.core.where import is_ours, where_defined, where_raised
from tacit.models.base import Model, memory_sizes
from tacit.peer_sampling.base import NoSuchPeer

_ITEMS = 8
_OWN = Interactions.from_pairs([0, 0, 0], [0, 3, _ITEMS - 1], [1.0, 3.0, 5.0], users=1, items=_ITEMS)
"""Data about the first row and the last one."""
_OTHERS = 4
"""How many nodes are tried beside those that have most, least and the last item."""
_ENTRIES = 20_000
"""About how many interactions of these others are tried at most."""
_FIRST, _LATER = (0, 1), (10, 1000)
"""Events that every node tries, and those that come with rows of such an age: a first node tries them, too."""
_AGES, _ROUNDING = (0, 1, 2, 3, 10, 1000), 1e-6
"""Pairs of ages that a merge weighs, and how far outside of 0 to 1 a weight may be."""
_UNKNOWN = object()
"""What a kernel gives that cannot be interpreted."""


def check_foreign(model: Model, protocol: object, train: Interactions, dtype: str) -> None:
    """Refuse parts from outside of tacit that reach outside of their arrays."""
    if is_foreign(model):
        check_model_bounds(model, train, dtype)
    for part in _parts(protocol):
        _check_sampler(part)
        _check_merge(part)


def _parts(protocol: object) -> list[Any]:
    """Its merge and its sampler, where they are foreign: parts with a number of their own."""
    held = [getattr(protocol, one.name) for one in fields(protocol)] if is_dataclass(protocol) else []
    return [part for part in held if is_foreign(part) and hasattr(part, "shape")]


def is_foreign(part: object) -> bool:
    """Whether an object's class is defined outside of tacit.

    >>> is_foreign(Path()), is_foreign(3)
    (True, False)
    """
    return not is_ours(part) and type(part).__module__.partition(".")[0] not in ("builtins", "numpy")


@contextmanager
def outside_explained(model: Model, protocol: object) -> Iterator[None]:
    """Inside, an index outside of an array is one line with the foreign part whose index it was."""
    try:
        yield
    except NoSuchPeer as error:
        raise _no_such_peer(getattr(protocol, "peers", None), *error.args) from None
    except IndexError as error:
        parts = [*([model] if is_foreign(model) else []), *_parts(protocol)]
        if error.args != (OUTSIDE,) or not parts:
            raise
        whose = " or ".join(f"{kind} {_name(part)}" for part in parts for kind in [_kind(part)])
        allowed = _sizes(model) if is_foreign(model) else "indices inside its arrays"
        where = where_raised(error) or where_defined(parts[0])
        raise BadInput(whose, got="an index outside of an array", allowed=allowed, where=where) from None


def check_model_bounds(model: Model, train: Interactions, dtype: str) -> None:
    """Start, learn twice and score, as an invented node and as some nodes of the run would."""
    hyper: Any = model.hyper()
    # What is looked up by item or by user has the size of the real data.
    looked_up = any(isinstance(value, np.ndarray) for value in (hyper if isinstance(hyper, tuple) else ()))
    if not looked_up or not len(train):
        _Try(model, hyper, _OWN, dtype).play(0, later=True)
    if len(train):
        real = _Try(model, hyper, train, dtype)
        for user in tried_nodes(train):
            real.play(user, later=looked_up)


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

    def play(self, user: int, later: bool) -> None:
        """Start, learn twice and score, as this user's node would; then at `later` events, on rows as old as these."""
        state, hyper = self._state(user), self._hyper
        items, values = self._table.of(user)
        self._attempt("init_private", 0, user, state.private, hyper)
        self._attempt("init_data", state.private.copy(), items, values, np.zeros(len(items)), hyper)
        node = state.arrays()._replace(memory=state.memory if len(state.memory) else None)
        for event in (*_FIRST, *(_LATER if later else ())):
            if event in _LATER:
                state.ages[:] = event
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
        """What scores must be a finite number, except where the model itself ran away."""
        found = self._attempt(name, *args)
        if found is _UNKNOWN:
            return
        wrong = not _is_number(found)
        if wrong or (finite and not np.isfinite(found)):
            kernel = getattr(self._model.kernels, name)
            raise BadInput(
                f"model {self._model.name}: {name}",
                got=repr(found) if wrong else f"{found:g}",
                allowed="a number" if wrong else "a finite number",
                where=where_defined(kernel),
            )

    def _attempt(self, name: str, *args: Any) -> Any:
        model = self._model
        kernel = getattr(model.kernels, name)
        what = f"model {model.name}: {name}"
        return _UNKNOWN if kernel is None else _attempt(what, _sizes(model), kernel, *args)


def _check_sampler(part: Any) -> None:
    pick = getattr(part, "pick", None)
    if pick is None:
        return
    for candidates, event in product((1, 2, 7), (*range(4), *_LATER)):
        what = f"sampler {_name(part)}: pick"
        found = _attempt(what, "places among the candidates", pick, 0, 1, event, candidates, part.shape)
        if found is _UNKNOWN:
            continue
        if not isinstance(found, int | np.integer) or isinstance(found, bool):
            raise BadInput(what, got=repr(found), allowed="a whole number", where=where_defined(pick))
        if not 0 <= found < candidates:
            raise _no_such_peer(part, int(found), candidates)


def _no_such_peer(part: Any, found: int, candidates: int) -> BadInput:
    """A place that is none of the candidates'."""
    got, allowed = f"place {found} of {candidates}", f"0 to {candidates - 1}"
    if part is None:  # a protocol's that has no setting for it
        return BadInput("the protocol's sampler: pick", got=got, allowed=allowed)
    where = where_defined(getattr(part, "pick", part))
    return BadInput(f"sampler {_name(part)}: pick", got=got, allowed=allowed, where=where)


def _check_merge(part: Any) -> None:
    weight = getattr(part, "weight", None)
    if weight is None:
        return
    for own, received in product(_AGES, _AGES):
        what = f"merge {_name(part)}: weight"
        found = _attempt(what, "indices inside its arrays", weight, own, received, part.shape)
        if found is _UNKNOWN:  # such as 0 / 0, with which compiled code goes on
            with compiling_explained():
                found = weight(own, received, part.shape)
        if not _is_number(found) or not -_ROUNDING <= found <= 1 + _ROUNDING:
            case, allowed = f"{found} for ages {own} and {received}", "a number from 0 to 1"
            raise BadInput(what, got=case, allowed=allowed, where=where_defined(weight))


def _name(part: Any) -> str:
    return str(getattr(part, "name", type(part).__name__))


def _kind(part: Any) -> str:
    return "model" if hasattr(part, "kernels") else "sampler" if hasattr(part, "pick") else "merge"


def _sizes(model: Model) -> str:
    return (
        f"rows of row_width {model.row_width}, dense of dense_size {model.dense_size}, "
        f"private of private_size {model.private_size}"
    )


def _is_number(found: object) -> bool:
    return isinstance(found, int | float | np.number)


def _attempt(what: str, allowed: str, kernel: Callable[..., Any], *args: Any) -> Any:
    """Call a kernel as plain Python; `_UNKNOWN` where that cannot be done."""
    try:
        with np.errstate(all="ignore"):
            return interpreted(kernel)(*args)
    except (IndexError, ValueError) as error:
        if isinstance(error, ValueError) and "broadcast" not in str(error):
            return _UNKNOWN
        raise BadInput(what, got=str(error), allowed=allowed, where=_place(error)) from None
    except Exception as error:
        if isinstance(error, NameError) or str(error).startswith("module "):  # has no such attribute
            where = where_raised(error) or _place(error)
            raise BadInput(f"{what}: {type(error).__name__}: {error}", where=where) from None
        return _UNKNOWN


def _place(error: Exception) -> str:
    """The file and the line that reached outside."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}, line {last.lineno}"
