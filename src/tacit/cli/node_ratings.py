"""`tacit node`: what a person rates and gets: import, rate, seen, not-for-me, want, undo, recommend, restore."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.console import Json, emit, printable, say
from tacit.cli.node_options import Count, Home, User, home_of, opened

if TYPE_CHECKING:
    from tacit.node.service import Service
    from tacit.node.store.records import Recommendation, Signal, Wish

Title = Annotated[
    str, typer.Argument(metavar="ITEM", help="a key, an id of yours, or words of a title that is known")
]


def import_(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="[FORMAT] FILE",
            help="the file or zip that the service gave you. FORMAT is csv, letterboxd, imdb, goodreads ...; "
            "left out, it is found",
        ),
    ],
    mapping: Annotated[
        list[str], typer.Option("--map", metavar="NAME=COLUMN", help="what this csv calls title, rating ...")
    ] = [],  # noqa: B006 - typer copies it
    dry_run: Annotated[bool, typer.Option("--dry-run", help="tell what would be kept, keep nothing")] = False,
    skipped: Annotated[
        Path | None,
        typer.Option(
            "--skipped", metavar="FILE.csv", help="write the rows that are left out here, with reasons"
        ),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Add what you rated elsewhere. The file is not sent.

    tacit node import export.zip; tacit node import csv mine.csv

    csv: item[,title][,year][,rating][,timestamp]; in a cluster node also user
    """
    from tacit.core.errors import BadInput, unknown
    from tacit.node.export_ratings import write_skipped
    from tacit.node.import_ratings import NothingUsable, Options, formats, read_file

    if len(words) > 2:
        raise BadInput("import", got=f"{len(words)} words", allowed="[FORMAT] FILE")
    name, file = (words[0] if len(words) == 2 else None), Path(words[-1])
    if name is not None and name not in formats():
        raise unknown("format", name, formats())
    if name is None and words[0] in formats() and not file.exists():
        raise BadInput("file", got="none", allowed=f"tacit node import {words[0]} FILE")
    with opened(home) as service:
        cluster = bool(service.store.setting("cluster"))
        try:
            found = read_file(file, name, Options.parse(mapping, cluster=cluster), service.known_keys())
        except NothingUsable as error:
            if skipped is not None:
                write_skipped(skipped, error.report.skipped)
            raise
        found = found.beside(service.ratings())
        if skipped is not None:
            write_skipped(skipped, found.report.skipped)
        if not dry_run:
            service.add(found.ratings())
        summary, start = found.summary(), service.suggestions.facts()
        known = service.suggestions.recommender().place
        in_start = sum(rating.key in known for rating in found.parsed), len(found.parsed)
    if as_json:
        emit(summary)
        return
    kept = "would be kept" if dry_run else "kept"
    say(f"{formats()[found.format].title}: {summary['imported']:,} {kept}, {summary['skipped']:,} left out.")
    for reason, count in summary["reasons"].items():
        say(f"  {count:,} {reason}")
    if skipped is not None:
        say(f"What was left out is in {skipped}.")
    if start:
        _say_how_many(*in_start)
    say(
        "Next: tacit node recommend"
        if start
        else "Next: tacit node learn movielens-100k, then tacit node recommend"
    )


def _say_how_many(known: int, count: int) -> None:
    if known < count:
        say(f"{known:,} of your {count:,} titles are in the start.")


