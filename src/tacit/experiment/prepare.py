"""Prepare a run: from names to an `Experiment`. Everything that can be checked before learning is checked here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core.errors import BadInput
from tacit.core.interactions import Texts
from tacit.core.node_state import Visibility
from tacit.core.registry import build_part, construct
from tacit.core.settings import Flat, is_whole
from tacit.core.where import where_defined
from tacit.data.dataset import Data, Dataset, is_path, load, to_rows
from tacit.data.features import Features, item_features
from tacit.data.given_split import given_split
from tacit.data.images import Images, is_images, load_images
from tacit.data.row_order import check_row_order
from tacit.data.sequences import Sequences, sequences
from tacit.data.source_rows import SourceRows
from tacit.data.splits import Split, everything, split, split_by
from tacit.data.synthetic import Synthetic
from tacit.data.training_catalogue import only_training_items
from tacit.data.visit_split import VISITS, visit_split
from tacit.experiment import memory_estimate
from tacit.experiment.disclosing import check_disclosing, read_disclosing, read_triples
from tacit.experiment.experiment import Experiment
from tacit.experiment.foreign_parts import check_foreign
from tacit.experiment.recipes import recipe
from tacit.experiment.run_settings import (
    RunSettings,
    TimeSettings,
    check_sizes,
    evaluation_named,
    plain_settings,
    protocol_named,
    settle,
    split_named,
)
from tacit.experiment.warnings import constant_ratings
from tacit.models.base import Model
from tacit.protocols.base import Protocol
from tacit.simulator.churn.generator import generate
from tacit.simulator.churn.sessions import Sessions, always
from tacit.simulator.churn.trace import read_trace
from tacit.simulator.fleet import storage

_TWO_DAYS = 48.0
"""Hours of generated sessions that are repeated where runs last for years: a segment of Hegedűs et al."""
_TRAVELLING = {"rows", "ages", "dense", "clock"}
Progress = Callable[[int, int | None], None]


def prepare(
    name: str,
    data: Data,
    chosen: Mapping[str, Any] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    measured: bool = True,
    *,
    here: bool = True,
    settled: bool = False,
) -> Experiment:
    """Check everything that can be checked before learning: names, values, data, split, memory.

    What is not `measured` learns from everything: no part is held out, and there is nothing to evaluate. What does not
    run `here` need not fit into this machine's memory. Where `chosen` is `settled`, it has all values of a run. A size
    that the split does not heed is then no mistake.
    """
    own = recipe(name)
    name, chosen = own.name, plain_settings(chosen)
    flat = settle(own.parameters, chosen)
    if measured and not settled:
        check_sizes(chosen, str(flat["split"]))
    settings = RunSettings.of(flat)
    if not is_whole(seed) or not 0 <= seed < 2**63:
        raise BadInput("--seed", got=repr(seed), allowed="a whole number from 0")
    seed = int(seed)
    found = data if isinstance(data, str | Path) else to_rows(data, settings.data.columns)
    whole, parts, images = _load(found, settings, flat, seed, progress, measured)
    dataset, parts = _catalogue(whole, parts, settings)
    scale = _scale(settings.learning.limits, dataset)
    protocol: Protocol = construct(protocol_named(flat["protocol"]), flat)
    disclosing, pi_notes = read_disclosing(settings.learning, dataset)
    _check_flags(protocol, flat)
    check_disclosing(disclosing, protocol, flat, images is not None)
    shared = parts.train.take(disclosing.takes_part(parts.train, seed))
    visits = sequences(dataset, shared, parts.visits) if flat["model"] == "prme-g" else None
    model = build_model(flat, scale, images, item_features(dataset.items), visits)
    if settings.learning.storage == "float16":
        _check_halves(protocol, model, flat)
    check_foreign(model, protocol, parts.train, np.dtype(storage(settings.learning.storage).rest).name)
    sessions, session_notes = build_sessions(settings.time, protocol, dataset.user_ids, seed)
    triples, triples_notes = read_triples(flat.get("triples"), dataset.user_ids)
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
        source=source_of(found),
        rows=found if isinstance(found, SourceRows) and found.origin is None else None,
        images=images,
        disclosing=disclosing,
        triples=triples,
        whole=None if dataset is whole else whole,
    )
    x.memory = memory_estimate.estimate(x)
    if here:
        memory_estimate.check(x)
    scenario = x.scenario()
    protocol.check(scenario, flat)
    x.notes += [
        *_paper_negatives(x),
        *constant_ratings(dataset, model, flat),
        *dataset.notes,
        *parts.notes,
        *(visits.notes if visits else ()),
    ]
    if dataset.given is not None and parts.kind not in ("given", "none"):
        x.notes.append("the data has a split of its own, in its column split; --set split=given uses it")
    x.notes += [*protocol.notes(name, scenario), *pi_notes, *disclosing.notes(parts.train, seed)]
    x.notes += [*triples_notes, *session_notes]
    if not measured:
        return x
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
    parts = x.split
    if parts.validation is None:
        whole = x.whole or x.dataset
        _, parts = _catalogue(whole, _divide(whole, settings, flat, x.seed), settings)
    _check_validation(parts)
    tuning = replace(x, parameters=flat, settings=settings, split=parts, rows=None)
    x.protocol.check(tuning.scenario(), flat)
    return tuning


def load_and_divide(
    data: Data, chosen: Mapping[str, Any] | None = None, seed: int = 0, progress: Progress | None = None
) -> tuple[Dataset, Split]:
    """The data and the split that a run with these settings has; a recipe's own settings are not among them."""
    chosen = plain_settings(chosen)
    flat = settle({}, chosen)
    check_sizes(chosen, str(flat["split"]))
    settings = RunSettings.of(flat)
    found = data if isinstance(data, str | Path) else to_rows(data, settings.data.columns)
    dataset, parts, images = _load(found, settings, flat, seed, progress, True)
    if images is not None:
        raise BadInput("data set", got="images", allowed="users and items")
    return _catalogue(dataset, parts, settings)


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
                where=where_defined(type(model)),
            )
    return model


