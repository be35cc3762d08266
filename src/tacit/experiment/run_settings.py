"""The settings of a run: typed records for the code, one flat mapping (`{"epochs": 1, ...}`) for users.

A run's settings are the defaults here and in its protocol, model and evaluation, then a recipe's values, then what the
user set. Every name and value is checked before anything starts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from msgspec import Meta

from tacit.core.errors import BadInput, unknown
from tacit.core.registry import KINDS, PARTS, construct, find, lasting, offered, part_settings, spelled_out
from tacit.core.settings import Count, Flat, Reads, Setting, Value, Whole, is_table, setting, settings_of
from tacit.core.where import where_defined
from tacit.data.columns import ALLOWED, as_text, joined
from tacit.data.disclosure_file import TYPES, read_type
from tacit.data.splits import KINDS as DRAWN
from tacit.data.visit_split import VISITS
from tacit.protocols.base import Protocol
from tacit.simulator.simulation import ticks

_OLD_NAMES = {"averaging": "federated-averaging"}
"""Names that protocols had, in recipes and runs that people kept."""
_MEANT = {
    "sampler": "peers",
    "metric": "evaluate.metric",
    "evaluation": "evaluate",
    "attack": "tacit audit, which takes it",
    **{
        name: f"--{name}, which is given beside the settings"
        for name in ("seed", "seeds", "data", "out", "columns", "threads", "jobs", "engine")
    },
}
"""What people call settings that have another name, or none."""
_MEANT_ARGUMENTS = {
    **dict.fromkeys(("callback", "callbacks", "on_epoch", "on_point"), "on_round"),
    "random_state": "seed",
    "verbose": "progress",
    "n_jobs": "jobs",
}
"""What other libraries call arguments."""
_SECONDS = {"low": 1728.0, "high": 172.8}
"""What a whole model takes (Hegedűs et al., section 6.2)."""


def _number_or_file(text: str) -> Value:
    """A number for all; a file with one per user is read once the users are known."""
    try:
        number = float(text)
    except ValueError:
        if not is_table(text):
            raise
        return text
    if not 0 <= number <= 1:
        raise ValueError(text)
    return number


def _scale(text: str) -> Value:
    if text.lower() == "none":
        return None
    low, high = (float(part) for part in text.split(","))
    if not -1e9 < low < high < 1e9:
        raise ValueError(text)
    return f"{low:g},{high:g}"


def _columns(text: str) -> Value:
    try:
        return None if text.lower() == "none" else as_text(text)
    except BadInput as problem:
        raise ValueError(text) from problem


Disclosed = Annotated[
    float | str,
    Reads(_number_or_file, "a number from 0, at most 1, or a .csv, .tsv or .parquet file with user,pi"),
]
Disclose = Annotated[str, Reads(read_type, TYPES)]
Scale = Annotated[str | None, Reads(_scale, "LOW,HIGH such as 1,5, or none")]
Columns = Annotated[str | None, Reads(_columns, f"{ALLOWED}, or none")]
SplitFile = Annotated[str, Meta(description="a .csv, .tsv or .parquet file")]
Churn = Annotated[str, Meta(description="none, generated, or a .csv, .tsv or .parquet file")]
Named = Annotated[str, Meta(description="rating, sampled, full, or another evaluation's name or file")]
Metric = Annotated[str, Meta(description="a metric's name")]
SPLITS = (*DRAWN, *VISITS, "given")
_SIZES = {"split.n": ("random-n",), "split.share": ("random-share", "temporal", *VISITS)}
"""Which kinds of split heed which size of the test part."""
SplitKind = Annotated[str, Meta(description=f"{', '.join(SPLITS)}, or another split's name or file")]
ItemIds = Annotated[str, Meta(description="ids of items")]


@dataclass(frozen=True, slots=True)
class LearningSettings:
    """How nodes start, learn and keep numbers."""

    pi: Disclosed = setting(
        1.0,
        "share of updates about own items that is disclosed (FPL, section 3.1.2; FedeRank, equation 4). One number, or "
        "a file user,pi, where a missing user discloses nothing. Silence tells something too: "
        "docs/explanation/masks.md",
    )
    pi_rule: Literal["each-time", "fixed-items"] = setting(
        "each-time",
        "when pi decides: anew for every update or round (FPL, FedeRank), or once per item. Then the shared model does "
        "not learn from hidden items (the live node's rule)",
        key="pi.rule",
        later=True,
    )
    disclose: Disclose = setting(
        "all",
        "which own items may be disclosed at all (FedeRank, abstract): likes, some categories or genres, all but some. "
        "A file user,item lists what is kept back",
        later=True,
    )
    init: Literal["random", "data"] = setting(
        "random",
        "how models start: by chance (Hegedűs et al., algorithm 5), or from the data (Dymbe, section 5.3)",
    )
    epochs: Count = setting(
        1,
        "passes over local data whenever a node learns (Hegedűs et al., section 6.5: 1 and 10); epochs to "
        "train where a round is an epoch",
    )
    storage: Literal["float16", "float32", "float64"] = setting(
        "float32",
        "number type in memory and on the wire; float16 halves memory, with arithmetic in float32 (only gossip of "
        "models that learn from rated rows)",
    )
    negatives: Literal["honest", "paper"] = setting(
        "honest",
        "training negatives: outside the training part, or (paper) outside all a user consumed (FPL, "
        "definition 2.4; PEPPER, section 5.2)",
    )
    lazy: bool = setting(
        False,
        "rows exist only once updated or received (Dymbe, section 4.4.2: as in the curves of Hegedűs et al.)",
    )
    scale: Scale = setting(
        None, "lowest and highest rating, Rmin and Rmax (Hegedűs et al., algorithm 5); none: as in the data"
    )

    @property
    def limits(self) -> tuple[float, float] | None:
        """The scale as numbers."""
        if self.scale is None:
            return None
        low, high = self.scale.split(",")
        return float(low), float(high)


@dataclass(frozen=True, slots=True)
class TimeSettings:
    """How long a run lasts, how fast messages travel, and who is there."""

    hours: Annotated[float, Meta(gt=0, le=1e9)] | None = setting(
        48.0, "virtual hours to run (Hegedűs et al., section 6.2: 48); without effect where rounds is set"
    )
    rounds: Count | None = setting(None, "rounds to run, instead of hours")
    bandwidth: Literal["low", "high"] | Annotated[float, Meta(ge=0.001, le=1e9)] = setting(
        "low",
        "how long a whole model takes (Hegedűs et al., section 6.2): low 1728 s, high 172.8 s, or a number of seconds",
    )
    start: Literal["staggered", "synchronous"] = setting(
        "staggered",
        "first sends spread over a period (left open by Hegedűs et al.), or all at 0 (Dymbe, section 4.1)",
    )
    churn: Churn = setting(
        "none",
        "who is online when: all; as phones on chargers (Hegedűs et al., section 6.3); or a file "
        "node,start,end in seconds",
    )

    @property
    def full_seconds(self) -> float:
        """How long a whole model takes from one node to another."""
        return _SECONDS[self.bandwidth] if isinstance(self.bandwidth, str) else self.bandwidth

    @property
    def in_rounds(self) -> bool:
        """Whether a run's length is counted in rounds."""
        return self.rounds is not None or self.hours is None

    def horizon(self, period: int, epochs: int) -> int:
        """How long a run lasts: its rounds, else its hours, else its epochs where a round is one."""
        if self.rounds is not None:
            return self.rounds * period
        return epochs * period if self.hours is None else ticks(self.hours * 3600)


