"""Any csv: `item[,title][,year][,rating][,timestamp]`, for a cluster also `user`; other names with `--map`.

An item's key is `csv:` and its id; an id that is a full key (`film:t:night ferry:2010`) stands for itself. Without an
item column the key is made of title and year (films; `--map kind=book` for others, with `author`). A line without a
rating says that the item was seen, or what its `signal` says (liked, disliked, dropped, want). The scale is the
smallest of 5, 10 and 100 that holds every rating, if not given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys
from tacit.node.importers.archive import Export
from tacit.node.importers.base import COLUMNS, SIGNALS, Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import BAD_RATING, full_title, item_rating, of_profile
from tacit.node.importers.cells import parse_number, parse_time, parse_year, unescaped
from tacit.node.importers.entries import has, header, table
from tacit.node.importers.movielens import split_title

_SCALES = (5.0, 10.0, 100.0)


def _recognizes(export: Export) -> bool:
    one = export.names[0] if len(export.names) == 1 else ""
    return bool(one) and (has(export, one, "item") or has(export, one, "title"))


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    names = export.named("*.csv", "*.tsv", "*.txt") or export.names
    if len(names) != 1:
        raise BadInput(f"{export.name} holds {len(names)} tables", allowed="one csv")
    columns = {own: options.columns.get(own, own).strip().lower() for own in COLUMNS}
    there = header(export.head(names[0]))
    if columns["item"] not in there and columns["title"] not in there:
        raise BadInput(
            f"{export.name} has neither a column {columns['item']} nor {columns['title']}",
            got=f"{len(there)} columns",
            allowed="a header item[,title][,year][,rating][,timestamp]; other names with --map item=NAME",
        )
    if missing := [name for own, name in options.columns.items() if name.strip().lower() not in there]:
        raise BadInput(f"--map: {export.name} has no column {', '.join(missing)}")
    ratings = [
        rating for rating in _ratings(export, names[0], columns, options, report) if rating is not None
    ]
    yield from _scaled(of_profile(ratings, options, export.name), options)


def _ratings(
    export: Export, name: str, columns: dict[str, str], options: Options, report: Report
) -> Iterator[ParsedRating | None]:
    for line, cells in table(export, name, list(columns.values())):
        get = {own: unescaped(cells[theirs]) for own, theirs in columns.items()}
        value = parse_number(get["rating"])
        if get["rating"] and (value is None or not 0 < value <= (options.scale or value)):
            report.skip(BAD_RATING, line)
            continue
        when, exact = parse_time(get["timestamp"])
        unrated = get["signal"] if get["signal"] in SIGNALS[1:] else "seen"
        more: dict[str, Any] = {
            "signal": "rating" if get["rating"] else unrated,
            "value": value or 1.0,
            "scale": options.scale or 0.0,
        }
        more |= {"time": when, "exact": exact, "user": get["user"]}
        if not get["item"]:
            title, own_year = (
                (get["title"], parse_year(get["year"])) if get["year"] else split_title(get["title"])
            )
            yield item_rating(options.kind, title, report, line, year=own_year, author=get["author"], **more)
            continue
        try:
            key = item_keys.csv_key(get["item"])
        except BadInput:
            report.skip("item is not a usable id", line)
            continue
        kind = item_keys.kind_of(key) if item_keys.kind_of(key) != "csv" else options.kind
        yield ParsedRating(key, full_title(kind, get["title"], parse_year(get["year"]), ""), **more)


def _scaled(ratings: list[ParsedRating], options: Options) -> Iterator[ParsedRating]:
    """The rows on the scale that was given, or the smallest that fits."""
    highest = max((rating.value for rating in ratings if rating.signal == "rating"), default=1.0)
    scale = options.scale or next((scale for scale in _SCALES if highest <= scale), None)
    if scale is None:
        raise BadInput("ratings above 100", allowed="--map scale=HIGHEST")
    for rating in ratings:
        yield replace(rating, scale=scale)


importer = Importer("a csv file", "a header item[,title][,year][,rating][,timestamp]", _recognizes, _read)
