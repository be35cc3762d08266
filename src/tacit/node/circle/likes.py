"""The one door of a circle: only `release_likes` makes an `OpenList`, and only an `OpenList` can be signed and sent.

It holds keys and titles of likes that the person chose to share. No rating, no time, no source and no dislike is in it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import KINDS, clean_title, display_title, key_fault, kind_of
from tacit.node.catalogue.title_normalization import normalize
from tacit.node.choose_list import weights
from tacit.node.receive_limits import MAX_TITLES
from tacit.node.store.records import Rating

_DOOR = object()


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person shares: all likes, those of some kinds, single titles, or nothing."""

    all: bool = False
    kinds: frozenset[str] = frozenset()
    items: frozenset[str] = frozenset()
    """Keys of single titles."""
    hidden: frozenset[str] = frozenset()
    """Keys of titles that are never shared."""

    def __post_init__(self) -> None:
        for kind in sorted(self.kinds - {*KINDS, "csv"}):
            raise BadInput("kind", got=kind, allowed=", ".join((*KINDS, "csv")))

    @property
    def rule(self) -> str:
        """all, kinds, items or none; `kinds` where single titles are shared besides."""
        return "all" if self.all else "kinds" if self.kinds else "items" if self.items else "none"

    def with_titles(self, keys: frozenset[str]) -> Choice:
        """The same, and these single titles; whoever chooses one does not hide it any more."""
        return replace(self, items=self.items | keys, hidden=self.hidden - keys)

    def without_titles(self, keys: frozenset[str]) -> Choice:
        """The same, but never these."""
        return replace(self, items=self.items - keys, hidden=self.hidden | keys)

    def takes(self, key: str) -> bool:
        """Whether a like of this item is shared."""
        return key not in self.hidden and (self.all or kind_of(key) in self.kinds or key in self.items)


NOTHING = Choice()


@dataclass(frozen=True, slots=True)
class OpenList:
    """What everybody in the circle will see: titles by key."""

    titles: dict[str, str]
    _key: object = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self._key is not _DOOR:
            raise TypeError("an OpenList comes from release_likes(), so that nothing private is in it")

    def only(self, keys: Collection[str]) -> OpenList:
        """Without titles that are not among these."""
        return OpenList({key: title for key, title in self.titles.items() if key in keys}, _DOOR)


def liked(ratings: Iterable[Rating]) -> list[Rating]:
    """A person's likes, as the rule understands them, the newest first."""
    said = list(ratings)
    weight = weights(said)
    found = [rating for rating in said if weight.get(rating.key, 0.0) >= 1.0]
    return sorted(found, key=lambda rating: (-(rating.time or 0), rating.key))


def release_likes(ratings: Iterable[Rating], choice: Choice) -> OpenList:
    """The list that a choice lets out: of more likes than a list holds, the newest."""
    chosen = [rating for rating in liked(ratings) if choice.takes(rating.key)][:MAX_TITLES]
    return OpenList({rating.key: rating.title for rating in chosen}, _DOOR)


def received_likes(pairs: Iterable[tuple[str, str]]) -> OpenList:
    """Another member's list: keys that are proper, and titles, if any, that say the same as their keys."""
    kept = [(key, clean_title(title)) for key, title in pairs if not key_fault(key)]
    return OpenList(
        {key: title if title and says_the_same(key, title) else display_title(key) for key, title in kept},
        _DOOR,
    )


def says_the_same(key: str, title: str) -> bool:
    """Whether a title is another spelling of its key: a member cannot write anything else beside it.

    >>> says_the_same("film:t:night ferry:2010", "The Night Ferry (2010)")
    True
    >>> says_the_same("film:t:night ferry:2010", "Night Ferry, now at evil.example")
    False
    """
    shown = display_title(key)
    return normalize(title) in (normalize(shown), normalize(shown.rpartition(" (")[0] or shown))
