"""Signatures and encryption of a circle, from the library `cryptography`: Ed25519 and AES-SIV.

AES-SIV needs no nonce: the same part under the same key has the same bytes. So an unchanged part keeps its hash and
does not travel again.
"""

from __future__ import annotations

import secrets
import zlib
from hashlib import blake2b
from typing import Any

import msgspec

from tacit.core.errors import BadInput, BadMessage
from tacit.node.network.circle_messages import ID, Signed
from tacit.node.network.invitations import INSTALL
from tacit.node.receive_limits import MAX_PART

KEY = 64
"""Bytes of a circle's key."""


def new_key() -> bytes:
    """A fresh key."""
    return secrets.token_bytes(KEY)


def new_id() -> bytes:
    """The id of a new circle."""
    return secrets.token_bytes(ID)


def hashed(data: bytes, purpose: str) -> bytes:
    """A hash that means one thing only."""
    return blake2b(data, digest_size=ID, person=f"tacit {purpose}"[:16].encode()).digest()


def sign(secret: bytes, purpose: str, record: msgspec.Struct) -> Signed:
    """A record with the signature of the node that has this secret."""
    ed25519 = _ed25519()
    body = msgspec.msgpack.encode(record)
    key = ed25519.Ed25519PrivateKey.from_private_bytes(secret)
    return Signed(body, key.sign(_said(purpose, body)))


def is_signed(signed: Signed, purpose: str, by: str) -> bool:
    """Whether the node of this id signed it for this purpose."""
    from cryptography.exceptions import InvalidSignature

    key = _ed25519().Ed25519PublicKey.from_public_bytes(bytes.fromhex(by))
    try:
        key.verify(signed.signature, _said(purpose, signed.body))
    except InvalidSignature:
        return False
    return True


def seal(key: bytes, data: bytes, about: bytes) -> bytes:
    """Compress and encrypt; `about` must be the same to read it."""
    return bytes(_siv(key).encrypt(zlib.compress(data, 9), [about]))


def unseal(key: bytes, sealed: bytes, about: bytes) -> bytes:
    """What was sealed, or BadMessage."""
    from cryptography.exceptions import InvalidTag

    try:
        packed = _siv(key).decrypt(sealed, [about])
    except (InvalidTag, ValueError):
        raise BadMessage("circle: got a part that the circle's key does not open") from None
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(packed, 4 * MAX_PART)
    except zlib.error:
        raise BadMessage("circle: got a part of another form") from None
    if unpacker.unconsumed_tail:
        raise BadMessage("circle: got a part that is too long")
    return data


def _said(purpose: str, body: bytes) -> bytes:
    return f"tacit circle {purpose} 1|".encode() + body


def _siv(key: bytes) -> Any:
    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    return AESSIV(key)


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        raise BadInput(f"a circle needs the library cryptography: {INSTALL}") from None
    return ed25519
