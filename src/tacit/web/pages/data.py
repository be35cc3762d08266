"""Ratings: bring a file and check it, find and change what was said, download it, delete everything."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.core.errors import BadInput
from tacit.node.catalogue import item_keys
from tacit.node.export_ratings import write_skipped
from tacit.node.import_ratings import formats
from tacit.node.sandbox import read_in_subprocess
from tacit.node.start import rows_file
from tacit.node.store.records import Rating
from tacit.web.formatting import many
from tacit.web.page_base import Site, action, download, page, text

SHOWN = 50
GONE = (
    "tacit stops and deletes everything here: ratings, model, ledger and key. "
    "What others have learned cannot be called back."
)
SORTS = {"new": "Newest first", "best": "Highest first", "title": "By title"}
SIGNALS = {
    "": ("Everything", None),
    "stars": ("With stars", {"rating", "liked"}),
    "seen": ("Seen, no stars", {"seen"}),
    "want": ("Want to see", {"want"}),
    "no": ("Not for me", {"disliked", "dropped"}),
}


def routes(site: Site) -> list[Route]:
    """Everything on Ratings."""
    return [
        page(site, "/data", _data),
        page(site, "/data/check", _check),
        page(site, "/ratings.csv", _export),
        page(site, "/skipped.csv", _skipped),
        action(site, "/data/read", _read, back="/data"),
        action(site, "/data/keep", _keep, back="/data"),
        action(site, "/data/delete", _delete, back="/data"),
        action(site, "/data/forget", _forget, back="/data"),
    ]


def _data(site: Site, request: Request) -> Response:
    asked = request.query_params
    ratings = site.service.ratings()
    words = asked.get("q", "").strip()[:200]
    sort = asked.get("sort", "") if asked.get("sort") in SORTS else "new"
    shown = asked.get("show", "") if asked.get("show", "") in SIGNALS else ""
    signals = SIGNALS[shown][1]
    fitting = [
        rating
        for rating in _sorted(ratings, sort)
        if all(word in rating.title.casefold() for word in words.casefold().split())
        and (signals is None or rating.signal in signals)
    ]
    start = asked.get("from", "")
    first = min(int(start), len(fitting)) if start.isascii() and start.isdigit() and len(start) < 9 else 0
    return site.show(
        "data.html",
        place="/data",
        at=site.at(request),
        formats=formats(),
        sources=Counter(rating.source for rating in ratings),
        total=len(ratings),
        counts={
            name: sum(signals is None or r.signal in signals for r in ratings)
            for name, (_, signals) in SIGNALS.items()
        },
        query=words,
        rows=[(site.cover(r.key, r.title), r) for r in fitting[first : first + SHOWN]],
        fitting=len(fitting),
        first=first,
        step=SHOWN,
        sort=sort,
        sorts=SORTS,
        show=shown,
        shows={name: label for name, (label, _) in SIGNALS.items()},
        can_forget=site.forget is not None,
        skipped=len(site.skipped),
    )


def _sorted(ratings: list[Rating], by: str) -> list[Rating]:
    if by == "title":
        return sorted(ratings, key=lambda r: (r.title.casefold(), r.key))
    if by == "best":
        return sorted(ratings, key=lambda r: (-(r.value or 0), r.title.casefold(), r.key))
    return sorted(ratings, key=lambda r: (-(r.time or 0), r.title.casefold(), r.key))


def _check(site: Site, request: Request) -> Response:
    return site.show("check.html", place="/data", first=False, formats=formats(), **site.waiting_facts())


def _read(site: Site, form: FormData) -> str:
    read_upload(site, form)
    return "/data/check"


def read_upload(site: Site, form: FormData) -> None:
    """Read the file of a form and let it wait; nothing is kept yet."""
    file = form.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        raise BadInput("file", got="none", allowed="choose a file first")
    service, data, name = site.service, file.file.read(), item_keys.clean_title(file.filename)
    site.waiting, site.start, site.skipped = None, None, []
    if data.startswith(rows_file.NAME):
        site.start = rows_file.unpack(data, name)
        return
    found = read_in_subprocess(
        data,
        name,
        text(form, "format") or None,
        [text(form, "map")] if text(form, "map") else [],
        cluster=service.status().cluster,
        known=service.known_keys(),
    )
    site.waiting = found.beside(service.ratings())
    site.skipped = site.waiting.report.skipped


def keep_waiting(site: Site) -> None:
    """Keep the file that was shown."""
    found, start, site.waiting, site.start = site.waiting, site.start, None, None
    if start is not None:
        site.service.suggestions.set_start(start)
        site.say(f"Suggestions come from {start.source} now, {many(len(start), 'title')}.")
    elif found is not None:
        changed = site.service.add(found.ratings())
        site.say(f"{many(len(found.parsed), 'title')} kept, {changed:,} of them new or changed.")
    else:
        raise BadInput("file", got="none is waiting", allowed="choose it again")


def _keep(site: Site, form: FormData) -> str:
    if text(form, "keep") == "yes":
        keep_waiting(site)
    else:
        site.waiting, site.start, site.skipped = None, None, []
        site.say("Nothing was kept.")
    return "/data"


def _delete(site: Site, form: FormData) -> str:
    """Delete everything that came from one source."""
    source = text(form, "source")
    if text(form, "sure") != "yes":
        raise BadInput("delete", got="not confirmed", allowed="tick the box first")
    gone = [rating for rating in site.service.ratings() if rating.source == source]
    with site.service.store.transaction():
        for rating in gone:
            site.service.rating_store.unrate(rating.key, rating.person)
    site.say(f"{many(len(gone), 'title')} removed.{_still(site)}")
    return "/data"


def _still(site: Site) -> str:
    """What a node that exchanged a model has to say about what is removed."""
    learned = site.service.store.setting("model")
    return " What was learned from them before can still be in what is sent." if learned else ""


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
    return site.bare("Goodbye", GONE, link=False)  # nobody is left to answer another request