@dataclass(frozen=True, slots=True)
class DataSettings:
    """Which part of a data set is used, and what is generated."""

    min_user: Whole = setting(
        0,
        "leave out users with fewer interactions (FPL, section 4.1, and FedeRank, section 4: 20; PEPPER, "
        "section 5.2: 10)",
    )
    min_item: Whole = setting(0, "leave out items with fewer distinct users (PEPPER, section 5.2: 10)")
    duplicates: Literal["auto", "latest", "error"] = setting(
        "auto", "repeated (user, item) pairs: keep the latest?"
    )
    catalogue: Literal["all", "training"] = setting(
        "all", "items of the data, or (FPL, table 1) only those of the training part", later=True
    )
    density: Literal["all", "dense", "sparse"] = setting(
        "all", "keep everybody, or the busiest or quietest cluster of users (PEPPER, section 5.5.3)"
    )
    users: Annotated[int, Meta(ge=2)] = setting(1000, "users to generate (--data synthetic)")
    items: Annotated[int, Meta(ge=2)] = setting(1500, "items to generate (--data synthetic)")
    interactions: Annotated[int, Meta(ge=2)] = setting(100_000, "ratings to generate (--data synthetic)")
    seed: Whole | None = setting(None, "seed of generated data; none: the run's own (--data synthetic)")
    columns: Columns = setting(
        None, "what columns are called in the file: user=userId,item=movieId", later=True
    )
    min_rating: float | None = setting(
        None, "leave out ratings below: what is left counts as liked (implicit use)", later=True
    )
    agents: Count = setting(375, "agents that images are dealt to (Dymbe, section 3.2; --data mnist)")
    images: Count = setting(32, "images per agent (Dymbe, section 3.2; --data mnist)")


