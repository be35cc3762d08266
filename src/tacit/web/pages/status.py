"""Status: whom the node tells what, where suggestions come from, and what the doctor finds."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tacit.core.errors import TacitError
from tacit.node.doctor.examine import examine, examine_here
from tacit.node.start.rows_file import Start
from tacit.web.page_base import Site, action, page


def routes(site: Site) -> list[Route]:
    """Everything on Status."""
    return [page(site, "/status", _status), action(site, "/status/check", _check, back="/status")]


def _status(site: Site, request: Request) -> Response:
    checks, site.checks = site.checks, None
    asked = checks is not None
    if checks is None:
        checks = examine_here(site.service)
    order = {"problem": 0, "attention": 1, "ok": 2}
    return site.show(
        "status.html",
        place="/status",
        checks=sorted(checks, key=lambda check: order[check.state]),
        asked=asked,
        start=_start(site),
        problems=site.service.problem_log.latest(10),
    )


def _check(site: Site, form: FormData) -> str:
    """Run all checks. Those that use the network are left out while the node is alone or paused."""
    site.checks = examine(site.service.store.home, page_port=site.keys.port)
    return "/status"


def _start(site: Site) -> Start | None:
    try:
        return site.service.suggestions.recommender().start
    except TacitError:
        return None  # the checks say what is wrong with it
