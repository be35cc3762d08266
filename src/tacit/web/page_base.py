"""What all pages share: the state of the site, and routes that show something or change something."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from jinja2 import Environment
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from tacit.core.errors import TacitError
from tacit.node.doctor.check import Check
from tacit.node.import_ratings import Import, Skipped
from tacit.node.service import Service
from tacit.node.start.rows_file import Start
from tacit.web.covers import Cover, cover
from tacit.web.gate import Keys, same
from tacit.web.mode_line import mode_line
from tacit.web.render import environment

WELCOMED = "welcomed"
MAX_FIELDS = 5_000
"""Of a form: there is one for each title that can be shared."""


@dataclass(frozen=True, slots=True)
class Undo:
    """An action on a title that can be undone."""

    number: int
    key: str
    title: str
    person: str


@dataclass(frozen=True, slots=True)
class At:
    """Where a form stands: what it needs to be taken, whose page it is on, and where it goes back to."""

    form_key: str
    person: str
    back: str


@dataclass(frozen=True, slots=True)
class Said:
    """What a page says first."""

    text: str
    error: bool = False
    undo: Undo | None = None


@dataclass(slots=True)
class Site:
    """One person's page."""

    service: Service
    keys: Keys
    forget: Callable[[], None] | None = None
    """Stops the node and deletes everything; without it the page says how to do it."""
    templates: Environment = field(default_factory=environment)
    waiting: Import | None = None
    """A file that was read and not yet kept."""
    start: Start | None = None
    """A start file that was read and not yet kept."""
    skipped: list[Skipped] = field(default_factory=list)
    """What was left out of the last file; in memory only."""
    ticket: str = ""
    """An invitation or a link that was made and not yet shown."""
    checks: list[Check] | None = None
    """What the doctor found and was not yet shown."""
    said: Said | None = None
    """What the next page says first."""

    def show(self, template: str, status: int = 200, **facts: Any) -> HTMLResponse:
        """A page."""
        said, self.said = self.said, None
        now = self.service.status()
        text = self.templates.get_template(template).render(
            form_key=self.keys.form, said=said, now=now, line=mode_line(self.service, now), **facts
        )
        return HTMLResponse(text, status_code=status)

    def bare(self, heading: str, line: str, status: int = 200, *, link: bool = True) -> HTMLResponse:
        """A page that asks nothing of the store: it may be what is broken."""
        made = self.templates.get_template("bare.html").render(heading=heading, line=line, link=link)
        return HTMLResponse(made, status_code=status)

    def say(self, text: str, *, error: bool = False, undo: Undo | None = None) -> None:
        """Have the next page say something."""
        self.said = Said(text, error, undo)

    def part(self, macro: str, *facts: Any) -> HTMLResponse:
        """A part of a page, in place of the one in which a button was pressed."""
        return HTMLResponse(str(getattr(self.templates.get_template("parts.html").module, macro)(*facts)))

    def at(self, request: Request, person: str = "") -> At:
        """For the forms of a page."""
        query = f"?{request.url.query}" if request.url.query else ""
        return At(self.keys.form, person, request.url.path + query)

    def cover(self, key: str, title: str) -> Cover:
        """The cover of a title."""
        return cover(key, title, self.service.suggestions.hue(key))

    def waiting_facts(self) -> dict[str, Any]:
        """What is shown of a file that was read and not yet kept: numbers, a few examples, how many are known."""
        if self.waiting is None:
            return {"found": None, "examples": [], "known": 0, "start": self.start}
        ratings = self.waiting.ratings()
        keys = self.service.suggestions.recommender().place
        return {
            "found": self.waiting.preview(),
            "examples": [rating for rating in ratings if rating.value is not None][:3],
            "known": sum(rating.key in keys for rating in ratings),
            "start": None,
        }

    def person(self, given: str) -> str:
        """The person whose page is shown: in a cluster node one of its people."""
        people = self.service.people()
        return given if given in people else people[0]


Answer = Callable[[Site, FormData], str | Response]
"""Does something and tells where to go next, or answers itself."""
Page = Callable[[Site, Request], Response]


def page(site: Site, path: str, show: Page) -> Route:
    """A page to look at; changes nothing."""

    @wraps(show)
    def endpoint(request: Request) -> Response:
        return show(site, request)

    return Route(path, endpoint, methods=["GET"])


def action(site: Site, path: str, do: Answer, *, back: str) -> Route:
    """Something that changes something: only with the page's own key in the form.

    A mistake goes `back` with one line, and nothing has changed. A script that asks for a `part` gets that line alone.
    """

    async def endpoint(request: Request) -> Response:
        async with request.form(max_files=1, max_fields=MAX_FIELDS) as form:
            if not same(text(form, "form_key"), site.keys.form):
                return site.bare("This form is out of date", "Nothing was changed. Load the page again.", 403)
            try:
                done = await run_in_threadpool(do, site, form)
            except TacitError as error:
                if text(form, "part"):
                    return PlainTextResponse(sentence(str(error)), status_code=422)
                site.say(sentence(str(error)), error=True)
                done = back
        return RedirectResponse(done, status_code=303) if isinstance(done, str) else done

    return Route(path, endpoint, methods=["POST"])


def download(body: str | bytes, media_type: str, name: str) -> Response:
    """A file to save."""
    return Response(
        body, media_type=media_type, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def text(form: FormData, name: str) -> str:
    """A field's text, empty if it is not there or a file."""
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


def sentence(line: str) -> str:
    """A line of an error, as a sentence."""
    return line[:1].upper() + line[1:] + ("" if line.endswith((".", "?")) else ".")
