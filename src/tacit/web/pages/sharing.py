"""Sharing: disclosure, preview of the next message, pause, and the ledger as list, chart and download."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.import_ratings import parse_number
from tacit.node.store.records import LedgerEntry
from tacit.web.ledger_chart import HEIGHT, bars
from tacit.web.page_base import Site, action, download, page, text

SHOWN = 100
DRAWN = 5_000
"""The latest entries, from which the plot is drawn."""
ALL = 10_000_000
COLUMNS = ("time", "peer", "kind", "rows", "rows_rated", "bytes", "disclosure")


def routes(site: Site) -> list[Route]:
    """Everything on Sharing."""
    return [
        page(site, "/sharing", _sharing),
        page(site, "/ledger.csv", _as_csv),
        page(site, "/ledger.json", _as_json),
        action(site, "/sharing", _save, back="/sharing"),
        action(site, "/pause", _pause, back="/sharing"),
    ]


def _sharing(site: Site, request: Request) -> Response:
    service = site.service
    entries = service.ledger.entries(DRAWN)
    count, since = service.ledger.extent()
    return site.show(
        "sharing.html",
        place="/sharing",
        preview=service.preview() if service.rating_store.count() else None,
        entries=entries[:SHOWN],
        count=count,
        since=since,
        bars=bars(entries),
        drawn=entries[-1].time if entries else None,
        height=HEIGHT,
        names={peer.id: peer.name for peer in service.peers()},
    )


def _save(site: Site, form: FormData) -> str:
    site.service.set_sharing(disclosure=percent(text(form, "percent")))
    site.say("Saved for what is learned from now on. What took part before can still be in what is sent.")
    return "/sharing"


def _pause(site: Site, form: FormData) -> str:
    paused = text(form, "paused") == "yes"
    site.service.set_sharing(paused=paused)
    site.say("Paused: nothing about your ratings is sent." if paused else "Sharing is on.")
    return "/sharing"


def percent(given: str) -> float:
    """A share from a field that takes 0 to 100."""
    value = parse_number(given)
    if value is None or not 0 <= value <= 100:
        raise BadInput("what I share", got=given or "nothing", allowed="0 to 100 percent")
    return value / 100


def _as_csv(site: Site, request: Request) -> Response:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    for entry in site.service.ledger.entries(ALL):
        writer.writerow([_cell(value) for value in _columns(entry).values()])
    return download(buffer.getvalue(), "text/csv; charset=utf-8", "tacit-ledger.csv")


def _as_json(site: Site, request: Request) -> Response:
    entries = [_columns(entry) for entry in site.service.ledger.entries(ALL)]
    return download(json.dumps({"entries": entries}), "application/json", "tacit-ledger.json")


def _columns(entry: LedgerEntry) -> dict[str, object]:
    facts = asdict(entry)
    return {name: facts[name] for name in COLUMNS}


def _cell(value: object) -> object:
    """Spreadsheets run what starts like a formula."""
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@", "\t")) else value
