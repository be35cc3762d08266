"""The wire format: messages to bytes and back. Sizes, order, numbers and texts of received ones are checked.

"TACL" | version u8 | kind u8 | checksum 8 bytes | body
HELLO, WELCOME      msgpack: what must be agreed on, name, addresses, whether open, the secret of an invitation
UPDATE              agreement 8 bytes | sequence u64 | rows u32 | names rows x u64, ascending | update (`codec`)
EXCHANGE, ANSWER    msgpack: some peers, some keys of the catalogue
OK, LATER           nothing
REFUSED             msgpack: why
SHARE, ASK, AGREED, CATALOGUE, WANTED    msgpack: see `sum_wire`
SYNC                msgpack: see `circle_messages`
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from enum import IntEnum
from hashlib import blake2b
from typing import Annotated, TypeVar

import msgspec
import numpy as np
from msgspec import Meta

from tacit.core.errors import BadMessage
from tacit.core.message import codec
from tacit.core.message.update import Update
from tacit.node.catalogue.row_index import Hashes
from tacit.node.catalogue.title_normalization import strip_unsafe
from tacit.node.network.addresses import MAX_ADDRESSES, MAX_LENGTH
from tacit.node.network.circle_messages import Sync
from tacit.node.push_sum.sum_wire import Agreed, Ask, Catalogue, Share, Wanted
from tacit.node.receive_limits import MAX_KEYS, MAX_MESSAGE, MAX_NEW_ROWS, MAX_VIEW, MAX_WHISPERS

VERSION = 1
_HEAD = struct.Struct("<4sBB8s")
_UPDATE = struct.Struct("<8sQI")
_MAGIC = b"TACL"

Address = Annotated[str, Meta(max_length=MAX_LENGTH)]
Addresses = Annotated[list[Address], Meta(max_length=MAX_ADDRESSES)]
Id = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Kind(IntEnum):
    """What a message is."""

    HELLO = 1
    WELCOME = 2
    UPDATE = 3
    EXCHANGE = 4
    ANSWER = 5
    OK = 6
    REFUSED = 7
    SHARE = 8
    ASK = 9
    AGREED = 10
    CATALOGUE = 11
    WANTED = 12
    LATER = 13
    SYNC = 14


class Hello(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A greeting: who a node is and what it needs to agree on."""

    agreement: Annotated[str, Meta(max_length=1000)]
    name: Annotated[str, Meta(max_length=32)] = ""
    addresses: Addresses = []
    open: bool = False
    secret: Annotated[str, Meta(max_length=64)] = ""


class PeerDescriptor(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """An open peer as named to others; `age` counts how often it was passed on."""

    id: Id
    addresses: Addresses
    age: Annotated[int, Meta(ge=0, le=2**31)]


class Exchange(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Peers and item keys that a node knows."""

    peers: Annotated[list[PeerDescriptor], Meta(max_length=MAX_VIEW + 1)] = []
    keys: Annotated[list[str], Meta(max_length=MAX_KEYS)] = []
    whispered: Annotated[list[str], Meta(max_length=MAX_WHISPERS)] = []
    """Keys to pass on to one other node, or to make public (`whispers`)."""


class Refusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a message was not taken."""

    why: Annotated[str, Meta(max_length=2000)]


@dataclass(frozen=True, slots=True)
class NamedUpdate:
    """A model whose rows have names."""

    agreement: bytes
    sequence: int
    names: Hashes
    update: Update


Small = Hello | Exchange | Refusal | Share | Ask | Agreed | Catalogue | Wanted | Sync
Body = Small | NamedUpdate | None
_BODY: dict[Kind, type[Small]] = {
    Kind.HELLO: Hello,
    Kind.WELCOME: Hello,
    Kind.EXCHANGE: Exchange,
    Kind.ANSWER: Exchange,
    Kind.REFUSED: Refusal,
    Kind.SHARE: Share,
    Kind.ASK: Ask,
    Kind.AGREED: Agreed,
    Kind.CATALOGUE: Catalogue,
    Kind.WANTED: Wanted,
    Kind.SYNC: Sync,
}
T = TypeVar("T")


def pack(kind: Kind, body: Small | None = None) -> bytes:
    """A message, but for models."""
    return _framed(kind, b"" if body is None else msgspec.msgpack.encode(body))


def pack_update(agreement: bytes, sequence: int, names: Hashes, update: Update) -> bytes:
    """A model; `update` comes from the one door, `names` belong to its rows."""
    head = _UPDATE.pack(agreement, sequence, len(names))
    return _framed(Kind.UPDATE, head + names.astype("<u8").tobytes() + codec.encode(update))


def refuse(why: str) -> bytes:
    """An answer that says why not."""
    return pack(Kind.REFUSED, Refusal(why[:2000]))


def unpack(data: bytes) -> tuple[Kind, Body]:
    """What some bytes from outside say, or BadMessage."""
    if len(data) > MAX_MESSAGE:
        raise BadMessage(f"message: got {len(data)} bytes; allowed: up to {MAX_MESSAGE}")
    if len(data) < _HEAD.size:
        raise BadMessage(f"message: got {len(data)} bytes; allowed: at least {_HEAD.size}")
    magic, version, number, checksum = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise BadMessage("message: got something that is not of a tacit node")
    if version != VERSION:
        raise BadMessage(
            f"message version: got {version}; allowed: {VERSION}, both nodes need the same tacit"
        )
    try:
        kind = Kind(number)
    except ValueError:
        raise BadMessage(f"message kind: got {number}; allowed: 1 to {max(Kind)}") from None
    if checksum != _checksum(kind, data[_HEAD.size :]):
        raise BadMessage("message: got one that was damaged or cut short")
    if kind is Kind.UPDATE:
        return kind, _unpack_update(data)
    if kind in (Kind.OK, Kind.LATER):
        if len(data) != _HEAD.size:
            raise BadMessage("message: got bytes after its end")
        return kind, None
    try:
        return kind, msgspec.msgpack.decode(data[_HEAD.size :], type=_BODY[kind])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadMessage(f"message {kind.name.lower()}: got a body of another form") from None


def _unpack_update(data: bytes) -> NamedUpdate:
    start = _HEAD.size + _UPDATE.size
    if len(data) < start:
        raise BadMessage("message update: got less than its head")
    agreement, sequence, count = _UPDATE.unpack_from(data, _HEAD.size)
    if count > MAX_NEW_ROWS or len(data) < start + 8 * count:
        raise BadMessage(
            f"message rows: got {count}; allowed: up to {MAX_NEW_ROWS}, and as many as there are bytes for"
        )
    if not 0 < sequence < 2**63:
        raise BadMessage("message sequence: got a number out of range")
    names = np.frombuffer(data, "<u8", count, start).astype(np.uint64)
    if np.any(names[1:] <= names[:-1]):
        raise BadMessage("message names: got rows out of order or twice; allowed: ascending")
    update = codec.decode(data[start + 8 * count :])
    if update.items != count or update.index is not None:
        raise BadMessage(f"message rows: got {update.items} rows for {count} names")
    return NamedUpdate(agreement, sequence, names, update)


def _framed(kind: Kind, body: bytes) -> bytes:
    return _HEAD.pack(_MAGIC, VERSION, kind, _checksum(kind, body)) + body


def _checksum(kind: Kind, body: bytes) -> bytes:
    return blake2b(body, digest_size=8, key=bytes([kind])).digest()


def plain(text: str, length: int = 300) -> str:
    """A text from somebody else, safe to show on one line."""
    return strip_unsafe(" ".join(text.split()))[:length]
