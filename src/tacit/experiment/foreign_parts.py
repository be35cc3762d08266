"""Foreign parts: a model, a merge or a sampler that is not ours is tried once, with every index checked.

A model whose rows are too narrow would write into its neighbours' rows, and equal runs would give different results.
The try is interpreted (`core/compiled/interpreted.py`), on small arrays of exactly the sizes that the model declares.
Only an index outside of an array is an error here. Whatever else goes wrong, the compiler or the run says it better.
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
from tacit.models.base import Model, memory_sizes

_ITEMS = 8
_OWN = Interactions.from_pairs([0, 0, 0], [0, 3, _ITEMS - 1], [1.0, 3.0, 5.0], users=1, items=_ITEMS)
"""Data about the first row and the last one."""


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
    """Start, learn twice and score, as one node would."""
    hyper: Any = model.hyper()
    # What is looked up by item or by user has the size of the real data.
    looked_up = any(isinstance(value, np.ndarray) for value in (hyper if isinstance(hyper, tuple) else ()))
    own = train if looked_up and len(train) else _OWN
    user = int(np.argmax(own.counts > 0))
    items, values = own.of(user)
    remembered = memory_sizes(model).total(len(items), own.items)
    state = NodeState(
        rows=np.zeros((own.items, model.row_width), dtype),
        ages=np.zeros(own.items, np.int32),
        dense=np.zeros(model.dense_size, dtype),
        clock=0,
        private=np.zeros(model.private_size, dtype),
        memory=np.zeros(remembered, dtype),
    )
    kernels, what = model.kernels, f"model {model.name}"
    allowed = (
        f"rows of row_width {model.row_width}, dense of dense_size {model.dense_size}, "
        f"private of private_size {model.private_size}"
    )
    node = state.arrays()._replace(memory=state.memory if remembered else None)

    def attempt(name: str, *args: Any) -> None:
        kernel = getattr(kernels, name)
        if kernel is not None:
            _attempt(f"{what}: {name}", allowed, kernel, *args)

    attempt("init_rows", 0, user, state.rows, state.dense, hyper)
    attempt("init_private", 0, user, state.private, hyper)
    attempt("init_data", state.private.copy(), items, values, np.zeros(len(items)), hyper)
    for event in (0, 1):
        attempt("learn", node, Ratings(items, values), (0, user, event), hyper)
    for item in (0, own.items - 1):
        attempt("score", state.rows, state.dense, state.private, item, hyper)
    attempt("unseen", state.private, hyper)


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
    except Exception:
        return None


def _place(error: Exception) -> str:
    """The file and the line that reached outside."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{Path(last.filename).name}, line {last.lineno}"
