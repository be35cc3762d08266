"""`Federation`: what everybody in a federation agrees on. The project carries it as federation.json and items.json."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from tacit.core.errors import BadInput
from tacit.core.part_files import is_part_file
from tacit.core.registry import construct
from tacit.core.settings import Flat
from tacit.data.visit_split import VISITS
from tacit.experiment.prepare import build_model
from tacit.experiment.result import VERSION
from tacit.experiment.run_settings import RunSettings, protocol_named
from tacit.models.base import Model
from tacit.protocols.base import Protocol

FACTS, ITEMS = "federation.json", "items.json"
PROTOCOLS = ("federated", "federated-sums", "federated-pairs", "federated-averaging")
"""Protocols with a server whose clients Flower can run."""
_ONLY: Flat = {
    "init": "random",
    "negatives": "honest",
    "churn": "none",
    "lazy": False,
    "average": "raters",
    "best": None,
    "disclose": "all",
    "pi.rule": "each-time",
    "clusters": 0,
    "read-out": "merged",
    "user-vectors": "private",
    "observe": "none",
    "evaluate.on": "test",
    "split.file": None,
    "evaluate.metric": None,
}
"""Settings that must be as here: others need what no client and no server of a real federation knows."""


@dataclass(frozen=True)
class Federation:
    """Recipe, settings, seed, scale of the ratings, length, and the public list of items."""

    recipe: str
    seed: int
    parameters: Flat
    scale: tuple[float, float]
    rounds: int
    items: list[str]
    """Ids; an item's position is its index here."""
    titles: list[str | None]
    tacit: str = VERSION

    @cached_property
    def settings(self) -> RunSettings:
        """The settings that every run has."""
        return RunSettings.of(self.parameters)

    @cached_property
    def protocol(self) -> Protocol:
        """The protocol with its own settings."""
        built: Protocol = construct(protocol_named(self.parameters["protocol"]), self.parameters)
        return built

    @cached_property
    def model(self) -> Model:
        """The learning rule with its own settings."""
        return build_model(self.parameters, self.scale)

    @cached_property
    def fingerprint(self) -> str:
        """A client and a server with the same one have the same version, settings and items."""
        return hashlib.sha256(msgspec.json.encode(asdict(self), order="sorted")).hexdigest()

    def write(self, folder: Path) -> None:
        """The two files of a project."""
        facts = asdict(self)
        items = list(zip(facts.pop("items"), facts.pop("titles"), strict=True))
        (folder / FACTS).write_bytes(msgspec.json.format(msgspec.json.encode(facts), indent=1) + b"\n")
        lines = ",\n".join(msgspec.json.encode(pair).decode() for pair in items)
        (folder / ITEMS).write_text(f"[\n{lines}\n]\n", encoding="utf-8")

    @classmethod
    def read(cls, folder: Path) -> Federation:
        """What `write` wrote. Another version's project is refused: its bits would not be the same."""
        try:
            facts: dict[str, Any] = msgspec.json.decode((folder / FACTS).read_bytes())
            items = msgspec.json.decode((folder / ITEMS).read_bytes(), type=list[tuple[str, str | None]])
            found = cls(
                **{**facts, "scale": tuple(facts["scale"])},
                items=[item for item, _ in items],
                titles=[title for _, title in items],
            )
        except (OSError, msgspec.DecodeError, KeyError, TypeError) as problem:
            where = f"{folder}: {problem}"
            raise BadInput(
                "project", got="damaged files", allowed="what tacit flower wrote", where=where
            ) from None
        if found.tacit != VERSION:
            allowed = (
                f"{VERSION}, which is installed here: write the project anew, or install tacit {found.tacit}"
            )
            raise BadInput("project of tacit", got=found.tacit, allowed=allowed, where=folder)
        return found


def check_settings(recipe: str, parameters: Flat) -> None:
    """Refuse what no federation of real clients can do."""
    if parameters["protocol"] not in PROTOCOLS:
        got = f"{recipe}, whose protocol is {parameters['protocol']}"
        allowed = f"a recipe with a server and clients, of protocol {', '.join(PROTOCOLS)}: tacit/federated"
        raise BadInput("recipe", got=got, allowed=allowed)
    for key, only in _ONLY.items():
        if parameters.get(key, only) != only:
            allowed = f"{'none' if only is None else only} in a Flower federation"
            raise BadInput(key, got=parameters[key], allowed=allowed)
    for key in ("pi", "triples"):
        if isinstance(value := parameters.get(key), str) and value not in ("mean",):
            allowed = "a number in a Flower federation; a client sets its own pi with --node-config pi=0.5"
            raise BadInput(key, got=value, allowed=allowed)
    for key, value in parameters.items():
        if isinstance(value, str) and is_part_file(value):
            raise BadInput(
                key, got=value, allowed="parts of tacit in a Flower federation: clients lack the file"
            )
    if parameters["split"] in VISITS:
        raise BadInput("split", got=parameters["split"], allowed="a split of pairs in a Flower federation")
    check_pi(parameters["pi"], protocol_named(parameters["protocol"]))
    if parameters["storage"] not in ("float32", "float64"):
        raise BadInput(
            "storage", got=parameters["storage"], allowed="float32, float64 in a Flower federation"
        )
    if parameters["model"] == "prme-g":
        raise BadInput("model", got="prme-g", allowed="gmf in a Flower federation")


def check_pi(value: object, protocol: Protocol | type[Protocol]) -> None:
    """Refuse to promise that something is held back where it would be sent all the same."""
    if value != 1 and not protocol.discloses:
        allowed = f"1 with protocol {protocol.name}, which sends no update that could be held back"
        raise BadInput("pi", got=value, allowed=allowed)
