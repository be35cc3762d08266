from __future__ import annotations

import msgspec
import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.branches import NO_KEY, departed, knows, newest, stamp_of_roster, united
from tacit.node.network.circle_messages import Gone, Roster, Signed
from tacit.node.receive_limits import MAX_BRANCHES, MAX_CIRCLE, MAX_LIST_VERSION

HOST, BO, CY, DI = (f"{n:064x}" for n in range(4))


def roster(
    version: int,
    *,
    key: int = 1,
    members: dict[str, int] | None = None,
    gone: tuple[Gone, ...] = (),
    since: int = 0,
) -> Roster:
    inside = {HOST: 1, **(members or {})}
    return Roster(b"c" * 16, "Friends", HOST, version, key, bytes([key] * 16), inside, gone, since)


def signed(*rosters: Roster) -> list[Signed]:
    """As a host would sign them; nobody checks the signature here."""
    return [Signed(msgspec.msgpack.encode(one), b"s" * 64) for one in rosters]


def removed(member: str, joined: int) -> Gone:
    return Gone(member, "", False, joined)


def left(member: str, joined: int) -> Gone:
    return Gone(member, "", True, joined)


STORY = [
    roster(1),
    roster(2, members={BO: 2}),
    roster(3, members={BO: 2, CY: 3}),
    roster(4, members={BO: 2, CY: 4}),  # used the link again
    roster(5, members={BO: 2}, gone=(left(CY, 4),)),
    roster(6, members={BO: 2, CY: 6}),
    roster(7, members={BO: 2}, gone=(left(CY, 6),)),
    roster(8, gone=(left(CY, 6), removed(BO, 2))),
    roster(9, members={BO: 9}, gone=(left(CY, 6), removed(BO, 2))),
    roster(10, gone=(left(CY, 6), removed(BO, 2), removed(BO, 9))),
    roster(11, members={BO: 11}, gone=(left(CY, 6), removed(BO, 2), removed(BO, 9))),
]
"""What a host signs, one after the other."""


def test_each_roster_of_a_story_knows_all_that_those_before_knew() -> None:
    for n, later in enumerate(STORY):
        for m, other in enumerate(STORY):
            assert knows(later, other) == (m <= n)
        assert newest(signed(*STORY[: n + 1])) == newest(signed(*STORY[n::-1])) == tuple(signed(later))


def test_a_roster_of_another_branch_is_not_known_whichever_is_higher() -> None:
    other = roster(12, members={CY: 6}, gone=(removed(BO, 2), removed(BO, 9)))
    for one in STORY[6:]:  # each knows of the goodbye of CY
        assert not knows(other, one)
    assert not any(knows(one, other) for one in STORY[:9])
    assert all(knows(one, other) for one in STORY[9:])
    assert knows(other, STORY[5])


def test_versions_do_not_decide() -> None:
    """A member can make the version of an old copy grow: by using the link again, or by leaving and coming back."""
    real = roster(4, members={BO: 2}, gone=(removed(CY, 3),))
    grown = roster(900, members={BO: 2, CY: 900})
    assert newest(signed(real, grown)) == newest(signed(grown, real)) == tuple(signed(real))
    other = roster(900, members={BO: 2, CY: 900, DI: 7})
    assert newest(signed(real, other)) == newest(signed(other, real)) == tuple(signed(other, real))


def test_of_two_that_know_the_same_the_higher_one_counts() -> None:
    one, other = (roster(8, key=key, members={BO: 2}, gone=(removed(CY, 3),)) for key in (1, 2))
    both = signed(one, other)
    assert newest(both) == newest(both[::-1]) == (max(both, key=stamp_of_roster),)


def test_where_a_roster_had_to_forget_something_all_lower_versions_are_replaced() -> None:
    earlier = roster(300, members={BO: 2, CY: 3}, gone=(removed(DI, 2),))
    forgot = roster(301, members={BO: 2}, gone=(removed(CY, 3),), since=301)
    later = roster(302, members={BO: 2}, gone=(removed(CY, 3),), since=301)
    other = roster(303, members={BO: 2, CY: 3}, gone=(removed(DI, 2),))
    for one in (forgot, later):
        assert newest(signed(earlier, one)) == newest(signed(one, earlier)) == tuple(signed(one))
        assert newest(signed(other, one)) == newest(signed(one, other)) == tuple(signed(other, one))
    # A lie, or a roster from before there were branches: it replaces no higher one.
    lie = roster(5, members={BO: 2, DI: 5}, gone=(removed(CY, 3),), since=MAX_LIST_VERSION)
    assert newest(signed(lie, earlier)) == tuple(signed(earlier, lie))


def test_only_so_many_branches_are_kept_and_everybody_keeps_the_same() -> None:
    made = signed(*(roster(2 + n % 3, members={f"{n:064x}": 2 + n % 3}) for n in range(10, 40)))
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
        assert knows(whole, three[n])
        assert not knows(three[n], whole)
        rest = [one for m, one in enumerate(three) if m != n]
        halves = united([msgspec.structs.replace(united(rest), version=10), three[n]])
        assert halves.members == whole.members
        assert set(halves.gone) == set(whole.gone)


def test_no_more_people_than_a_circle_holds() -> None:
    rosters = [roster(99, members={f"{n:064x}": n for n in range(start, 99, 2)}) for start in (4, 5)]
    both = united(rosters)
    assert list(both.members.values()) == [1, *range(4, MAX_CIRCLE + 3)]
    assert all(knows(both, one) for one in rosters)
    assert {(one.joined, one.left) for one in both.gone} == {(n, True) for n in range(MAX_CIRCLE + 3, 99)}


def test_of_somebody_who_came_and_went_the_last_time_is_shown() -> None:
    ends = (removed(BO, 2), left(CY, 3), removed(BO, 7), left(DI, 8))
    assert departed(roster(9, members={DI: 9}, gone=ends)) == [removed(BO, 7), left(CY, 3)]
