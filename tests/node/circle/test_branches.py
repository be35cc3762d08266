from __future__ import annotations

import msgspec
import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.branches import NO_KEY, before, departed, is_before, newest, stamp_of_roster, united
from tacit.node.network.circle_messages import Gone, Roster, Signed, read
from tacit.node.receive_limits import MAX_BEFORE, MAX_BRANCHES, MAX_CIRCLE

HOST, BO, CY, DI = (f"{n:064x}" for n in range(4))


def roster(
    version: int, *, key: int = 1, members: dict[str, int] | None = None, gone: tuple[Gone, ...] = ()
) -> Roster:
    inside = {HOST: 1} if members is None else {HOST: 1, **members}
    return Roster(b"c" * 16, "Friends", HOST, version, key, bytes([key] * 16), inside, gone)


def signed(one: Roster, *earlier: Signed) -> Signed:
    """What a host would sign after these; nobody checks the signature here."""
    return Signed(msgspec.msgpack.encode(msgspec.structs.replace(one, before=before(earlier))), b"s" * 64)


def chain(start: int, length: int, *earlier: Signed, key: int = 1) -> list[Signed]:
    made = list(earlier)
    for version in range(start, start + length):
        made.append(signed(roster(version, key=key), *made[-1:]))
    return made[len(earlier) :]


def removed(member: str, joined: int) -> Gone:
    return Gone(member, "", False, joined)


def left(member: str, joined: int) -> Gone:
    return Gone(member, "", True, joined)


def test_of_a_chain_the_last_one_counts_in_any_order() -> None:
    made = chain(1, 200)
    assert newest(made) == newest(made[::-1]) == (made[-1],)
    assert len(before(made[-1:])) == MAX_BEFORE
    assert before(made[-1:])[0] == stamp_of_roster(made[-1])
    assert is_before(stamp_of_roster(made[3]), made[-1])  # older than all that are named
    assert not is_before(stamp_of_roster(made[-1]), made[3])
    assert not is_before(stamp_of_roster(made[3]), made[3])


def test_rosters_after_one_that_do_not_know_of_each_other_all_count() -> None:
    trunk = chain(1, 5)
    one, two = chain(6, 3, trunk[-1]), chain(6, 7, trunk[-1], key=2)
    assert newest([*trunk, *one, *two]) == (two[-1], one[-1])
    later = signed(roster(13), one[-1], two[-1])
    assert newest([later, *two, *trunk, *one]) == (later,)
    assert all(is_before(stamp_of_roster(each), later) for each in (*trunk, *one, *two))
    assert len(read(later.body, Roster).before) == 5 + 3 + 7


def test_beyond_what_is_named_the_higher_version_counts() -> None:
    trunk = chain(1, 5)
    behind, ahead = chain(6, 1, trunk[-1], key=2)[-1], chain(6, 70, trunk[-1])
    assert newest([behind, ahead[MAX_BEFORE - 1]]) == (ahead[MAX_BEFORE - 1], behind)
    assert newest([behind, ahead[MAX_BEFORE + 1]]) == (ahead[MAX_BEFORE + 1],)


def test_of_a_version_all_rosters_are_named_or_none() -> None:
    """So whatever is older than all that are named is earlier; two branches name half as many versions."""
    trunk = chain(1, 1)
    one, two, three = (chain(2, 60, trunk[-1], key=key) for key in (1, 2, 3))
    for branches in ((one, two), (one, two, three)):
        later = signed(roster(70), *(branch[-1] for branch in branches))
        named = read(later.body, Roster).before
        assert MAX_BEFORE - len(branches) < len(named) <= MAX_BEFORE
        assert {sum(stamp[0] == version for stamp in named) for version, _ in named} == {len(branches)}
        assert newest([*one, *two, *trunk, later]) == (later,)


def test_only_so_many_branches_are_kept_and_everybody_keeps_the_same() -> None:
    trunk = chain(1, 1)
    made = [signed(roster(2 + n % 3, key=n), trunk[-1]) for n in range(30)]
    kept = newest(made)
    assert len(kept) == MAX_BRANCHES
    assert kept == newest([*newest(made[:15]), *newest(made[10:])])
    assert [stamp_of_roster(one)[0] for one in kept] == [4] * MAX_BRANCHES


