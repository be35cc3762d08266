"""The ASGI application of the page: all routes behind the gate.

app = create_app(Service(home), Keys(port=8477))
"""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from tacit.core.errors import TacitError
from tacit.node.service import Service
from tacit.web.gate import Gate, Keys
from tacit.web.page_base import Site, sentence
from tacit.web.pages import circle, data, few, home, left, people, saying, sharing, status, welcome
from tacit.web.render import HERE


def create_app(service: Service, keys: Keys, forget: Callable[[], None] | None = None) -> Gate:
    """The page of one node. `forget` stops the node and deletes everything."""
    site = Site(service, keys, forget)
    parts = (home, saying, few, data, circle, left, status, welcome, people, sharing)
    routes = [route for part in parts for route in part.routes(site)]

    async def refused(request: Request, error: Exception) -> Response:
        code = error.status_code if isinstance(error, HTTPException) else 500
        if code == 413:
            return site.bare("That is too big", "Files up to 100 MB can be read. Nothing was kept.", code)
        return site.bare("There is no such page", "The address may be old.", code)

    async def told(request: Request, error: Exception) -> Response:
        """What a person can correct, such as a store that was damaged on the disk."""
        return site.bare("This needs a hand", f"{sentence(str(error))} Nothing else was changed.", 500)

    async def broken(request: Request, error: Exception) -> Response:
        return site.bare("Something went wrong here", "What you kept before is safe.", 500)

    app = Starlette(
        routes=[*routes, Mount("/static", StaticFiles(directory=HERE / "static"))],
        exception_handlers={HTTPException: refused, TacitError: told, Exception: broken},
    )
    return Gate(app, keys)
