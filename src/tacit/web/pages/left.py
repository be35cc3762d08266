"""What left: the ledger day by day, with what the network library did, and as files."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.node.importers.cells import escaped
from tacit.node.store.records import LedgerEntry
from tacit.web.ledger_days import WIDTH, Amounts, days
from tacit.web.page_base import Site, download, page

SHOWN = 2_000
"""The latest entries, from which the days are made."""
ALL = 10_000_000
COLUMNS = ("time", "peer", "kind", "rows", "rows_rated", "bytes", "disclosure")


def routes(site: Site) -> list[Route]:
    """Everything on What left."""
    return [
        page(site, "/left", _left),
        page(site, "/ledger.csv", _as_csv),
        page(site, "/ledger.json", _as_json),
    ]


def _left(site: Site, request: Request) -> Response:
    service = site.service
    entries = service.ledger.entries(SHOWN)
    found = days(entries)
    count, since = service.ledger.extent()
    return site.show(
        "left.html",
        place="/left",
        days=found,
        total=sum((day.amounts for day in found), Amounts(0, 0, 0)),
        shown=len(entries),
        count=count,
        since=since,
        width=WIDTH,
        network=service.ledger.network(),
        names=names(site),
    )


def names(site: Site) -> dict[str, str]:
    """How people are called, by their ids."""
    found = {peer.id: peer.name for peer in site.service.peers() if peer.name}
    if site.service.is_in_circle():
        found |= {one.id: one.name for one in site.service.circle.members() if one.name}
    return found


def _as_csv(site: Site, request: Request) -> Response:
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(COLUMNS)
    for entry in site.service.ledger.entries(ALL):
        writer.writerow([escaped(value) for value in _columns(entry).values()])
    return download(buffer.getvalue(), "text/csv; charset=utf-8", "tacit-ledger.csv")


def _as_json(site: Site, request: Request) -> Response:
    entries = [_columns(entry) for entry in site.service.ledger.entries(ALL)]
    facts: dict[str, Any] = {"entries": entries, "network": asdict(site.service.ledger.network())}
    return download(json.dumps(facts), "application/json", "tacit-ledger.json")


def _columns(entry: LedgerEntry) -> dict[str, object]:
    facts = asdict(entry)
    return {name: facts[name] for name in COLUMNS}
