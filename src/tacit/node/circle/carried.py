"""How many titles a message carries: for the ledger."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.node.catalogue.item_keys import row_id
from tacit.node.circle.replica import Replica
from tacit.node.circle.sealed_list import part_hash
from tacit.node.receive_limits import PARTS


def count_titles(replica: Replica, parts: Iterable[bytes]) -> tuple[int, int]:
    """Titles in some parts of lists, as far as they can be read here, and how many of them are the own list's."""
    names = {part_hash(part) for part in parts}
    total = own = 0
    for member in replica.lists.versions():
        found, hashes = replica.list_of(member), replica.hashes_of(member)
        if found is None:
            continue
        inside = {number for number, name in enumerate(hashes) if name in names}
        count = sum(row_id(key) % PARTS in inside for key in found[0].titles)
        total += count
        own += count if member == replica.me else 0
    return total, own
