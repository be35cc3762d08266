"""Rosters that do not know of each other, and what follows from all of them. Pure functions.

    newest(rosters)       the signed ones of which no other knows all
    knows(later, other)   whether a roster knows of all admissions and ends of memberships that another one knows of
    united(rosters)       who is in the circle according to all of them, and which key is safe

One host signs all rosters, one after the other, and each knows all that those before knew. But the host's folder can
be put back from an old copy. Then it goes on from an earlier roster, and there are two branches. Each may know of a
removal that the other does not know of. So nobody chooses between them. Everybody keeps both and acts on what follows
from both, until the host signs one that knows all. Versions do not decide, as a member can make them grow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import msgspec

from tacit.node.circle.keys import hashed
from tacit.node.network.circle_messages import ID, Gone, Roster, RosterStamp, Signed, read
from tacit.node.receive_limits import MAX_BRANCHES, MAX_CIRCLE

NO_KEY = bytes(ID)
"""Stands for the hash of a key where no key is safe. No key has it."""
_End = tuple[str, int, bool]
"""The end of a membership: whose, its number, and whether they left by their own will."""


def stamp_of_roster(signed: Signed) -> RosterStamp:
    """Version and hash of a roster."""
    return read(signed.body, Roster).version, hashed(signed.body, "stamp")[:8]


def newest(rosters: Iterable[Signed]) -> tuple[Signed, ...]:
    """Those of which no other knows all, the highest first. Of two that know the same, the higher one."""
    signed = {stamp_of_roster(one): one for one in rosters}
    known = {stamp: read(signed[stamp].body, Roster) for stamp in sorted(signed, reverse=True)}
    kept: list[RosterStamp] = []
    for stamp, roster in known.items():
        if not any(knows(known[one], roster) for one in kept):
            kept = [*(one for one in kept if not knows(roster, known[one])), stamp]
    return tuple(signed[stamp] for stamp in kept[:MAX_BRANCHES])


def knows(later: Roster, other: Roster) -> bool:
    """Whether a roster knows of all admissions and ends of memberships that another one knows of."""
    if other.version < min(later.since, later.version):
        return True
    ends, theirs = {_end(gone) for gone in later.gone}, {_end(gone) for gone in other.gone}
    of = _by_member(ends)
    return all(
        later.members.get(member, 0) >= number or _is_over(member, number, of, theirs)
        for member, number in other.members.items()
    ) and all(
        end in ends
        or (end[2] and (later.members.get(end[0], 0) > end[1] or _is_over(end[0], end[1], of, theirs)))
        for end in theirs
    )


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
    gone = {end: one for ends in reversed(known) for end, one in ends.items()}
    of, found = _by_member(gone), dict[str, int]()
    for roster, ends in zip(rosters, known, strict=True):
        for member, number in roster.members.items():
            if not _is_over(member, number, of, ends):
                found[member] = max(number, found.get(member, 0))
    ordered = sorted(found.items(), key=lambda one: (one[1], one[0]))
    for member, number in ordered[MAX_CIRCLE:]:  # They may come back when there is room.
        gone[member, number, True] = Gone(member, "", True, number)
    members = dict(ordered[:MAX_CIRCLE])
    went = {end for end in gone if end[0] not in members}
    safe = [roster.key_check for roster, ends in zip(rosters, known, strict=True) if went <= ends.keys()]
    return msgspec.structs.replace(
        first,
        generation=max(roster.generation for roster in rosters),
        key_check=safe[0] if safe else NO_KEY,
        members=members,
        gone=tuple(gone.values()),
        since=max(roster.since for roster in rosters),
    )


def departed(roster: Roster) -> list[Gone]:
    """How everybody went who was a member: the last time."""
    return list({gone.id: gone for gone in roster.gone if gone.id not in roster.members}.values())


def _is_over(member: str, number: int, ends: dict[str, list[_End]], known: Collection[_End]) -> bool:
    """Whether one of these ends is that of a membership which was given where some ends were known."""
    return any(number <= end[1] if end[2] else end not in known for end in ends.get(member, ()))


def _by_member(ends: Iterable[_End]) -> dict[str, list[_End]]:
    found: dict[str, list[_End]] = {}
    for end in ends:
        found.setdefault(end[0], []).append(end)
    return found


def _end(gone: Gone) -> _End:
    return gone.id, gone.joined, gone.left
