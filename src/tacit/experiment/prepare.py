"""From parameters to a simulation, ready to advance.

Everything that can be checked before learning starts: names, values, data, split, memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Interactions, Texts
from tacit.core.node_state import Visibility
from tacit.core.registry import build_part, find
from tacit.data.dataset import Dataset, is_path, load
from tacit.data.disclosure_file import read_pi
from tacit.data.features import Features, item_features
from tacit.data.images import Images, is_images, load_images
from tacit.data.sequences import Sequences, sequences
from tacit.data.splits import Split, split
from tacit.data.synthetic import Synthetic
from tacit.experiment import memory_estimate as memory
from tacit.experiment.evaluations.base import Evaluation
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import settle
from tacit.models.base import Model
from tacit.protocols.base import Parameters, Plan, Protocol, full_seconds
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.sessions import Sessions, always
from tacit.simulator.churn.trace import read_trace
from tacit.simulator.simulation import Simulation

_TRAVELLING = {"rows", "ages", "dense", "clock"}


def build_model(
    parameters: Parameters,
    scale: tuple[float, float],
    images: Images | None = None,
    features: Features | None = None,
    sequences: Sequences | None = None,
) -> Model:
    """The model with its own parameters (`model.*`) and what it asks for of the data: scale, images, features."""
    model: Model = build_part(
        "model",
        parameters,
        scale=scale,
        init=parameters["init"],
        images=images,
        features=features,
        sequences=sequences,
        user_vectors=parameters.get("user-vectors", "private"),
    )
    if images is not None and model.row_width > 0:
        raise BadInput("data set", got="images", allowed=f"users and items with model {model.name}")
    if parameters["init"] == "data" and model.kernels.init_data is None:
        raise BadInput("init", got="data", allowed=f"random: {model.name} has no other way to start")
    for part in model.fields:
        if (part.visibility is Visibility.SHARED) != (part.name in _TRAVELLING):
            raise BadInput(
                f"model {model.name}: field {part.name}",
                got=part.visibility.value,
                allowed="the simulator sends rows, ages, dense and clock, and nothing else",
            )
    return model


def build_sessions(parameters: Parameters, user_ids: Texts, seed: int) -> tuple[Sessions, list[str]]:
    """Who is online when, and what a reader should know about it."""
    churn = str(parameters["churn"])
    if churn == "none" or parameters["protocol"] == "centralized":
        return always(), []
    if churn == "generated":
        # No round is longer than two transfers. More hours than needed change nothing in those that are.
        rounds = float(parameters["rounds"] or 0)
        hours = max(float(parameters["hours"] or 0), rounds * 2 * full_seconds(parameters) / 3600)
        return generate(len(user_ids), seed, hours).sessions, ["nodes come and go like phones on a charger"]
    trace = read_trace(churn, user_ids, len(user_ids))
    return trace.sessions, list(trace.notes)


def build_simulation(plan: Plan) -> Simulation:
    """The protocol, with every node initialized."""
    protocol: Protocol = find("tacit.protocols", "protocol", str(plan.parameters["protocol"]))
    return protocol.build(plan)


@dataclass(slots=True)
class Experiment:
    """A run that is ready to start."""

    recipe: str
    seed: int
    parameters: Parameters
    dataset: Dataset
    split: Split
    scale: tuple[float, float]
    model: Model
    sessions: Sessions
    """Who is online when."""
    memory: int
    source: str | None = None
    """The name or the path that the data set is found by again; None for a frame."""
    notes: list[str] = field(default_factory=list)
    images: Images | None = None
    """Where the data are images."""
    pi: npt.NDArray[np.float64] | None = None
    """What share of updates about own items each user discloses; None: all."""

    @property
    def avoid(self) -> Interactions | None:
        """What training negatives are drawn outside of; None: the training part, which is all a device knows."""
        return self.dataset.table if self.parameters["negatives"] == "paper" else None

    @property
    def held_out(self) -> Interactions:
        """The part that is measured: the test part, or the validation part while tuning."""
        if self.parameters["evaluate.on"] == "validation" and self.split.validation is not None:
            return self.split.validation
        return self.split.test


def prepare(
    name: str,
    data: str | Path | pl.DataFrame,
    chosen: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: Callable[[int, int | None], None] | None = None,
) -> Experiment:
    """Check everything that can be checked before learning: names, values, data, split, memory."""
    parameters = settle(recipe(name).parameters, chosen or {})
    if not 0 <= seed < 2**63:
        raise BadInput("--seed", got=seed, allowed="a whole number from 0")
    dataset, parts, images = _load(data, parameters, seed, progress)
    scale = dataset.scale
    if parameters["scale"] is not None:
        low, high = str(parameters["scale"]).split(",")
        scale = (float(low), float(high))
        outside = int(((dataset.table.value < scale[0]) | (dataset.table.value > scale[1])).sum())
        if outside:
            raise BadInput(
                "scale", got=f"{outside} ratings outside", allowed=f"{low} to {high}", where=dataset.name
            )
    visits = sequences(dataset, parts.train) if parameters["model"] == "prme-g" else None
    model = build_model(parameters, scale, images, item_features(dataset.items), visits)
    needed = memory.estimate(parameters, model, parts.train)
    memory.check(needed, parameters, model, parts.train)
    notes = [*dataset.notes, *parts.notes, *(visits.notes if visits is not None else ())]
    protocol: Protocol = find("tacit.protocols", "protocol", str(parameters["protocol"]))
    notes += protocol.notes(name)
    _check_paper_negatives(parameters, model, protocol, notes)
    pi, more = read_pi(parameters["pi"], dataset.user_ids)
    if pi is not None and not protocol.discloses:
        other = f"1 with protocol {parameters['protocol']}, which sends no update that could be held back"
        raise BadInput("pi", got=parameters["pi"], allowed=other)
    notes += more
    if parameters["best"] is not None:
        if images is not None:
            raise BadInput("best", got=parameters["best"], allowed="none with images")
        if parameters["rounds"] is None and parameters["hours"] is not None:
            allowed = "with rounds to choose among: --set rounds=N"
            raise BadInput("best", got=f"{parameters['best']} with hours", allowed=allowed)
    if parts.validation is not None:
        _check_validation(parts)
        notes.append("measured on the validation part; the test part was neither trained on nor looked at")
    avoid = dataset.table if parameters["negatives"] == "paper" else parts.train
    protocol.check(parameters, model, parts.train, avoid)
    notes += protocol.remarks(parameters, parts)
    sessions, more = build_sessions(parameters, dataset.user_ids, seed)
    experiment = Experiment(
        recipe=name,
        seed=seed,
        parameters=parameters,
        dataset=dataset,
        split=parts,
        scale=scale,
        model=model,
        sessions=sessions,
        memory=needed,
        source=_source(data),
        notes=[*notes, *more],
        images=images,
        pi=pi,
    )
    evaluation: type[Evaluation] = find(
        "tacit.experiment.evaluations", "evaluation", str(parameters["evaluate"])
    )
    evaluation.check(experiment)
    return experiment


def for_validation(x: Experiment) -> Experiment:
    """The same experiment while tuning: a validation part is held out of the training part, and measured."""
    parameters: Parameters = {**x.parameters, "evaluate.on": "validation", "best": None}
    parts = x.split if x.split.validation is not None else _divide(x.dataset, parameters, x.seed)
    _check_validation(parts)
    protocol: Protocol = find("tacit.protocols", "protocol", str(parameters["protocol"]))
    avoid = x.dataset.table if parameters["negatives"] == "paper" else parts.train
    protocol.check(parameters, x.model, parts.train, avoid)
    return replace(x, parameters=parameters, split=parts)


def _check_validation(parts: Split) -> None:
    if parts.validation is None or not len(parts.validation):
        least = "users with more interactions, or a smaller part: --set split.n=1"
        raise BadInput("evaluate.on", got="validation, for which nothing is left", allowed=least)


def _load(
    data: str | Path | pl.DataFrame,
    parameters: Parameters,
    seed: int,
    progress: Callable[[int, int | None], None] | None,
) -> tuple[Dataset, Split, Images | None]:
    if isinstance(data, str) and is_images(data):
        agents, each = int(parameters["data.agents"] or 1), int(parameters["data.images"] or 1)
        return load_images(data, agents, each, seed, progress)
    dataset = load(
        data,
        min_user=int(parameters["data.min_user"] or 0),
        min_item=int(parameters["data.min_item"] or 0),
        duplicates=str(parameters["data.duplicates"]),
        density=str(parameters["data.density"]),
        seed=seed if parameters["data.seed"] is None else int(parameters["data.seed"]),
        synthetic=Synthetic(
            users=int(parameters["data.users"] or 0),
            items=int(parameters["data.items"] or 0),
            interactions=int(parameters["data.interactions"] or 0),
        ),
        progress=progress,
    )
    return dataset, _divide(dataset, parameters, seed), None


def _divide(dataset: Dataset, parameters: Parameters, seed: int) -> Split:
    share = parameters["split.share"]
    return split(
        dataset.table,
        str(parameters["split"]),
        seed=seed,
        n=int(parameters["split.n"] or 1),
        share=None if share is None else float(share),
        validation=parameters["evaluate.on"] == "validation",
    )


def _source(data: str | Path | pl.DataFrame) -> str | None:
    if isinstance(data, pl.DataFrame):
        return None
    return str(Path(data).expanduser().resolve()) if is_path(data) else str(data)


def _check_paper_negatives(
    parameters: Parameters, model: Model, protocol: Protocol, notes: list[str]
) -> None:
    """`negatives=paper` stands first among the notes; who cannot do it, and would need to, refuses."""
    if parameters["negatives"] != "paper" or not getattr(model, "draws_negatives", False):
        return
    if not protocol.paper_negatives:
        raise BadInput("negatives", got="paper", allowed=f"honest with protocol {parameters['protocol']}")
    notes.insert(
        0,
        "negatives=paper: training negatives avoid held-out items too, which no device could; "
        "figures are too good, only for comparison with published ones",
    )