@dataclass(frozen=True, slots=True)
class SplitSettings:
    """What is held out."""

    kind: SplitKind = setting(
        "random-n",
        "how a user's test part is chosen. Of visits known places count, too (open in PEPPER, section 5.3); given: by "
        "a column split, or by split.file",
        key="split",
    )
    n: Count = setting(
        10,
        "test ratings per user (random-n; Hegedűs et al., section 6.1: 10; Dymbe, section 4.1.1: 10 or 5)",
        key="split.n",
    )
    share: Annotated[float, Meta(gt=0, le=0.999)] | None = setting(
        None,
        "test share of a user's ratings, or visits; none: 0.15 (random; PEPPER, section 5.3), 0.2 (temporal; FPL, "
        "section 4.1; FedeRank, section 4)",
        key="split.share",
    )
    file: SplitFile | None = setting(
        None,
        "which pairs are held out (given): user,item[,split]; those that are not in it are trained on",
        key="split.file",
        later=True,
    )


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """What is measured, on which part, and how often."""

    kind: Named = setting(
        "rating",
        "what is measured: predicted ratings (Hegedűs et al., section 6.5), ranking among 100 negatives "
        "(PEPPER, section 5.3), ranking of all items (FPL, section 4.4)",
        key="evaluate",
    )
    on: Literal["test", "validation"] = setting(
        "test",
        "which part is measured; validation (for tuning: FPL, section 4.3; FedeRank, section 4) leaves the "
        "test part alone",
        key="evaluate.on",
    )
    points: Count | None = setting(
        None,
        "about how often to measure during a run, the end included; none: often enough for a curve",
        key="evaluate.points",
    )
    best: Metric | None = setting(
        None,
        "a metric such as precision@10: run as many rounds as are best by it on a validation part (FedeRank, "
        "section 4)",
    )
    instruments: bool = setting(False, "record the size of the parts of predictions (Dymbe, section 5.2)")
    watched: ItemIds | None = setting(
        None, "ids of items whose biases to record (Dymbe, section 5.4): ID,ID,...", key="instruments.items"
    )
    watched_known: bool = setting(
        False,
        "of these, count only nodes that have heard of the item (Dymbe, figure 5.9)",
        key="instruments.known",
        later=True,
    )


@dataclass(frozen=True, slots=True)
class RunSettings:
    """Everything that is set for a run, typed."""

    learning: LearningSettings
    time: TimeSettings
    data: DataSettings
    split: SplitSettings
    evaluation: EvaluationSettings

    @classmethod
    def of(cls, flat: Mapping[str, Any]) -> RunSettings:
        """From the flat mapping."""
        return cls(**{name: construct(record, flat, prefix) for name, (record, prefix) in _RECORDS.items()})


_RECORDS: dict[str, tuple[type, str]] = {
    "learning": (LearningSettings, ""),
    "time": (TimeSettings, ""),
    "data": (DataSettings, "data."),
    "split": (SplitSettings, ""),
    "evaluation": (EvaluationSettings, ""),
}
_CHOICES = {
    "protocol": Setting(
        "protocol",
        "",
        "gossip",
        "how models travel",
        Annotated[str, Meta(description="a protocol's name or file")],
    ),
    "model": Setting("model", "", "mf", "the learning rule", str, part="model"),
}


def protocol_named(name: object) -> type[Protocol]:
    """The protocol of that name, or of one it used to have."""
    found: type[Protocol] = find(*KINDS["protocol"], _OLD_NAMES.get(str(name), str(name)))
    return found


def evaluation_named(name: object) -> Any:
    """The evaluation of that name."""
    return find(*KINDS["evaluate"], str(name), "evaluate")


def split_named(name: object) -> Any:
    """The split of that name from outside; None for one of ours."""
    return None if name in SPLITS else find(*KINDS["split"], str(name), "split", also=SPLITS)


