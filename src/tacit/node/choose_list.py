"""Choose a list: the best titles that a person may want now, from a start by the rule or from an exchanged model.

Filters (kind, year, seen, new), no more than two parts of one story, and the true reasons of each title.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import KINDS, display_title, kind_of, year_of
from tacit.node.exchange.disclosure import met
from tacit.node.start.recommender import Reasons, Recommender
from tacit.node.start.rule import weight_of_stars
from tacit.node.start.sequels import at_most
from tacit.node.store.records import CircleLikes, Rating, Reason, Recommendation, Wish

NOTHING, NOBODY = Wish(), CircleLikes()
_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_NAMED = 5
"""Names that are written out beside a suggestion."""
_WITHOUT_NUMBER = {"liked": 1.0, "disliked": 0.0, "dropped": 0.0}
_SEEN = 0.25
"""What a title weighs that somebody has seen and said nothing about, who does say what they like of others."""


def weights(ratings: Iterable[Rating]) -> dict[str, float]:
    """What each rating weighs to the rule; what is only wanted is not in it.

    Somebody who never says what they like (a viewing history) likes what they see.
    """
    known = met(ratings)
    speaks = any(rating.signal in ("rating", "liked") for rating in known)
    found = {}
    for rating in known:
        if rating.value is not None:
            found[rating.key] = float(weight_of_stars(rating.value))
        elif rating.signal == "seen":
            found[rating.key] = _SEEN if speaks else 1.0
        else:
            found[rating.key] = _WITHOUT_NUMBER[rating.signal]
    return found


def ranked(
    recommender: Recommender, ratings: Sequence[Rating], wish: Wish, friends: CircleLikes = NOBODY
) -> Iterator[Recommendation]:
    """Titles by the rule, best first; a title's reasons are worked out only when it is asked for.

    `friends`: what each member of the circle likes, and their names.
    """
    start, own = recommender.start, weights(ratings)
    ranking = recommender.rank(own, friends.likes)
    liked = {key for key, weight in own.items() if weight >= 1}
    titles = {rating.key: rating.title for rating in ratings}
    hidden = set() if wish.seen else {rating.key for rating in met(ratings)}
    for key in ranking.best():
        place = recommender.place.get(key)
        if wish.circle and place is not None:
            continue
        title = titles.get(key) or friends.titles.get(key) or display_title(key)
        year, hue = year_of(key), None
        if start is not None and place is not None:
            title, year, hue = start.titles[place], start.years[place], int(start.hues[place])
        if key not in hidden and _fits(key, year, wish):
            parts = ranking.reasons(key)
            because = [titles[one] for one in parts.largest(liked)]
            fans = [member for member, likes in friends.likes.items() if key in likes]
            yield Recommendation(
                key, title, ranking.scores[key], because, year=year, hue=hue, liked_by=len(fans),
                circle=in_words(len(fans), sorted(friends.names[one] for one in fans if one in friends.names)),
                reasons=_reasons(parts, titles, friends.names),
            )  # fmt: skip


def _reasons(parts: Reasons, titles: Mapping[str, str], names: Mapping[str, str]) -> tuple[Reason, ...]:
    """Every part of a score that is not nothing, largest first."""
    found = [Reason("own", part, titles[key], key) for key, part in parts.own.items()]
    found += [Reason("member", part, names.get(member, "")) for member, part in parts.members.items()]
    found.append(Reason("public", parts.public))
    return tuple(sorted((one for one in found if one.part), key=lambda one: (-one.part, one.name)))


def in_words(count: int, names: Sequence[str]) -> str:
    """How many of a circle liked something, with the names of those who allow it.

    >>> in_words(3, ["Ana", "Bo"]), in_words(1, []), in_words(0, [])
    ('three of your circle liked it: Ana, Bo and one more', 'one of your circle liked it', '')
    """
    if not count:
        return ""
    said = f"{_number(count)} of your circle liked it"
    if not names:
        return said
    shown = list(names[:_NAMED])
    more = [f"{_number(count - len(shown))} more"] if count > len(shown) else []
    *first, last = [*shown, *more]
    return f"{said}: {', '.join(first)} and {last}" if first else f"{said}: {last}"


def _number(count: int) -> str:
    return _WORDS[count] if count < len(_WORDS) else str(count)


def chosen(
    candidates: Iterable[Recommendation], n: int, wish: Wish, new: Callable[[str], bool] = lambda key: True
) -> list[Recommendation]:
    """The first n that fit; no more than two parts of one story."""
    check(n, wish)
    fitting = (
        item for item in candidates if _fits(item.key, item.year, wish) and (not wish.new or new(item.key))
    )
    found = []
    for item in at_most((item.key, item.title, item) for item in fitting):
        found.append(item)
        if len(found) == n:
            break
    return found


def check(n: int, wish: Wish) -> None:
    """BadInput for what no list can be."""
    if n < 1:
        raise BadInput("-n", got=n, allowed="a whole number from 1")
    for kind in wish.kinds - {*KINDS, "csv"}:
        raise BadInput("kind", got=kind, allowed=", ".join((*KINDS, "csv")))
    if wish.years is not None and wish.years[0] > wish.years[1]:
        raise BadInput("year", got=f"{wish.years[0]}-{wish.years[1]}", allowed="the earlier year first")


def _fits(key: str, year: int | None, wish: Wish) -> bool:
    if wish.kinds and kind_of(key) not in wish.kinds:
        return False
    return wish.years is None or (year is not None and wish.years[0] <= year <= wish.years[1])
