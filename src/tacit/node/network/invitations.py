"""Invitations (tickets) as one line of text: node id, addresses and a secret for one node. Also a node's identity.

tacit1:<base32 of a msgpack list [id, addresses, secret]>
"""

from __future__ import annotations

import base64
import re
import secrets
from dataclasses import dataclass

import msgspec

from tacit.core.errors import BadInput
from tacit.node.network.addresses import good_addresses

PREFIX = "tacit1:"
_ALLOWED = "the whole line that tacit node invite printed"
_ID = re.compile(r"[0-9a-f]{64}")


class Ticket(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What an invitation says."""

    id: str
    addresses: tuple[str, ...]
    secret: str


def new_secret() -> str:
    """128 random bits as text."""
    return secrets.token_hex(16)


def write_ticket(ticket: Ticket) -> str:
    """The line to hand over."""
    text = base64.b32encode(msgspec.msgpack.encode(ticket)).decode().rstrip("=").lower()
    return PREFIX + text


def read_ticket(text: str) -> Ticket:
    """What a line says, or BadInput; nothing of the secret is repeated."""
    line = "".join(text.split())
    if not line.startswith(PREFIX):
        raise BadInput("ticket", got="no invitation of tacit", allowed=_ALLOWED)
    body = line.removeprefix(PREFIX).upper()
    try:
        ticket = msgspec.msgpack.decode(base64.b32decode(body + "=" * (-len(body) % 8)), type=Ticket)
    except (ValueError, msgspec.MsgspecError):
        raise BadInput("ticket", got="a damaged invitation", allowed=_ALLOWED) from None
    if not is_id(ticket.id) or not re.fullmatch(r"[0-9a-f]{32}", ticket.secret):
        raise BadInput("ticket", got="a damaged invitation", allowed=_ALLOWED)
    return Ticket(ticket.id, good_addresses(ticket.addresses), ticket.secret)


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
        from tacit.node.network.iroh_binding import load_iroh

        secret = secrets.token_bytes(32)
        return cls(secret, str(load_iroh().SecretKey.from_bytes(secret).public()))
