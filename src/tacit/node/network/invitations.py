"""Invitations as one line of text: node id, addresses and a secret. Also a node's identity.

tacit1:<base32 of a msgpack list [id, addresses, secret]>           an invitation, for one node
tacit1:<base32 of a msgpack list [id, addresses, secret, name]>     the link of a circle, for several
"""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import dataclass

import msgspec

from tacit.core.errors import BadInput
from tacit.node.catalogue.title_normalization import strip_unsafe
from tacit.node.network.addresses import good_addresses

PREFIX = "tacit1:"
INSTALL = "pip install '.[node]' in a checkout of tacit installs it"
MAX_NAME = 32
"""Characters of a person's or a circle's name."""
_ALLOWED = "the whole line that tacit node invite or tacit node circle link printed"
_ID = re.compile(r"[0-9a-f]{64}")


class Ticket(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What an invitation says."""

    id: str
    addresses: tuple[str, ...]
    secret: str
    circle: str = ""
    """The name of the circle that it lets in to; empty: it is an invitation."""


def new_secret() -> str:
    """128 random bits as text."""
    return secrets.token_hex(16)


def write_ticket(ticket: Ticket) -> str:
    """The line to hand over."""
    parts = [ticket.id, ticket.addresses, ticket.secret, *([ticket.circle] if ticket.circle else [])]
    text = base64.b32encode(msgspec.msgpack.encode(parts)).decode().rstrip("=").lower()
    return PREFIX + text


def read_ticket(text: str, what: str = "invitation") -> Ticket:
    """What a line says, or BadInput; nothing of the secret is repeated. `what`: how the person calls it."""
    line = "".join(text.split())
    if line[: len(PREFIX)].lower() != PREFIX:
        raise BadInput(what, got="no invitation of tacit", allowed=_ALLOWED)
    body = line[len(PREFIX) :].upper()
    try:
        ticket = msgspec.msgpack.decode(base64.b32decode(body + "=" * (-len(body) % 8)), type=Ticket)
    except (ValueError, msgspec.MsgspecError):
        raise BadInput(what, got="a damaged invitation", allowed=_ALLOWED) from None
    if not is_id(ticket.id) or not re.fullmatch(r"[0-9a-f]{32}", ticket.secret):
        raise BadInput(what, got="a damaged invitation", allowed=_ALLOWED)
    circle = strip_unsafe(" ".join(ticket.circle.split()))[:MAX_NAME]
    return Ticket(ticket.id, good_addresses(ticket.addresses), ticket.secret, circle)


def is_id(text: str) -> bool:
    """Whether this is a node's id: 32 bytes in hexadecimal."""
    return _ID.fullmatch(text) is not None


@dataclass(frozen=True, slots=True)
class Identity:
    """A key pair: the public half names the node, the secret half stays in its store."""

    secret: bytes
    id: str

    @classmethod
    def new(cls) -> Identity:
        """A fresh one."""
        secret = secrets.token_bytes(32)
        return cls(secret, _public_half(secret))


def _public_half(secret: bytes) -> str:
    """The Ed25519 public key of a secret, without the network library: a node that is alone never loads it."""
    try:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    except ImportError:
        raise BadInput(f"the library cryptography is not installed: {INSTALL}") from None
    return Ed25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw().hex()
