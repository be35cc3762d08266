"""The ASGI application of the page: all routes behind the gate.

app = create_app(Service(home), Keys(port=8477))
"""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from tacit.core.errors import TacitError
from tacit.node.service import Service
from tacit.web.gate import Gate, Keys
from tacit.web.page_base import Site
from tacit.web.pages import data, home, people, sharing, welcome
from tacit.web.render import HERE


def create_app(service: Service, keys: Keys, forget: Callable[[], None] | None = None) -> Gate:
    """The page of one node. `forget` stops the node and deletes everything."""
    site = Site(service, keys, forget)
    parts = (home, sharing, data, people, welcome)
    routes = [route for part in parts for route in part.routes(site)]
    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=HERE / "static"))],
        exception_handlers={HTTPException: _refused, TacitError: _told, Exception: _broken},
    )
    return Gate(app, keys)


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    what = "That is too big." if status == 413 else "There is no such page."
    return HTMLResponse(
        f'<!doctype html><title>tacit</title><p role="alert">{what} <a href="/">Home</a>', status
    )


async def _told(request: Request, error: Exception) -> Response:
    """What a person can correct, such as a store that was damaged on the disk."""
    return HTMLResponse(f'<!doctype html><title>tacit</title><p role="alert">{escape(str(error))}', 500)


async def _broken(request: Request, error: Exception) -> Response:
    return HTMLResponse(
        '<!doctype html><title>tacit</title><p role="alert">Something went wrong here. <a href="/">Home</a>',
        500,
    )