def known(chosen: Mapping[str, Any]) -> dict[str, Setting]:
    """Every setting of a run with the chosen protocol, model and so on; a wrong name of those is an error.

    What is measured unless it is set depends on the model: its predicted ratings, its ranking or its accuracy.
    """
    table = dict(_CHOICES)
    for record, prefix in _RECORDS.values():
        table |= settings_of(record, prefix)
    protocol = protocol_named(chosen.get("protocol", "gossip"))
    start = {"start": "synchronous"} if protocol.synchronous else {}
    for key, value in {**protocol.run_defaults, **start}.items():
        table[key] = replace(table[key], default=value)
    _add(table, settings_of(protocol), protocol)
    for key in [key for key, one in table.items() if one.part]:
        table |= part_settings(key, str(chosen.get(key, table[key].default)))
    model = find(*KINDS["model"], str(chosen.get("model", table["model"].default)), "model")
    table["evaluate"] = replace(table["evaluate"], default=getattr(model, "evaluate", "rating"))
    evaluation = evaluation_named(chosen.get("evaluate", table["evaluate"].default))
    _add(table, settings_of(evaluation.Settings), evaluation)
    split = split_named(chosen.get("split", table["split"].default))
    if split is not None:
        _add(table, settings_of(split, "split."), split)
    return table


def _add(table: dict[str, Setting], own: Mapping[str, Setting], owner: type) -> None:
    """Add a part's settings to those of every run. One that is there already would change its meaning."""
    for key in own:
        if key in table:
            allowed = "another name; every run has a setting of this one"
            raise BadInput(f"setting {key} of {owner.__name__}", allowed=allowed, where=where_defined(owner))
    table |= own


def settle(recipe: Mapping[str, Any], chosen: Mapping[str, Any]) -> Flat:
    """Defaults, then the recipe, then what the user chose; every name and value checked.

    A recipe may say more for a choice: a table `["model=prme-g"]` counts where that model is chosen.
    """
    recipe = variant(recipe, chosen)
    table = known({**recipe, **chosen})
    values: Flat = {key: one.default for key, one in table.items()}
    for source, given in (("recipe", recipe), ("--set", chosen)):
        for key, value in given.items():
            if key in table:
                values[key] = table[key].read(value, f"{source} {key}={value}")
            elif source == "--set" and not (key in PARTS and str(value) == "none"):
                _check_taken(key, value, str(values["protocol"]))
                _check_cut(key, value, evaluation_named(values["evaluate"]))
                raise unknown_setting(key, table, f"{source} {key}={value}; tacit show lists all")
            elif source == "recipe" and key not in known(recipe):  # not even without what the user chose
                raise unknown("setting", key, table, f"recipe {key}={value}; tacit show lists all")
    protocol = protocol_named(values["protocol"])
    values["protocol"] = _OLD_NAMES.get(str(values["protocol"]), values["protocol"])
    for key in KINDS:
        if values.get(key) is not None:
            values[key] = lasting(key, str(values[key]))
    if protocol.synchronous and values["start"] != "synchronous":
        raise BadInput("start", got=values["start"], allowed=f"synchronous with protocol {protocol.name}")
    _check_evaluation(values)
    return values


def check_sizes(chosen: Mapping[str, Any], kind: str) -> None:
    """Refuse a size of the test part that somebody chose and that this kind of split does not heed."""
    for key, kinds in _SIZES.items():
        if str(chosen.get(key)).lower() != "none" and kind not in kinds:
            *others, last = kinds
            some = f"{', '.join(others)} or {last}" if others else last
            raise BadInput(key, got=chosen[key], allowed=f"with split={some}, not {kind}")


def unknown_setting(key: str, table: Iterable[str], where: str) -> BadInput:
    """An error for a setting that does not exist, with what was probably meant: `model.k`, where `k` was set."""
    names = list(table)
    ends_alike = sorted(name for name in names if name.rpartition(".")[2] == key)
    meant = _MEANT.get(key) or " or ".join(ends_alike)
    if meant:
        return BadInput(f"setting: got {key}; did you mean {meant}?", where=where)
    return unknown("setting", key, names, where)


def _check_evaluation(values: Flat) -> None:
    """Refuse an evaluation that cannot measure what the baseline or the model gives."""
    name = values["evaluate"]
    if name == "rating" and "baseline" in values:
        baseline = str(values["baseline"])
        if not getattr(find(*KINDS["baseline"], baseline), "predicts_ratings", False):
            raise BadInput("evaluate", got=name, allowed=f"full or sampled with baseline {baseline}")
    models = evaluation_named(name).models
    if models and values["model"] not in models:
        got = f"{name} with model {values['model']}"
        raise BadInput("evaluate", got=got, allowed=f"{name} with model {' or '.join(models)}")


def _check_cut(key: str, value: object, evaluation: Any) -> None:
    """Say so where an evaluation's cut-offs cannot be chosen."""
    if key == "evaluate.k" and evaluation.cuts:
        *others, last = map(str, evaluation.cuts)
        fixed = f"{', '.join(others)} and {last}"
        allowed = f"nothing: this evaluation always measures at {fixed}; evaluate=full takes evaluate.k"
        raise BadInput(key, got=value, allowed=allowed)


