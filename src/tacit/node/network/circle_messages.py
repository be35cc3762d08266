"""What members of a circle send each other: a signed roster, signed lists, and messages that compare and carry them.

A list travels as a head and parts. The head names every part by its hash, so that only parts that changed travel.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from tacit.core.errors import BadMessage
from tacit.node.receive_limits import (
    MAX_BRANCHES,
    MAX_CIRCLE,
    MAX_GONE,
    MAX_LIST_VERSION,
    MAX_PART,
    MAX_TITLES,
    MAX_WANTED,
    PARTS,
)

ID = 16
"""Bytes of a circle's id and of a part's hash."""
Bytes16 = Annotated[bytes, Meta(min_length=ID, max_length=ID)]
Bytes32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
Key = Annotated[bytes, Meta(min_length=64, max_length=64)]
Member = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
Count = Annotated[int, Meta(ge=0, le=MAX_LIST_VERSION)]
Name = Annotated[str, Meta(max_length=32)]
Mark = Annotated[bytes, Meta(max_length=8)]
"""The beginning of a hash: tells two records with one version apart."""
Stamp = tuple[Count, Count, Mark]
"""Which list of a member is newer: number of the membership, version, hash of the head."""
RosterStamp = tuple[Count, Mark]
"""Which roster: version, hash."""


class Signed(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Some bytes and who vouches for them."""

    body: Annotated[bytes, Meta(max_length=32 * 1024)]
    signature: Signature


class Gone(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The end of a membership."""

    id: Member
    name: Name
    left: bool
    """By their own will; otherwise the host removed them."""
    joined: Count
    """Number of the membership that ended."""


class Roster(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The members of a circle. The host signs it; one that knows all that another one knows replaces it."""

    circle: Bytes16
    name: Name
    host: Member
    version: Count
    generation: Count
    """Number of the circle's key: one more whenever somebody goes."""
    key_check: Bytes16
    """Hash of that key."""
    members: Annotated[dict[Member, Count], Meta(max_length=MAX_CIRCLE)]
    """And the number of each membership: the version of the roster that let them in, the last time."""
    gone: Annotated[tuple[Gone, ...], Meta(max_length=MAX_GONE)] = ()
    """In this order. A removal stays here when the host lets that person in again: this roster knows of it."""
    since: Count = MAX_LIST_VERSION
    """It replaces all rosters of lower versions than this one and its own: what they knew may be missing here."""


class Head(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A member's list without its contents. The member signs it; a newer version replaces an older one."""

    circle: Bytes16
    member: Member
    joined: Count
    """Number of the membership. A list of an earlier one counts for nothing: somebody may leave and come back."""
    version: Count
    key_check: Bytes16
    """Hash of the key that the parts are encrypted with."""
    titles: Annotated[int, Meta(ge=0, le=MAX_TITLES)]
    """How many titles are in it: a list with fewer than before is always taken."""
    parts: Annotated[tuple[Bytes16, ...], Meta(min_length=PARTS + 1, max_length=PARTS + 1)]
    """Hashes of the encrypted parts: titles by their row, then the card."""
    left: bool = False


class Card(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The last part of a list: who and where."""

    name: Name = ""
    named: bool = False
    """Whether others may say the name beside a suggestion."""
    addresses: Annotated[tuple[Annotated[str, Meta(max_length=120)], ...], Meta(max_length=16)] = ()


class Sync(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a member has, what it wants, and what it thinks the other lacks."""

    circle: Annotated[bytes, Meta(max_length=ID)] = b""
    """Empty while a newcomer does not know it."""
    digest: Annotated[bytes, Meta(max_length=8)] = b""
    """Of all versions: equal digests need no more words."""
    rosters: Annotated[tuple[RosterStamp, ...], Meta(max_length=MAX_BRANCHES)] = ()
    """Of the sender; several where they do not know of each other."""
    has_key: bool = False
    """Whether the sender has the key that follows from them."""
    versions: Annotated[dict[Bytes32, Stamp], Meta(max_length=MAX_CIRCLE)] | None = None
    """Of the lists that the sender has, by member; None: only the digest is compared."""
    signed_rosters: Annotated[list[Signed], Meta(max_length=MAX_BRANCHES)] = []
    key: Key | None = None
    """The circle's key."""
    heads: Annotated[list[Signed], Meta(max_length=MAX_CIRCLE)] = []
    want: Annotated[list[Bytes16], Meta(max_length=MAX_WANTED)] = []
    parts: Annotated[list[Annotated[bytes, Meta(max_length=MAX_PART)]], Meta(max_length=MAX_WANTED)] = []

    def has(self) -> dict[str, Stamp]:
        """Stamps of the lists that the sender has, by member id."""
        return {member.hex(): stamp for member, stamp in (self.versions or {}).items()}

    @property
    def carries(self) -> bool:
        """Whether there is more in it than versions."""
        return bool(self.signed_rosters or self.key or self.heads or self.want or self.parts)


T = TypeVar("T")


def read(data: bytes, kind: type[T]) -> T:
    """Some bytes as one of these records, or BadMessage."""
    try:
        return msgspec.msgpack.decode(data, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise BadMessage(f"circle: got a {kind.__name__.lower()} of another form") from None
