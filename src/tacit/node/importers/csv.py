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
from tacit.node.catalogue import item_keys as keys
from tacit.node.importers.archive import Export
from tacit.node.importers.base import COLUMNS, SIGNALS, Importer, Options, Report, Row
from tacit.node.importers.build_ratings import BAD_RATING, chosen, item, shown
from tacit.node.importers.cells import number, time, year
from tacit.node.importers.entries import has, header, table
from tacit.node.importers.movielens import split_title

_SCALES = (5.0, 10.0, 100.0)


def _recognizes(export: Export) -> bool:
    one = export.names[0] if len(export.names) == 1 else ""
    return bool(one) and (has(export, one, "item") or has(export, one, "title"))


def _read(export: Export, options: Options, report: Report) -> Iterator[Row]:
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
    rows = [row for row in _rows(export, names[0], columns, options, report) if row is not None]
    yield from _scaled(chosen(rows, options, export.name), options)


def _rows(
    export: Export, name: str, columns: dict[str, str], options: Options, report: Report
) -> Iterator[Row | None]:
    for line, cells in table(export, name, list(columns.values())):
        get = {own: cells[theirs] for own, theirs in columns.items()}
        value = number(get["rating"])
        if get["rating"] and (value is None or not 0 < value <= (options.scale or value)):
            report.skip(BAD_RATING, line)
            continue
        when, exact = time(get["timestamp"])
        unrated = get["signal"] if get["signal"] in SIGNALS[1:] else "seen"
        more: dict[str, Any] = {
            "signal": "rating" if get["rating"] else unrated,
            "value": value or 1.0,
            "scale": options.scale or 0.0,
        }
        more |= {"time": when, "exact": exact, "user": get["user"]}
        if not get["item"]:
            title, own_year = (get["title"], year(get["year"])) if get["year"] else split_title(get["title"])
            yield item(options.kind, title, report, line, year=own_year, author=get["author"], **more)
            continue
        try:
            key = keys.csv_key(get["item"])
        except BadInput:
            report.skip("item is not a usable id", line)
            continue
        kind = keys.kind_of(key) if keys.kind_of(key) != "csv" else options.kind
        yield Row(key, shown(kind, get["title"], year(get["year"]), ""), **more)


def _scaled(rows: list[Row], options: Options) -> Iterator[Row]:
    """The rows on the scale that was given, or the smallest that fits."""
    highest = max((row.value for row in rows if row.signal == "rating"), default=1.0)
    scale = options.scale or next((scale for scale in _SCALES if highest <= scale), None)
    if scale is None:
        raise BadInput("ratings above 100", allowed="--map scale=HIGHEST")
    for row in rows:
        yield replace(row, scale=scale)


importer = Importer("a csv file", "a header item[,title][,year][,rating][,timestamp]", _recognizes, _read)