def recommend(
    n: Count = 10,
    kind: Annotated[
        list[str], typer.Option("--kind", help="only film, series, book, artist, album; may be repeated")
    ] = [],  # noqa: B006 - typer copies it
    year: Annotated[str, typer.Option("--year", metavar="YEAR[-YEAR]", help="only of these years")] = "",
    seen: Annotated[bool, typer.Option("--seen", help="also what you have seen")] = False,
    new: Annotated[bool, typer.Option("--new", help="only what was not in a list before")] = False,
    user: User = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """What you may like, and because of what. Nothing is looked up anywhere.

    tacit node recommend --kind film --year 1990-1999
    """
    wish = _wish(kind, year, seen, new)
    with opened(home) as service:
        _person(service, user)
        found = service.recommend(n, user, wish, gap=0.0)
        keys = {item.key for item in found}
        others = [item for item in service.only_in_circle(user, wish) if item.key not in keys]
        hints = [] if found else _why_nothing(service, wish)
        start, in_start, in_circle = (
            service.suggestions.facts(),
            service.in_start(user),
            service.is_in_circle(),
        )
    if as_json:
        circle = {"circle": [_in_json(item) for item in others]} if in_circle else {}
        emit({"items": [_in_json(item) for item in found], **circle})
        return
    for hint in hints:
        say(hint)
    if start:
        _say_how_many(*in_start)
    _print_list(found)
    if others:
        sys.stdout.write("Only your circle knows these:\n")
        _print_list(others)


def _print_list(found: list[Recommendation]) -> None:
    for place, item in enumerate(found, 1):
        near = f"   because you liked {printable(' and '.join(item.because))}" if item.because else ""
        circle = f"   {printable(item.circle)}" if item.circle else ""
        mark = "   new" if item.new else ""
        sys.stdout.write(f"{place:>3}  {printable(item.title)}{near}{circle}{mark}\n")


def _in_json(item: Recommendation) -> dict[str, object]:
    because = [*item.because, *([item.circle] if item.circle else [])]
    return {"key": item.key, "title": item.title, "score": item.score, "because": because}


def _wish(kind: list[str], year: str, seen: bool, new: bool) -> Wish:
    from tacit.core.errors import BadInput
    from tacit.node.store.records import Wish

    years = None
    if year:
        first, _, last = year.partition("-")
        if not (first.isdigit() and (last or first).isdigit() and len(first) == len(last or first) == 4):
            raise BadInput("--year", got=year, allowed="a year or two: 1994, 1990-1999")
        years = int(first), int(last or first)
    return Wish(frozenset(kind), years, seen, new)


def _why_nothing(service: Service, wish: Wish) -> list[str]:
    """What to do where there is nothing to show."""
    from tacit.node.store.records import Wish

    if wish.kinds and service.suggestions.facts() and not wish.kinds & service.kinds():
        return [f"Nothing fits these filters: the start has no {' and no '.join(sorted(wish.kinds))}."]
    if wish != Wish():
        return ["Nothing fits these filters."]
    if not service.store.setting("model"):
        return ["Nothing to go on yet: learn from public ratings (tacit node learn movielens-100k)."]
    peers, problem = len(service.peers()), service.sharing().problem
    then = "keep it running for a while." if peers else "and somebody to learn with (tacit node invite)."
    lines = [f"Nothing to go on yet: add ratings (tacit node import), {then}"]
    return lines + ([f"hint: {problem}"] if problem else [])


def _person(service: Service, user: str) -> None:
    from tacit.core.errors import unknown

    people = service.people()
    if user not in people:
        raise unknown("--user", user or "nobody", people)


def rate(
    item: Title,
    rating: Annotated[float, typer.Argument(help="from 1 to 5")],
    user: User = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Rate an item. It is safely stored when this returns."""
    with opened(home) as service:
        _named(service, user)
        found = service.find(item)
        service.rate(found.key, rating, found.title, user)
    if as_json:
        emit({"key": found.key, "title": found.title, "rating": rating})
        return
    say(f"{printable(found.title)}: {rating:g}")


def seen(item: Title, user: User = "", home: Home = None, as_json: Json = False) -> None:
    """Say that you have seen, read or heard it: it is not suggested any more."""
    _say(item, "seen", "seen", user, home, as_json)


def not_for_me(item: Title, user: User = "", home: Home = None, as_json: Json = False) -> None:
    """Say that it is not for you: it is not suggested any more."""
    _say(item, "disliked", "not for you", user, home, as_json)


def want(item: Title, user: User = "", home: Home = None, as_json: Json = False) -> None:
    """Put it on your list. It can still be suggested."""
    _say(item, "want", "on your list", user, home, as_json)


def _say(item: str, signal: Signal, words: str, user: str, home: Path | None, as_json: bool) -> None:
    with opened(home) as service:
        _named(service, user)
        found = service.find(item)
        service.say(found.key, signal, found.title, user)
    if as_json:
        emit({"key": found.key, "title": found.title, "signal": signal})
        return
    say(f"{printable(found.title)}: {words}. tacit node undo takes it back.")


def _named(service: Service, user: str) -> None:
    from tacit.core.errors import BadInput

    if service.store.setting("cluster") and not user:
        raise BadInput("--user", got="nothing", allowed="whose rating it is, in a cluster node")


def undo(user: User = "", home: Home = None, as_json: Json = False) -> None:
    """Undo your last rate, seen, not-for-me or want; again for the one before."""
    with opened(home) as service:
        title = service.changes.last(user)
        now = service.undo(user)
    if as_json:
        emit({"title": title, "signal": now.signal if now else None, "rating": now.value if now else None})
        return
    state = "not rated" if now is None else now.signal if now.value is None else f"{now.value:g}"
    say(f"{printable(title)}: {state}, as before.")


def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a csv to write")],
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write all your ratings to a csv, which tacit node import reads again."""
    with opened(home) as service:
        count = service.export(file)
    if as_json:
        emit({"exported": count, "file": str(file)})
        return
    say(f"{count:,} ratings written to {file}")


def restore(
    day: Annotated[
        str, typer.Option("--day", metavar="YYYY-MM-DD", help="another than the newest backup")
    ] = "",
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Put back the ratings of the last daily backup. What is there now is kept beside it."""
    from tacit.node.restore_ratings import restore as put_back

    done = put_back(home_of(home), day)
    if as_json:
        emit(
            {
                "day": done.day,
                "ratings": done.ratings,
                "aside": str(done.aside or ""),
                "new_node": done.new_node,
            }
        )
        return
    say(f"{done.ratings:,} ratings of {done.day} are back.")
    if done.aside is not None:
        say(f"What was there is in {done.aside}.")
    if done.new_node:
        say("The store was made anew, with another key: friends have to be invited again.")
