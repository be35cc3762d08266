"""The peers a node knows and the invitations it made, in the store."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from hashlib import blake2b

import msgspec

from tacit.node.store.database import Store
from tacit.node.store.records import Invitation, Peer

VALID = 7 * 86_400.0
"""Seconds that an invitation is valid."""
_COLUMNS = ", ".join(f.name for f in fields(Peer))


class Contacts:
    """Peers and invitations of one node."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def peers(self) -> list[Peer]:
        """All peers, sorted by id."""
        return [_peer(row) for row in self._store.read(f"SELECT {_COLUMNS} FROM peers ORDER BY id")]

    def peer(self, peer: str) -> Peer | None:
        """One peer, or None."""
        found = self._store.read(f"SELECT {_COLUMNS} FROM peers WHERE id = ?", peer)
        return _peer(found[0]) if found else None

    def save(self, peer: Peer) -> None:
        """Add or change a peer."""
        values = [getattr(peer, f.name) for f in fields(Peer)]
        values[2] = msgspec.json.encode(peer.addresses).decode()
        marks = ", ".join("?" * len(values))
        self._store.write(f"INSERT OR REPLACE INTO peers ({_COLUMNS}) VALUES ({marks})", *values)

    def touch(self, peer: Peer) -> None:
        """Store what was heard from a peer; a peer that was removed meanwhile stays removed."""
        self._store.write(
            "UPDATE peers SET last_seen = ?, score = ?, sequence = ?, problem = ? WHERE id = ?",
            peer.last_seen, peer.score, peer.sequence, peer.problem, peer.id,
        )  # fmt: skip

    def remove(self, peer: str) -> None:
        """Forget a peer."""
        self._store.write("DELETE FROM peers WHERE id = ?", peer)

    def block(self, peer: str, now: float) -> None:
        """Remove a peer for good: invitations that it used are burnt, and none made until now lets it in again."""
        with self._store.transaction():
            self.remove(peer)
            self._store.write("UPDATE invitations SET expires = 0 WHERE instr(used_by, ?)", peer)
            self._store.set(blocked={**self.blocked(), peer: now})

    def unblock(self, peer: str) -> None:
        """Let a peer in again, which this node's owner joins or invited anew."""
        with self._store.transaction():
            self._store.set(blocked={name: at for name, at in self.blocked().items() if name != peer})

    def blocked(self) -> dict[str, float]:
        """Ids that were removed, and since when."""
        return dict(self._store.setting("blocked", {}))

    def relays(self) -> frozenset[str]:
        """Relays that this node contacts: its own (empty: those of iroh), and those of accepted invitations."""
        return frozenset({self._store.setting("relay", ""), *self._store.setting("relays", [])})

    def trust(self, relays: Iterable[str]) -> None:
        """Contact these relays, too, from now on: an invitation names them that this node's owner accepted."""
        with self._store.transaction():
            self._store.set(relays=sorted({*self._store.setting("relays", []), *relays}))

    def invite(self, secret: str, expires: float, uses: int = 1, made: float | None = None) -> None:
        """Remember an invitation by the hash of its secret; made VALID seconds before it expires, unless told."""
        self._store.write(
            "INSERT INTO invitations (secret, expires, uses, made) VALUES (?, ?, ?, ?)",
            _hashed(secret), expires, uses, expires - VALID if made is None else made,
        )  # fmt: skip

    def burn(self, secret: str) -> None:
        """End an invitation."""
        self._store.write("UPDATE invitations SET expires = 0 WHERE secret = ?", _hashed(secret))

    def invitation(self, secret: str, now: float) -> Invitation | None:
        """An invitation that works; None for any other."""
        found = self._store.read(
            "SELECT expires, uses, used_by FROM invitations WHERE secret = ?", _hashed(secret)
        )
        for expires, uses, used_by in found:
            if now <= expires and len(used_by.split()) < uses:
                return Invitation(expires, uses, len(used_by.split()))
        return None

    def accept(self, secret: str, peer: str, now: float) -> str:
        """Let a peer use an invitation; the reason why not, or an empty text. The same peer may repeat it in time."""
        with self._store.transaction():
            found = self._store.read(
                "SELECT expires, used_by, uses, made FROM invitations WHERE secret = ?", _hashed(secret)
            )
            if not found:
                return "invitation: not one of this node's; ask for a new one"
            expires, used_by, uses, made = found[0]
            used = used_by.split()
            if peer not in used and len(used) >= uses:
                works = "each works for one node" if uses == 1 else f"it worked for {uses} nodes"
                return f"invitation: used already, {works}; ask for a new one"
            if now > expires:
                return "invitation: expired; ask for a new one"
            blocked = self.blocked()
            if peer in blocked:
                if made <= blocked[peer]:
                    return "invitation: made before this node was removed; ask for a new one"
                self.unblock(peer)
            if peer not in used:
                now_used = " ".join([*used, peer])
                self._store.write(
                    "UPDATE invitations SET used_by = ? WHERE secret = ?", now_used, _hashed(secret)
                )
            return ""


def _hashed(secret: str) -> str:
    return blake2b(secret.encode(), digest_size=32).hexdigest()


def _peer(row: tuple[object, ...]) -> Peer:
    values = dict(zip((f.name for f in fields(Peer)), row, strict=True))
    values["addresses"] = tuple(msgspec.json.decode(str(values["addresses"])))
    return Peer(**{**values, "allowed": bool(values["allowed"]), "open": bool(values["open"])})  # type: ignore[arg-type]
