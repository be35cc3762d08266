"""A member's list as it travels: a signed head that names its parts by hash, and the encrypted parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import msgspec

from tacit.core.errors import BadMessage
from tacit.node.catalogue.item_keys import display_title, row_id
from tacit.node.circle import keys
from tacit.node.circle.likes import OpenList, received_likes
from tacit.node.network.circle_messages import Card, Head, Signed, Stamp, read
from tacit.node.network.wire import plain
from tacit.node.receive_limits import PARTS

Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class SealedParts:
    """The encrypted parts of a list, by hash, and their hashes in order."""

    hashes: tuple[bytes, ...]
    data: dict[bytes, bytes]

    @property
    def size(self) -> int:
        """Bytes of all parts."""
        return sum(map(len, self.data.values()))


def seal_parts(circle: bytes, member: str, key: bytes, likes: OpenList, card: Card) -> SealedParts:
    """Encrypt a list. A title goes into a part by its row; its name travels only where the key does not give it."""
    piles: list[Pairs] = [[] for _ in range(PARTS)]
    for name, title in sorted(likes.titles.items()):
        piles[row_id(name) % PARTS].append((name, "" if title == display_title(name) else title))
    bodies = [*(msgspec.msgpack.encode(pile) for pile in piles), msgspec.msgpack.encode(card)]
    sealed = [keys.seal(key, body, _about(circle, member, n)) for n, body in enumerate(bodies)]
    hashes = tuple(part_hash(part) for part in sealed)
    return SealedParts(hashes, dict(zip(hashes, sealed, strict=True)))


def part_hash(part: bytes) -> bytes:
    """The name of an encrypted part."""
    return keys.hashed(part, "part")


def sign_head(secret: bytes, head: Head) -> Signed:
    """A head with its member's signature."""
    return keys.sign(secret, "list", head)


def read_head(signed: Signed) -> Head:
    """A head that its member signed, or BadMessage."""
    head = read(signed.body, Head)
    if not keys.is_signed(signed, "list", head.member):
        raise BadMessage("circle: got a list that its member did not sign")
    return head


def stamp_of(signed: Signed, head: Head) -> Stamp:
    """What says which of two lists of a member is newer."""
    return head.joined, head.version, keys.hashed(signed.body, "stamp")[:8]


def open_list(head: Head, key: bytes, part: Callable[[bytes], bytes]) -> tuple[OpenList, Card]:
    """Decrypt a list whose parts are all here."""
    opened = [
        keys.unseal(key, part(name), _about(head.circle, head.member, n)) for n, name in enumerate(head.parts)
    ]
    pairs = [pair for body in opened[:PARTS] for pair in read(body, Pairs)]
    if len(pairs) != head.titles:
        raise BadMessage(f"circle: got {len(pairs)} titles; its head says {head.titles}")
    card = read(opened[PARTS], Card)
    return received_likes(pairs), msgspec.structs.replace(card, name=plain(card.name))


def _about(circle: bytes, member: str, number: int) -> bytes:
    return circle + bytes.fromhex(member) + bytes([number])
