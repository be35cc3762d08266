"""What nodes that exchange sums say to each other, beside hellos and keys (`wire` frames and checks it).

SHARE       half of a node's sums, for an epoch          answer: OK, WANTED, LATER, REFUSED
ASK         masks for an epoch, between the two           answer: AGREED, WANTED, LATER, REFUSED
CATALOGUE   the rows of an epoch, by name                 answer: OK, REFUSED

REFUSED means that nothing was taken. LATER means that it may have been taken: ask again. WANTED means that the epoch's
catalogue is not known.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Annotated, NamedTuple

import msgspec
import numpy as np
from msgspec import Meta

from tacit.core.errors import BadMessage
from tacit.node.catalogue.row_index import Hashes
from tacit.node.receive_limits import MAX_CATALOGUE

PART, DIGEST = 32, 16
_LAST = 2**31
Agreement = Annotated[bytes, Meta(min_length=8, max_length=8)]
Digest = Annotated[bytes, Meta(min_length=DIGEST, max_length=DIGEST)]
Part = Annotated[bytes, Meta(min_length=PART, max_length=PART)]


class Epoch(NamedTuple):
    """Which epoch; of two the greater is the later one, so that of two catalogues for one number the larger stays."""

    number: int
    size: int
    """Rows in its catalogue."""
    digest: bytes
    """Stands for the catalogue."""

    @classmethod
    def of(cls, number: int, names: Hashes) -> Epoch:
        """An epoch over the rows `names`, ascending."""
        return cls(number, len(names), blake2b(names.astype("<u8").tobytes(), digest_size=DIGEST).digest())


NO_EPOCH = Epoch(-1, 0, b"")


class _InEpoch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    agreement: Agreement
    number: Annotated[int, Meta(ge=0, lt=_LAST)]
    size: Annotated[int, Meta(ge=0, le=MAX_CATALOGUE)]
    catalogue: Digest
    good: Annotated[int, Meta(ge=-1, lt=_LAST)]
    """The sender's last epoch with a good read-out."""

    @property
    def epoch(self) -> Epoch:
        """Which one."""
        return Epoch(self.number, self.size, self.catalogue)


class Share(_InEpoch, frozen=True, forbid_unknown_fields=True):
    """Half of a node's sums."""

    transfer: Annotated[int, Meta(gt=0, lt=2**62)]
    """Counts the sender's shares; the same one again has the same number."""
    update: bytes


class Ask(_InEpoch, frozen=True, forbid_unknown_fields=True):
    """Shall we mask each other?"""

    able: bool
    """Whether the asker will put data of its own into this epoch, if masks allow it."""
    part: Part
    """The asker's part of the secret."""


class Agreed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Yes."""

    good: Annotated[int, Meta(ge=-1, lt=_LAST)]
    able: bool
    part: Part


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rows of an epoch."""

    agreement: Agreement
    names: Annotated[bytes, Meta(max_length=8 * MAX_CATALOGUE)]

    def rows(self) -> Hashes:
        """Their names, ascending."""
        if len(self.names) % 8:
            raise BadMessage("catalogue: got bytes that are no names of rows")
        names = np.frombuffer(self.names, "<u8").astype(np.uint64)
        if np.any(names[1:] <= names[:-1]):
            raise BadMessage("catalogue: got rows out of order or twice; allowed: ascending")
        return names


class Wanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which catalogue is not known."""

    catalogue: Digest
