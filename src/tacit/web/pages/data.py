"""My data: upload and check an export, list and delete ratings, download them, delete everything."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys
from tacit.node.export_ratings import write_skipped
from tacit.node.import_ratings import formats
from tacit.node.sandbox import read_in_subprocess
from tacit.web.page_base import Site, action, download, page, text

SHOWN = 50
GONE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>tacit: deleted</title><h1>Goodbye</h1>'
    "<p>tacit stops and deletes everything here: ratings, model, ledger and key. "
    "What others have learned cannot be called back."
)


def routes(site: Site) -> list[Route]:
    """Everything on My data."""
    return [
        page(site, "/data", _data),
        page(site, "/data/check", _check),
        page(site, "/ratings.csv", _export),
        page(site, "/skipped.csv", _skipped),
        action(site, "/data/read", _read, back="/data"),
        action(site, "/data/keep", _keep, back="/data"),
        action(site, "/data/remove", _remove, back="/data"),
        action(site, "/data/undo", _undo, back="/data"),
        action(site, "/data/forget", _forget, back="/data"),
    ]


def _data(site: Site, request: Request) -> Response:
    ratings = site.service.ratings()
    words = request.query_params.get("q", "").strip()[:200]
    fitting = [r for r in ratings if all(w in r.title.casefold() for w in words.casefold().split())]
    start = request.query_params.get("from", "")
    first = min(int(start), len(fitting)) if start.isascii() and start.isdigit() and len(start) < 9 else 0
    return site.show(
        "data.html",
        place="/data",
        formats=formats(),
        sources=Counter(rating.source for rating in ratings),
        total=len(ratings),
        query=words,
        ratings=fitting[first : first + SHOWN],
        fitting=len(fitting),
        first=first,
        step=SHOWN,
        can_forget=site.forget is not None,
        skipped=len(site.skipped),
    )


def _check(site: Site, request: Request) -> Response:
    return site.show(
        "check.html",
        place="/data",
        found=site.waiting_preview(),
        keep="/data/keep",
        step=0,
        formats=formats(),
    )


def _read(site: Site, form: FormData) -> str:
    read_upload(site, form)
    return "/data/check"


def read_upload(site: Site, form: FormData) -> None:
    """Read the file of a form and let it wait; nothing is kept yet."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        raise BadInput("file", got="none", allowed="choose a file first")
    service = site.service
    site.waiting = read_in_subprocess(
        file.file.read(),
        item_keys.clean_title(file.filename),
        text(form, "format") or None,
        [text(form, "map")] if text(form, "map") else [],
        cluster=service.status().cluster,
        known=service.known_keys(),
    )
    site.skipped = site.waiting.report.skipped


def keep_waiting(site: Site) -> None:
    """Keep the file that was shown."""
    if site.waiting is None:
        raise BadInput("file", got="none is waiting", allowed="choose it again")
    found, site.waiting = site.waiting, None
    changed = site.service.add(found.ratings())
    site.say(f"{len(found.parsed):,} kept, {changed:,} of them new or changed.")


def _keep(site: Site, form: FormData) -> str:
    if text(form, "keep") == "yes":
        keep_waiting(site)
    else:
        site.waiting, site.skipped = None, []
        site.say("Nothing was kept.")
    return "/data"


def _remove(site: Site, form: FormData) -> str:
    site.service.unrate(item_keys.check_key(text(form, "key")), text(form, "person"))
    site.say("Deleted here. What was learned from it before can still be in what is sent.")
    return "/data"


def _undo(site: Site, form: FormData) -> str:
    """Delete everything that came from one source."""
    source = text(form, "source")
    if text(form, "sure") != "yes":
        raise BadInput("delete", got="not confirmed", allowed="tick the box first")
    gone = [rating for rating in site.service.ratings() if rating.source == source]
    with site.service.store.transaction():
        for rating in gone:
            site.service.rating_store.unrate(rating.key, rating.person)
    site.say(f"{len(gone):,} deleted here. What was learned from them before can still be in what is sent.")
    return "/data"


def _export(site: Site, request: Request) -> Response:
    return _download("ratings", site.service.export)


def _skipped(site: Site, request: Request) -> Response:
    return _download("skipped", lambda file: write_skipped(file, site.skipped))


def _download(name: str, write: Callable[[Path], object]) -> Response:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.csv"
        write(file)
        return download(file.read_bytes(), "text/csv; charset=utf-8", f"tacit-{name}.csv")


def _forget(site: Site, form: FormData) -> str | Response:
    if text(form, "sure") != "yes":
        raise BadInput("delete everything", got="not confirmed", allowed="tick the box first")
    if site.forget is None:
        raise BadInput(
            "delete everything", got="not from here", allowed="stop the node, then: tacit node forget --yes"
        )
    site.forget()
    return HTMLResponse(GONE)  # Nobody is left to answer another request.
