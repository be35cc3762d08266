"""Rosters that do not know of each other, and what follows from all of them. Pure functions.

    newest(rosters)            the signed ones that no other is later than
    is_before(stamp, signed)   whether a roster is earlier than another
    before(rosters)            what the next roster names as earlier
    united(rosters)            who is in the circle according to all of them, and which key is safe

One host signs all rosters, one after the other. But if the host's folder is put back from an old copy, it goes on from
an earlier roster, and there are two branches. Each may know of a removal that the other does not know of. So nobody
chooses between them: everybody keeps both and acts on what follows from both, until the host signs one later than both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from tacit.node.circle.keys import hashed
from tacit.node.network.circle_messages import ID, Gone, Roster, RosterStamp, Signed, read
from tacit.node.receive_limits import MAX_BEFORE, MAX_BRANCHES, MAX_CIRCLE

NO_KEY = bytes(ID)
"""Stands for the hash of a key where no key is safe. No key has it."""
_End = tuple[str, int, bool]
"""The end of a membership: whose, its number, and whether they left by their own will."""


def stamp_of_roster(signed: Signed) -> RosterStamp:
    """Version and hash of a roster."""
    return read(signed.body, Roster).version, hashed(signed.body, "stamp")[:8]


def is_before(stamp: RosterStamp, signed: Signed) -> bool:
    """Whether the roster with this stamp is earlier than another: named by it, or older than all that it names."""
    roster = read(signed.body, Roster)
    oldest = roster.before[-1][0] if roster.before else roster.version
    # Without the first condition, two rosters of a host that lies could each be earlier than the other.
    return stamp < stamp_of_roster(signed) and (stamp[0] < oldest or stamp in roster.before)


def newest(rosters: Iterable[Signed]) -> tuple[Signed, ...]:
    """Those that no other is later than, the highest first."""
    known = {stamp_of_roster(one): one for one in rosters}
    latest = [stamp for stamp in known if not any(is_before(stamp, one) for one in known.values())]
    return tuple(known[stamp] for stamp in sorted(latest, reverse=True)[:MAX_BRANCHES])


def before(rosters: Sequence[Signed]) -> tuple[RosterStamp, ...]:
    """What a roster that follows these names as earlier: all rosters of the newest versions, and none of any other."""
    stamps = {stamp for one in rosters for stamp in (stamp_of_roster(one), *read(one.body, Roster).before)}
    ordered = sorted(stamps, reverse=True)
    left_out = ordered[MAX_BEFORE][0] if len(ordered) > MAX_BEFORE else -1
    return tuple(stamp for stamp in ordered if stamp[0] > left_out)


def united(rosters: Sequence[Roster]) -> Roster:
    """What follows from all of these, the highest first.

    - Everybody is a member whom any roster has, unless another one ended that membership. A removal ends every
      membership that was given without knowing of it: an old copy of the host's folder may still take an old link. A
      goodbye ends the membership that it belongs to and those before.
    - The key is that of a roster which knows how everybody went who is not a member: it was made after that. Where none
      knows of all, each key may be known to somebody who is gone, and there is none.
    """
    first = rosters[0]
    if len(rosters) == 1:
        return first
    known = [{_end(gone): gone for gone in roster.gone} for roster in rosters]
    ends = {end: gone for knows in reversed(known) for end, gone in knows.items()}
    ends_of: dict[str, list[_End]] = {}
    for end in ends:
        ends_of.setdefault(end[0], []).append(end)
    found: dict[str, int] = {}
    for roster, knows in zip(rosters, known, strict=True):
        for member, number in roster.members.items():
            if not any(number <= end[1] if end[2] else end not in knows for end in ends_of.get(member, ())):
                found[member] = max(number, found.get(member, 0))
    members = dict(sorted(found.items(), key=lambda one: (one[1], one[0]))[:MAX_CIRCLE])
    went = {end for end in ends if end[0] not in members}
    safe = [roster.key_check for roster, knows in zip(rosters, known, strict=True) if went <= knows.keys()]
    return msgspec.structs.replace(
        first,
        generation=max(roster.generation for roster in rosters),
        key_check=safe[0] if safe else NO_KEY,
        members=members,
        gone=tuple(ends.values()),
    )


def departed(roster: Roster) -> list[Gone]:
    """How everybody went who was a member: the last time."""
    return list({gone.id: gone for gone in roster.gone if gone.id not in roster.members}.values())


def _end(gone: Gone) -> _End:
    return gone.id, gone.joined, gone.left
