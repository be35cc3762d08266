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
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from tacit.core.errors import TacitError
from tacit.node.import_ratings import Import, Skipped
from tacit.node.service import Service
from tacit.web.gate import Keys, same
from tacit.web.render import environment

WELCOMED = "welcomed"


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
    skipped: list[Skipped] = field(default_factory=list)
    """What was left out of the last file; in memory only."""
    ticket: str = ""
    """An invitation that was made and not yet shown."""
    said: tuple[str, bool] | None = None
    """What the next page says first, and whether it is an error."""

    def show(self, template: str, status: int = 200, **facts: Any) -> HTMLResponse:
        """A page."""
        said, self.said = self.said, None
        now = self.service.status()
        text = self.templates.get_template(template).render(
            form_key=self.keys.form, said=said, now=now, **facts
        )
        return HTMLResponse(text, status_code=status)

    def say(self, text: str, *, error: bool = False) -> None:
        """Have the next page say something."""
        self.said = (text, error)

    def waiting_preview(self) -> dict[str, Any] | None:
        """The preview of the file that was read and not yet kept."""
        return self.waiting.preview() if self.waiting else None

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

    A mistake goes `back` with one line, and nothing has changed.
    """

    async def endpoint(request: Request) -> Response:
        async with request.form(max_files=1, max_fields=50) as form:
            if not same(text(form, "form_key"), site.keys.form):
                return HTMLResponse("This form is out of date. Load the page again.", status_code=403)
            try:
                done = await run_in_threadpool(do, site, form)
            except TacitError as error:
                site.say(_sentence(str(error)), error=True)
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


def _sentence(line: str) -> str:
    return line[:1].upper() + line[1:] + ("" if line.endswith((".", "?")) else ".")