def plain_settings(
    chosen: Mapping[str, Any] | None, parts: Mapping[str, Any] | None = None, taken: Iterable[str] = ()
) -> dict[str, Any]:
    """Settings by name, in which objects are spelled out: `{"model": MF(k=8)}` is `{"model": "mf", "model.k": 8, ...}`.

    A setting that is given by itself counts more than the same one in an object. `taken` are the arguments that could
    be meant by a name that is none of the parts.
    """
    if chosen is not None and not isinstance(chosen, Mapping):
        raise BadInput("settings", got=repr(chosen), allowed='a mapping such as {"epochs": 10}')
    for key in chosen or {}:
        if not isinstance(key, str):
            raise BadInput("settings", got=repr(key), allowed='names as text, such as {"epochs": 10}')
    given = {key: value for key, value in (parts or {}).items() if value is not None}
    for key in given:
        if key not in KINDS:
            if _is_setting(key):
                raise BadInput("argument", got=key, allowed=f"settings={{{key!r}: {given[key]!r}}}")
            raise _unknown_argument(key, taken)
        if key in (chosen or {}):
            raise BadInput(key, got="an argument and a setting", allowed="one of the two")
    given |= chosen or {}
    for key, value in given.items():
        if isinstance(value, Mapping):
            one_by_one = {f"{key}.{name}": inner for name, inner in value.items()}
            raise BadInput(key, got=value, allowed=f"one setting at a time: settings={one_by_one}")
    objects = {key: value for key, value in given.items() if key in KINDS and _is_part(value)}
    flat: dict[str, Any] = {}
    # What a protocol says of its merge gives way to a merge that is given by itself.
    for key in sorted(objects, key=lambda key: key != "protocol"):
        flat |= spelled_out(key, objects[key])
    return {**flat, **{key: value for key, value in given.items() if key not in objects}}


def _unknown_argument(key: str, taken: Iterable[str]) -> BadInput:
    names = {*KINDS, *taken} - {"attack", "evaluate.metric"}
    meant = _MEANT_ARGUMENTS.get(key)
    if meant in names:
        return BadInput(f"argument: got {key}; did you mean {meant}?")
    return unknown("argument", key, names)


def _is_setting(key: str) -> bool:
    """Whether runs have a setting of this name, with any protocol."""
    return key in known({}) or any(
        key in settings_of(owner) for owner in offered(*KINDS["protocol"]).values()
    )


def _is_part(value: object) -> bool:
    return not isinstance(value, str | int | float | None)


def _check_taken(key: str, value: object, protocol: str) -> None:
    """Refuse a part that this protocol has no use for, and say which protocols do."""
    if key in PARTS:
        takers = [
            name
            for name, one in offered(*KINDS["protocol"]).items()
            if any(setting.key == key and setting.part for setting in settings_of(one).values())
        ]
        why = f" ({protocol_named(protocol).no_shield})" if key == "shield" else ""
        allowed = (
            f"with protocol {' or '.join(sorted(takers))}, which have a use for it; {protocol} has none{why}"
        )
        raise BadInput(key, got=value, allowed=allowed, where=f"--set {key}={value}")


def came_later(parameters: Mapping[str, Any]) -> Flat:
    """Settings that older runs do not have, at their defaults."""
    return {key: one.default for key, one in known(parameters).items() if one.later}


def variant(recipe: Mapping[str, Any], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """A recipe's values with what the user chose: its own, then those of its tables for such a choice, in their order.

    >>> variant({"rounds": 40, "model=prme-g.rounds": 9}, {"model": "prme-g"})
    {'rounds': 9}
    """
    own = {key: value for key, value in recipe.items() if "=" not in key}
    given = {**own, **chosen}
    for key, value in recipe.items():
        table, _, name = key.partition(".")
        what, equals, which = table.partition("=")
        if equals and str(given.get(what)) == which:
            own[name] = value
    return own


def parse_set(settings: Iterable[str], columns: Sequence[str] = ()) -> dict[str, str]:
    """`key=value` texts of the command line as a mapping; `--columns` is another way to set `data.columns`."""
    pairs: dict[str, str] = {}
    for text in settings:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise BadInput("--set", got=repr(text), allowed="key=value, for example --set epochs=10")
        pairs[key.strip()] = value.strip()
    named = joined(columns)
    if named is None:
        return pairs
    if "data.columns" in pairs:
        raise BadInput("--columns", got="--set data.columns beside it", allowed="one of the two")
    return {**pairs, "data.columns": named}
