"""Access control of the page: host, session, origin, size. Other accounts and web pages can reach loopback, too.

    Host      must be this page's own, else 421: a foreign name that points here (DNS rebinding) gets nothing. It is
              random at each start: browsers send a cookie to every port of a name, so no other page may have this one
    session   a cookie, given in exchange for the token that `tacit node start` printed; else 403
    Origin    what changes something must come from this page itself, and say so with a secret field; else 403
    size      of what is sent here is capped; else 413

Every answer, errors too, forbids scripts, pictures and connections from elsewhere, framing, and keeping a copy.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 100_000_000
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    # Not no-referrer: browsers would then send "Origin: null" with this page's own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "X-Frame-Options": "DENY",
}
_SAFE = ("GET", "HEAD")
ENDED = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Not signed in - tacit</title>'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
    '<link rel="stylesheet" href="/static/tacit.css"></head><body><main class="bare"><p class="brand">tacit</p>'
    "<h1>This browser has no key</h1><p>Open the address that <code>tacit node start</code> printed; it holds the "
    "key. Keys end when tacit stops.</p></main></body></html>"
)


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets of one start of the page. None of them is written to disk."""

    port: int
    name: str = field(default_factory=lambda: secrets.token_hex(16))
    """Browsers take every NAME.localhost for this computer. Empty: 127.0.0.1, whose cookies go to all its ports."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """In the address that is printed."""
    session: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """In the cookie."""
    form: str = field(default_factory=lambda: secrets.token_urlsafe(32))
    """In every form."""

    @property
    def cookie(self) -> str:
        """Its name has the port: pages at 127.0.0.1 share their cookies."""
        return f"tacit_{self.port}"

    @property
    def host(self) -> str:
        """What a browser calls this page."""
        return f"{self.name}.localhost:{self.port}" if self.name else f"127.0.0.1:{self.port}"

    @property
    def address(self) -> str:
        """What to open, with the token in it."""
        return f"http://{self.host}/?token={self.token}"


class Gate:
    """In front of the whole page."""

    def __init__(self, app: ASGIApp, keys: Keys) -> None:
        self.app, self.keys = app, keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it here."""
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        refused = self._refuse(scope)
        if refused is not None:
            await refused(scope, receive, guarded)
            return
        await self.app(scope, _capped(receive), guarded)

    def _refuse(self, scope: Scope) -> Response | None:
        """The answer to a request that may not pass."""
        headers, keys = Headers(scope=scope), self.keys
        host = headers.get("host", "")
        if host != keys.host:
            return _plain(
                421, "This is not the page you asked for. Open the address that tacit node start printed."
            )
        if scope["method"] not in _SAFE:
            if headers.get("origin") != f"http://{host}":
                return _plain(403, "This did not come from the page itself.")
            if headers.get("sec-fetch-site", "same-origin") != "same-origin":
                return _plain(403, "This did not come from the page itself.")
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return _plain(413, "Too big.")
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if scope["method"] in _SAFE and same(given, keys.token):
            return self._login()
        if same(_cookie(headers, keys.cookie), keys.session) or scope["path"].startswith("/static/"):
            return None
        return HTMLResponse(ENDED, status_code=403)

    def _login(self) -> Response:
        """A cookie for the token; the address without it replaces the one with it."""
        answer = RedirectResponse("/", status_code=303)
        answer.set_cookie(self.keys.cookie, self.keys.session, httponly=True, samesite="strict", path="/")
        return answer


def same(given: str, secret: str) -> bool:
    """Whether a text is the secret; takes as long if it is not."""
    return hmac.compare_digest(given.encode(), secret.encode())


def _cookie(headers: Headers, name: str) -> str:
    jar: SimpleCookie = SimpleCookie()
    try:
        jar.load(headers.get("cookie", ""))
    except CookieError:
        return ""
    return jar[name].value if name in jar else ""


def _capped(receive: Receive) -> Receive:
    """Stop reading where it is too much, whatever the request said about its size."""
    read = 0

    async def counted() -> Any:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > MAX_BODY:
            raise HTTPException(413)
        return message

    return counted


def _plain(status: int, text: str) -> Response:
    return PlainTextResponse(text + "\n", status_code=status)
