"""A finished run's folder, opened again: whom would it recommend what?"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.state import NodeState
from tacit.experiment import folder as files
from tacit.experiment.preparing import Experiment, prepare
from tacit.experiment.recommending import Suggestion, favourites, recommend
from tacit.hosts.sim.snapshot import Reader


@dataclass(frozen=True, slots=True)
class Recommended:
    """What one user is shown, and what they liked before."""

    user: str
    recipe: str
    liked: list[str]
    items: list[Suggestion]

    def to_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "user": self.user,
            "liked": self.liked,
            "items": [
                {"key": s.key, "title": s.title, "score": s.score, "because": s.because} for s in self.items
            ],
        }


def recommend_from(
    folder: Path, user: str, n: int = 10, progress: Callable[[int, int | None], None] | None = None
) -> Recommended:
    """The n best items for a user, by the model that their own node ended with."""
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    experiment = reopen(folder, progress)
    if experiment.images is not None:
        raise BadInput("run", got="one on images", allowed="runs on users and items", where=folder)
    data, train = experiment.dataset, experiment.split.train
    who = position_of(user, data.user_ids.tolist())
    suggestions = recommend(experiment.model, node_state(folder, who), train, who, data.items, n)
    return Recommended(user, experiment.recipe, favourites(train, who, data.items), suggestions)


def reopen(folder: Path, progress: Callable[[int, int | None], None] | None = None) -> Experiment:
    """The experiment that a folder's run was: same data, same split, same parameters."""
    if not (folder / files.STATE).exists():
        inside = sorted(path.parent.name for path in folder.glob(f"*/{files.STATE}"))
        allowed = (
            f"a run that kept them, here: {', '.join(inside[:9])}" if inside else "the --out of tacit run"
        )
        raise BadInput("models", got="none", allowed=allowed, where=folder)
    result, source = files.read_result(folder)
    if source is None:
        raise BadInput("data", got="a run on a frame", allowed="runs on a known name or a file", where=folder)
    experiment = prepare(result.recipe, source, result.parameters, result.seed, progress)
    if experiment.dataset.sha256 != result.data["sha256"]:
        raise BadInput("data", got=f"another {source} than then", allowed=result.data["sha256"], where=folder)
    return experiment


def position_of(user: str, ids: list[str]) -> int:
    """A user's place; an error that names ids like it, and not all of them."""
    if user in ids:
        return ids.index(user)
    near = get_close_matches(user, ids, n=5, cutoff=0.5) or ids[:5]
    raise BadInput("user", got=user, allowed=f"one of {len(ids):,} ids such as {', '.join(near)}")


def node_state(folder: Path, node: int) -> NodeState:
    """One node's last model, without reading everybody else's into memory."""
    path = folder / files.STATE
    try:
        with Reader(path) as arrays:
            slot = int(arrays.row("slot", node))
            rows, ages, dense = (arrays.row(name, slot) for name in ("rows", "ages", "dense"))
            if rows.dtype == np.float16:  # kernels have no half precision
                rows = rows.astype(np.float32)
            return NodeState(rows, ages, dense, int(arrays.row("clock", slot)), arrays.row("private", node))
    except KeyError as missing:
        raise BadInput("models", got=f"no {missing}", allowed="models of items", where=path) from None
    except (ValueError, IndexError, OSError, EOFError, zipfile.BadZipFile):
        raise BadInput("models", got="a damaged file", allowed="run it again", where=path) from None
