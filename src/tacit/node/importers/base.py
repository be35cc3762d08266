"""What an importer is: its options, the ratings it yields, and the report of what was left out.

An importer reads an `Export` (a file, or a zip of files) and yields one `ParsedRating` for each thing a person did with
an item. Columns it does not need are dropped while reading. What it cannot use is counted by reason and line; titles
never appear in reasons or errors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from tacit.core.errors import BadInput, unknown
from tacit.node.catalogue import item_keys
from tacit.node.importers.archive import Export, Line

SIGNALS = ("rating", "liked", "disliked", "dropped", "seen", "want")
"""Strongest first: where one item has several, the strongest counts."""
LINES_KEPT = 20


@dataclass(frozen=True, slots=True)
class ParsedRating:
    """One thing a person did with one item."""

    key: str
    title: str
    signal: str
    value: float = 1.0
    """A rating, or how often."""
    scale: float = 1.0
    """The highest rating there is."""
    time: int | None = None
    """Seconds since 1970, if known."""
    exact: bool = False
    """Whether `time` is a moment; otherwise it is a day."""
    user: str = ""
    """The person, in a file about many people."""
    other: str = ""
    """Another key of the same item: of its title in the person's language."""

    @property
    def stars(self) -> float | None:
        """A rating on the scale to 5; None for signals without a number (see `exchange.disclosure`)."""
        return round(5.0 * self.value / self.scale, 4) if self.signal == "rating" else None


@dataclass(frozen=True, slots=True)
class Options:
    """What a file may need to be read: `--map title=titolo,rating=voto,scale=10,dates=d/m`."""

    columns: Mapping[str, str] = field(default_factory=dict)
    """For csv: what this file calls item, title, year, rating, timestamp, user, author, signal."""
    scale: float | None = None
    """The highest rating there is."""
    dates: str = ""
    """How dates are written where a file does not decide it: d/m or m/d."""
    profile: str = ""
    """The person whose ratings to take, from a file about several people."""
    liked: frozenset[str] = frozenset()
    disliked: frozenset[str] = frozenset()
    """Thumbs (Netflix) that mean yes or no, joined by +."""
    kind: str = "film"
    """For csv without ids: what the titles are of."""
    cluster: bool = False
    """Whether ratings of many people are wanted."""
    today: date = field(default_factory=date.today)

    @classmethod
    def parse(cls, texts: list[str], *, cluster: bool = False) -> Options:
        """Options from `name=value` texts, each with commas between several.

        >>> Options.parse(["title=titolo,scale=10"]).scale
        10.0
        """
        columns: dict[str, str] = {}
        others: dict[str, str] = {}
        for pair in (pair for text in texts for pair in text.split(",")):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals or not value:
                raise BadInput("--map", got=pair, allowed="name=value[,name=value ...]")
            if name in COLUMNS:
                columns[name] = value
            elif name in _CHOICES:
                others[name] = value
            else:
                raise unknown("--map", name, [*COLUMNS, *_CHOICES])
        return cls(
            columns=columns,
            scale=_number(others["scale"]) if "scale" in others else None,
            dates=_one_of("dates", others.get("dates", ""), ("", "d/m", "m/d")),
            profile=others.get("profile", ""),
            liked=frozenset(others.get("liked", "").split("+")) - {""},
            disliked=frozenset(others.get("disliked", "").split("+")) - {""},
            kind=_one_of("kind", others.get("kind", "film"), item_keys.KINDS),
            cluster=cluster,
        )


COLUMNS = ("item", "title", "year", "rating", "timestamp", "user", "author", "signal")
_CHOICES = ("scale", "dates", "profile", "liked", "disliked", "kind")


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was left out. Only for the person whose file it is."""

    reason: str
    text: str
    """As it stood in the file."""
    file: str = ""
    line: int = 0
    """0: of no one line."""


@dataclass(slots=True)
class Report:
    """What was left out, by reason, with the first line numbers of each; and all of it, for its owner to look at."""

    counts: dict[str, int] = field(default_factory=dict)
    lines: dict[str, list[int]] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)

    def skip(self, reason: str, line: Line | None = None, text: str = "") -> None:
        """Count a line as left out, or something of which only this text is known."""
        self.counts[reason] = self.counts.get(reason, 0) + 1
        if line is None:
            self.skipped.append(Skipped(reason, text))
            return
        self.skipped.append(Skipped(reason, line.text, line.file, int(line)))
        if len(kept := self.lines.setdefault(reason, [])) < LINES_KEPT:
            kept.append(int(line))


@dataclass(frozen=True, slots=True)
class Importer:
    """One format."""

    title: str
    """What people call it."""
    hint: str
    """How to get the file."""
    recognizes: Callable[[Export], bool]
    """Whether a file looks like it; reads names and first lines only."""
    read: Callable[[Export, Options, Report], Iterator[ParsedRating]]


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= 1000:
        raise BadInput("--map scale", got=text, allowed="the highest rating there is, up to 1000")
    return value


def _one_of(name: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise BadInput(f"--map {name}", got=value, allowed=" or ".join(filter(None, allowed)))
    return value