@pytest.mark.parametrize(
    ("one", "other", "inside"),
    [
        (({BO: 2}, ()), ({CY: 2}, ()), {BO: 2, CY: 2}),
        (({BO: 2, CY: 3}, ()), ({BO: 2}, (removed(CY, 3),)), {BO: 2}),
        (
            ({CY: 9}, ()),
            ({}, (removed(CY, 3),)),
            {},
        ),  # let in again by a host that did not know of the removal
        (({CY: 9}, (removed(CY, 3),)), ({}, (removed(CY, 3),)), {CY: 9}),  # by one that knew
        (({CY: 9}, (removed(CY, 3),)), ({}, (removed(CY, 3), removed(CY, 5))), {}),  # of one of two removals
        (({CY: 9}, (removed(CY, 3),)), ({CY: 3}, ()), {CY: 9}),
        (({CY: 3}, ()), ({}, (left(CY, 3),)), {}),
        (({CY: 9}, ()), ({}, (left(CY, 3),)), {CY: 9}),
        (({CY: 3}, ()), ({}, (left(CY, 9),)), {}),  # came back and left again
        (({CY: 4}, ()), ({CY: 9}, ()), {CY: 9}),
    ],
)
def test_everybody_is_in_whom_any_branch_has_and_none_took_out(
    one: tuple[dict[str, int], tuple[Gone, ...]],
    other: tuple[dict[str, int], tuple[Gone, ...]],
    inside: dict[str, int],
) -> None:
    rosters = [
        roster(9, key=1, members=one[0], gone=one[1]),
        roster(8, key=2, members=other[0], gone=other[1]),
    ]
    for order in (rosters, rosters[::-1]):
        assert united(order).members == {HOST: 1, **inside}


def test_the_key_is_that_of_a_branch_which_knows_how_everybody_went() -> None:
    trunk = removed(DI, 2)
    first = roster(9, key=3, members={BO: 2}, gone=(trunk, removed(CY, 3)))
    same = roster(8, key=2, members={BO: 2, CY: 3}, gone=(trunk,))
    other = roster(8, key=4, members={CY: 3}, gone=(trunk, removed(BO, 2)))
    assert united([first]) is first
    for order in ([first, same], [same, first]):
        assert united(order).key_check == first.key_check
    assert united([first, other]).key_check == NO_KEY
    assert united([first, other, same]).key_check == NO_KEY
    knows_all = roster(7, key=5, gone=(trunk, removed(BO, 2), removed(CY, 3)))
    assert united([first, other, same, knows_all]).key_check == knows_all.key_check
    back = roster(10, key=6, members={BO: 2, CY: 9}, gone=(trunk, removed(CY, 3)))
    assert united([back, first]).key_check == back.key_check


def test_a_roster_after_a_united_one_ends_what_its_branches_ended() -> None:
    """To unite two and then a third is to unite all three."""
    three = [
        roster(9, key=1, members={BO: 2, CY: 7}, gone=(removed(CY, 3),)),
        roster(8, key=2, members={BO: 2, DI: 6}, gone=(removed(CY, 5),)),
        roster(7, key=3, members={CY: 6}, gone=(left(BO, 2),)),
    ]
    whole = united(three)
    assert whole.members == {HOST: 1, DI: 6}
    for n in range(3):
        rest = [one for m, one in enumerate(three) if m != n]
        halves = united([msgspec.structs.replace(united(rest), version=10), three[n]])
        assert halves.members == whole.members
        assert set(halves.gone) == set(whole.gone)


def test_no_more_people_than_a_circle_holds() -> None:
    rosters = [roster(9, members={f"{n:064x}": n for n in range(start, 99, 2)}) for start in (4, 5)]
    assert list(united(rosters).members.values()) == [1, *range(4, MAX_CIRCLE + 3)]


def test_of_somebody_who_came_and_went_the_last_time_is_shown() -> None:
    ends = (removed(BO, 2), left(CY, 3), removed(BO, 7), left(DI, 8))
    assert departed(roster(9, members={DI: 9}, gone=ends)) == [removed(BO, 7), left(CY, 3)]
