"""Prepare a run: from names to an `Experiment`. Everything that can be checked before learning is checked here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from tacit.core.errors import BadInput
from tacit.core.interactions import Texts
from tacit.core.node_state import Visibility
from tacit.core.registry import build_part, construct
from tacit.core.settings import Flat
from tacit.data.dataset import Dataset, is_path, load
from tacit.data.disclosure_file import read_pi
from tacit.data.features import Features, item_features
from tacit.data.images import Images, is_images, load_images
from tacit.data.sequences import Sequences, sequences
from tacit.data.splits import Split, split
from tacit.data.synthetic import Synthetic
from tacit.experiment import memory_estimate
from tacit.experiment.experiment import Experiment
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import RunSettings, TimeSettings, evaluation_named, protocol_named, settle
from tacit.models.base import Model
from tacit.protocols.base import Protocol
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.sessions import Sessions, always
from tacit.simulator.churn.trace import read_trace

_TRAVELLING = {"rows", "ages", "dense", "clock"}
Data = str | Path | pl.DataFrame
Progress = Callable[[int, int | None], None]


def prepare(
    name: str,
    data: Data,
    chosen: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Experiment:
    """Check everything that can be checked before learning: names, values, data, split, memory."""
    flat = settle(recipe(name).parameters, chosen or {})
    settings = RunSettings.of(flat)
    if not 0 <= seed < 2**63:
        raise BadInput("--seed", got=seed, allowed="a whole number from 0")
    dataset, parts, images = _load(data, settings, seed, progress)
    scale = _scale(settings.learning.limits, dataset)
    visits = sequences(dataset, parts.train) if flat["model"] == "prme-g" else None
    model = build_model(flat, scale, images, item_features(dataset.items), visits)
    protocol: Protocol = construct(protocol_named(flat["protocol"]), flat)
    pi, pi_notes = read_pi(flat["pi"], dataset.user_ids)
    _check_flags(protocol, flat, discloses=pi is not None)
    sessions, session_notes = build_sessions(settings.time, protocol, dataset.user_ids, seed)
    x = Experiment(
        recipe=name,
        seed=seed,
        parameters=flat,
        settings=settings,
        protocol=protocol,
        evaluation=evaluation_named(flat["evaluate"]),
        dataset=dataset,
        split=parts,
        scale=scale,
        model=model,
        sessions=sessions,
        source=source_of(data),
        images=images,
        pi=pi,
        frame=data if isinstance(data, pl.DataFrame) else None,
    )
    x.memory = memory_estimate.estimate(x)
    memory_estimate.check(x)
    scenario = x.scenario()
    protocol.check(scenario, flat)
    x.notes += [*_paper_negatives(x), *dataset.notes, *parts.notes, *(visits.notes if visits else ())]
    x.notes += [*protocol.notes(name, scenario), *pi_notes, *session_notes]
    _check_best(x)
    if parts.validation is not None:
        _check_validation(parts)
        x.notes.append("measured on the validation part; the test part was neither trained on nor looked at")
    x.evaluation.check(x)
    return x


def for_validation(x: Experiment) -> Experiment:
    """The same experiment while tuning: a validation part is held out of the training part, and measured."""
    flat: Flat = {**x.parameters, "evaluate.on": "validation", "best": None}
    settings = RunSettings.of(flat)
    parts = x.split if x.split.validation is not None else _divide(x.dataset, settings, x.seed)
    _check_validation(parts)
    tuning = replace(x, parameters=flat, settings=settings, split=parts, frame=None)
    x.protocol.check(tuning.scenario(), flat)
    return tuning


def build_model(
    flat: Mapping[str, Any],
    scale: tuple[float, float],
    images: Images | None = None,
    features: Features | None = None,
    sequences: Sequences | None = None,
) -> Model:
    """The model with its own settings (`model.*`) and what it asks for of the data: scale, images, features."""
    model: Model = build_part(
        "model",
        flat,
        scale=scale,
        init=flat["init"],
        images=images,
        features=features,
        sequences=sequences,
        user_vectors=flat.get("user-vectors", "private"),
    )
    if images is not None and model.row_width > 0:
        raise BadInput("data set", got="images", allowed=f"users and items with model {model.name}")
    if flat["init"] == "data" and model.kernels.init_data is None:
        raise BadInput("init", got="data", allowed=f"random: {model.name} has no other way to start")
    for part in model.fields:
        if (part.visibility is Visibility.SHARED) != (part.name in _TRAVELLING):
            raise BadInput(
                f"model {model.name}: field {part.name}",
                got=part.visibility.value,
                allowed="the simulator sends rows, ages, dense and clock, and nothing else",
            )
    return model


def build_sessions(
    time: TimeSettings, protocol: Protocol, user_ids: Texts, seed: int
) -> tuple[Sessions, list[str]]:
    """Which node is online when, and notes for the reader."""
    if time.churn == "none" or protocol.ignores_churn:
        return always(), []
    if time.churn == "generated":
        # No round is longer than two transfers. More hours than needed change nothing in those that are.
        hours = max(time.hours or 0.0, (time.rounds or 0) * 2 * time.full_seconds / 3600)
        return generate(len(user_ids), seed, hours).sessions, ["nodes come and go like phones on a charger"]
    trace = read_trace(time.churn, user_ids, len(user_ids))
    return trace.sessions, list(trace.notes)


def _scale(limits: tuple[float, float] | None, dataset: Dataset) -> tuple[float, float]:
    if limits is None:
        return dataset.scale
    low, high = limits
    outside = int(((dataset.table.value < low) | (dataset.table.value > high)).sum())
    if outside:
        allowed = f"{low:g} to {high:g}"
        raise BadInput("scale", got=f"{outside} ratings outside", allowed=allowed, where=dataset.name)
    return limits


def _check_flags(protocol: Protocol, flat: Flat, *, discloses: bool) -> None:
    """Refuse settings that the protocol has no use for."""
    if protocol.all_online and flat["churn"] != "none":
        raise BadInput("churn", got=flat["churn"], allowed=f"none with protocol {protocol.name}")
    counts_epochs = protocol.run_defaults.get("hours", 0) is None
    if flat["hours"] is None and flat["rounds"] is None and not counts_epochs:
        raise BadInput(
            "hours", got="none", allowed=f"a number of hours, or rounds, with protocol {protocol.name}"
        )
    if discloses and not protocol.discloses:
        allowed = f"1 with protocol {protocol.name}, which sends no update that could be held back"
        raise BadInput("pi", got=flat["pi"], allowed=allowed)


def _check_best(x: Experiment) -> None:
    best = x.settings.evaluation.best
    if best is None:
        return
    if x.images is not None:
        raise BadInput("best", got=best, allowed="none with images")
    if not x.settings.time.in_rounds:
        raise BadInput(
            "best", got=f"{best} with hours", allowed="with rounds to choose among: --set rounds=N"
        )


def _check_validation(parts: Split) -> None:
    if parts.validation is None or not len(parts.validation):
        least = "users with more interactions, or a smaller part: --set split.n=1"
        raise BadInput("evaluate.on", got="validation, for which nothing is left", allowed=least)


def _load(
    data: Data, settings: RunSettings, seed: int, progress: Progress | None
) -> tuple[Dataset, Split, Images | None]:
    own = settings.data
    if isinstance(data, str) and is_images(data):
        return load_images(data, own.agents, own.images, seed, progress)
    dataset = load(
        data,
        min_user=own.min_user,
        min_item=own.min_item,
        duplicates=own.duplicates,
        density=own.density,
        seed=seed if own.seed is None else own.seed,
        synthetic=Synthetic(users=own.users, items=own.items, interactions=own.interactions),
        progress=progress,
    )
    return dataset, _divide(dataset, settings, seed), None


def _divide(dataset: Dataset, settings: RunSettings, seed: int) -> Split:
    own = settings.split
    validation = settings.evaluation.on == "validation"
    return split(dataset.table, own.kind, seed=seed, n=own.n, share=own.share, validation=validation)


def source_of(data: Data) -> str | None:
    """The name or the path that data is found by again; None for a frame."""
    if isinstance(data, pl.DataFrame):
        return None
    return str(Path(data).expanduser().resolve()) if is_path(data) else str(data)


def _paper_negatives(x: Experiment) -> list[str]:
    """`negatives=paper` is the first of the notes; a protocol that cannot do it, and would need to, is refused."""
    if x.settings.learning.negatives != "paper" or not getattr(x.model, "draws_negatives", False):
        return []
    if not x.protocol.paper_negatives:
        raise BadInput("negatives", got="paper", allowed=f"honest with protocol {x.protocol.name}")
    return [
        "negatives=paper: training negatives avoid held-out items too, which no device could; "
        "figures are too good, only for comparison with published ones"
    ]