def _check_halves(protocol: Protocol, model: Model, flat: Flat) -> None:
    """Refuse half precision where something reads or writes rows that are not copied to single precision."""
    reason = ""
    if not protocol.halves:
        reason = f"protocol {protocol.name}"
    elif getattr(model, "draws_negatives", False) or model.kernels.looks_up:
        reason = f"model {model.name}, which touches more than rated rows"
    elif flat["init"] == "data":
        reason = "init data"
    elif flat.get("shield", "none") != "none":
        reason = f"shield {flat['shield']}"
    if reason:
        raise BadInput("storage", got="float16", allowed=f"float32 or float64 with {reason}")


def build_sessions(
    time: TimeSettings, protocol: Protocol, user_ids: Texts, seed: int
) -> tuple[Sessions, list[str]]:
    """Which node is online when, and notes for the reader."""
    if time.churn == "none" or protocol.ignores_churn:
        return always(), []
    again = "; an epoch lasts longer, so these days are repeated" if protocol.repeats_days else ""
    if time.churn == "generated":
        # More hours than needed change nothing in those that are.
        round_hours = protocol.round_transfers * time.full_seconds / 3600
        hours = max(time.hours or 0.0, (time.rounds or 0) * round_hours)
        hours = _TWO_DAYS if protocol.repeats_days else hours
        note = f"nodes come and go like phones on a charger{again}"
        return generate(len(user_ids), seed, hours).sessions, [note]
    trace = read_trace(time.churn, user_ids, len(user_ids))
    return trace.sessions, [*trace.notes, *([f"the churn trace says who is online{again}"] if again else [])]


def _scale(limits: tuple[float, float] | None, dataset: Dataset) -> tuple[float, float]:
    if limits is None:
        return dataset.scale
    low, high = limits
    outside = int(((dataset.table.value < low) | (dataset.table.value > high)).sum())
    if outside:
        allowed = f"{low:g} to {high:g}"
        raise BadInput("scale", got=f"{outside} ratings outside", allowed=allowed, where=dataset.name)
    return limits


def _check_flags(protocol: Protocol, flat: Flat) -> None:
    """Refuse settings that the protocol has no use for."""
    if protocol.all_online and flat["churn"] != "none":
        raise BadInput("churn", got=flat["churn"], allowed=f"none with protocol {protocol.name}")
    counts_epochs = protocol.run_defaults.get("hours", 0) is None
    if flat["hours"] is None and flat["rounds"] is None and not counts_epochs:
        raise BadInput(
            "hours", got="none", allowed=f"a number of hours, or rounds, with protocol {protocol.name}"
        )


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
    data: str | Path | SourceRows,
    settings: RunSettings,
    flat: Flat,
    seed: int,
    progress: Progress | None,
    measured: bool,
) -> tuple[Dataset, Split, Images | None]:
    own = settings.data
    if isinstance(data, str) and is_images(data):
        return load_images(data, own.agents, own.images, seed, progress)
    dataset = load(
        data,
        columns=own.columns,
        min_user=own.min_user,
        min_item=own.min_item,
        min_rating=own.min_rating,
        duplicates=own.duplicates,
        density=own.density,
        seed=seed if own.seed is None else own.seed,
        synthetic=Synthetic(users=own.users, items=own.items, interactions=own.interactions),
        progress=progress,
    )
    parts = _divide(dataset, settings, flat, seed) if measured else everything(dataset.table)
    return dataset, parts, None


def _catalogue(dataset: Dataset, parts: Split, settings: RunSettings) -> tuple[Dataset, Split]:
    return only_training_items(dataset, parts) if settings.data.catalogue == "training" else (dataset, parts)


def _divide(dataset: Dataset, settings: RunSettings, flat: Flat, seed: int) -> Split:
    notes = check_row_order(dataset, settings.split.kind)
    parts = _parts(dataset, settings, flat, seed)
    return replace(parts, notes=[*notes, *parts.notes]) if notes else parts


def _parts(dataset: Dataset, settings: RunSettings, flat: Flat, seed: int) -> Split:
    own = settings.split
    validation = settings.evaluation.on == "validation"
    if own.kind == "given":
        return given_split(dataset, own.file, seed=seed, validation=validation)
    if own.file is not None:
        raise BadInput("split.file", got=own.file, allowed=f"with split=given, not {own.kind}")
    if own.kind in VISITS:
        if flat["evaluate"] == "rating":
            raise BadInput(
                "split", got=own.kind, allowed="another one with evaluate=rating: a rating has no visits"
            )
        return visit_split(dataset, own.kind, seed=seed, share=own.share, validation=validation)
    if split_named(own.kind) is not None:
        return split_by(build_part("split", flat), own.kind, dataset.table, seed, validation=validation)
    return split(dataset.table, own.kind, seed=seed, n=own.n, share=own.share, validation=validation)


def source_of(data: str | Path | SourceRows) -> str | None:
    """The name or the path that data is found by again; None for rows that have none."""
    if isinstance(data, SourceRows):
        return data.origin
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
