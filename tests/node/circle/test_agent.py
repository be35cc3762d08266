"""Circles of real agents in virtual time. F3, F5 and F6 are the numbers of an outside review's findings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.agent import CircleAgent
from tacit.node.circle.likes import Choice
from tacit.node.doctor import reach
from tacit.node.network.carry import SECOND
from tacit.node.network.circle_messages import Sync
from tacit.node.network.wire import Exchange, Hello, Kind, pack, unpack
from tacit.node.receive_limits import LIST_BURST, PEER_BYTES
from tacit.node.service import Service
from tacit.node.store.database import StoreFull
from tacit.node.store.records import Rating
from tacit.testing.memory_circle import ALL, MemoryCircle, Session
from tacit.web.mode_line import mode_line
from tests.node.circle.friends import film, films
from tests.node.start.starts import start


@pytest.fixture
def people(tmp_path: Path) -> MemoryCircle:
    made = MemoryCircle(tmp_path)
    made.add("Ana", films("night ferry", "salt road"))
    made.add("Bo", films("paper boats"))
    made.add("Cy", films("grey hours"))
    made.run([Session(name, 0, 60) for name in made.people])
    assert len(made.lists_heard()) == 9
    return made


def seen(people: MemoryCircle, reader: str, writer: str) -> set[str]:
    return set(people.people[reader].circle.likes().likes.get(people.id_of(writer), ()))


def everybody(people: MemoryCircle, seconds: float = 60) -> None:
    people.run([Session(name, 0, seconds) for name in people.people])


def test_people_join_by_one_link_and_see_what_everybody_shares(people: MemoryCircle) -> None:
    assert seen(people, "Bo", "Cy") == {film("grey hours")}
    assert seen(people, "Cy", "Ana") == set(films("night ferry", "salt road"))
    for service in people.people.values():
        assert len(service.circle.members()) == 3
        assert service.problem_log.latest() == []


def test_every_byte_is_in_the_ledger_with_how_many_titles_left(people: MemoryCircle) -> None:
    for name, service in people.people.items():
        sent = people.bytes_sent()[name]
        acknowledged = sum(
            len(data)
            for sender, _, data in people.network.wire
            if sender == people.id_of(name) and unpack(data)[0] in (Kind.OK, Kind.LATER, Kind.REFUSED)
        )
        assert service.ledger.sent().bytes == sent - acknowledged
        lists = [entry for entry in service.ledger.entries() if entry.kind == "list"]
        assert service.ledger.sent().updates == len(lists)
        assert all(entry.disclosure == 1.0 for entry in lists)
    ana = people.people["Ana"].ledger
    assert {entry.rows_rated for entry in ana.entries() if entry.kind == "list"} >= {2}
    assert people.people["Ana"].ledger.received().updates == 2


def test_no_title_is_readable_on_the_wire(people: MemoryCircle) -> None:
    for _, _, data in people.network.wire:
        for word in (b"night ferry", b"paper boats", b"grey hours", b"Grey Hours"):
            assert word not in data


def test_nothing_leaves_before_something_is_shared(tmp_path: Path) -> None:
    made = MemoryCircle(tmp_path)
    made.add("Ana", films("night ferry"), share=Choice())
    made.add("Bo", films("salt road"))
    everybody(made)
    assert (seen(made, "Bo", "Ana"), seen(made, "Ana", "Bo")) == (set(), {film("salt road")})
    assert made.people["Ana"].ledger.sent().rows == 0


def test_somebody_new_is_known_to_members_the_host_has_not_met_since(people: MemoryCircle) -> None:
    people.add("Di", films("winter signal"))
    people.run([Session("Ana", 0, 30), Session("Di", 0, 30)])
    people.run([Session("Bo", 0, 30), Session("Di", 0, 30)])  # Bo has never heard of Di
    assert seen(people, "Bo", "Di") == {film("winter signal")}
    people.run([Session("Bo", 0, 30), Session("Cy", 0, 30)])
    assert seen(people, "Cy", "Di") == {film("winter signal")}


def test_somebody_who_moved_is_found_through_a_common_friend(people: MemoryCircle) -> None:
    people.addresses["Bo"] = ("10.0.0.9:5", "not an address")
    people.run([Session("Bo", 0, 20), Session("Ana", 0, 20)])
    people.run([Session("Ana", 0, 20), Session("Cy", 0, 20)])
    known = people.people["Cy"].contacts.peer(people.id_of("Bo"))
    assert known is not None
    assert known.addresses == ("10.0.0.9:5",)


def test_a_node_that_is_paused_sends_one_empty_list_and_then_nothing(people: MemoryCircle) -> None:
    before: list[int] = []

    def pause(now: float) -> None:
        if now == 20:
            people.people["Bo"].set_sharing(paused=True)
        if now == 40:
            before.append(len(people.network.wire))
            people.people["Ana"].rate(film("winter signal"), 5)

    people.run([Session(name, 0, 600) for name in people.people], watch=pause, every=20)
    assert seen(people, "Ana", "Bo") == seen(people, "Cy", "Bo") == set()
    me = people.id_of("Bo")
    assert not [data for sender, _, data in people.network.wire[before[0] :] if sender == me]
    assert film("winter signal") not in seen(people, "Bo", "Ana")  # and nobody is heard
    people.people["Bo"].set_sharing(paused=False)
    everybody(people)
    assert seen(people, "Ana", "Bo") == {film("paper boats")}
    assert film("winter signal") in seen(people, "Bo", "Ana")


def test_somebody_who_leaves_tells_it_and_is_alone_then(people: MemoryCircle) -> None:
    def leave(now: float) -> None:
        if now == 20:
            assert not people.people["Bo"].circle.leave()

    people.run([Session(name, 0, 120) for name in people.people], watch=leave, every=20)
    bo = people.people["Bo"]
    assert bo.mode() == "alone"
    assert bo.is_silent()
    assert bo.circle.state is None
    assert bo.peers() == []
    assert seen(people, "Ana", "Bo") == seen(people, "Cy", "Bo") == set()
    assert [one.name for one in people.people["Cy"].circle.members() if one.left] == ["Bo"]


def test_somebody_who_leaves_while_nobody_is_there_tells_it_later(people: MemoryCircle) -> None:
    bo = people.people["Bo"]
    assert not bo.circle.leave()
    people.run([Session("Bo", 0, 60)])
    assert bo.circle.state is not None
    assert bo.circle.state.leaving
    people.run([Session("Bo", 0, 60), Session("Cy", 0, 60)])
    assert bo.mode() == "alone"
    assert seen(people, "Cy", "Bo") == set()
    people.run([Session("Ana", 0, 60), Session("Cy", 0, 60)])
    assert seen(people, "Ana", "Bo") == set()


def test_f3_what_was_taken_back_reaches_nobody_who_comes_later(people: MemoryCircle) -> None:
    """Share, take everything back (or share nothing), meet somebody new: they hear none of it."""
    ana, bo = people.people["Ana"], people.people["Bo"]
    for rating in ana.ratings():
        ana.unrate(rating.key)
    bo.circle.share(Choice())
    everybody(people)
    people.add("Di")
    first = len(people.network.wire)
    everybody(people)
    assert seen(people, "Di", "Ana") == seen(people, "Di", "Bo") == set()
    assert seen(people, "Di", "Cy") == {film("grey hours")}
    me = people.id_of("Ana")
    parts = people.people["Di"].circle.replica.lists
    assert parts.versions()[me] > 1
    for service in people.people.values():  # nobody carries an old part any more
        used = {name for one in parts.versions() for name in service.circle.replica.hashes_of(one)}
        assert service.circle.replica.lists.part_names() == used
    assert len(people.network.wire) > first


def test_f5_somebody_removed_does_not_get_in_again(people: MemoryCircle) -> None:
    ana, bo = people.people["Ana"], people.people["Bo"]
    link = ana.circle.link().text
    ana.circle.remove("Bo")
    everybody(people)
    bo.circle.forget()
    bo.circle.join(link)  # the same link
    bo.circle.share(ALL)
    ana.rate(film("winter signal"), 5)
    before = len(people.network.wire)
    everybody(people, 600)
    assert bo.circle.state is not None
    assert bo.circle.state.waiting
    assert bo.circle.likes().likes == {}
    me = people.id_of("Bo")
    answers = [data for _, to, data in people.network.wire[before:] if to == me]
    assert answers
    assert {unpack(data)[0] for data in answers} == {Kind.REFUSED}
    assert seen(people, "Ana", "Bo") == seen(people, "Cy", "Bo") == set()


def test_somebody_removed_is_told_and_can_leave(people: MemoryCircle) -> None:
    ana, bo = people.people["Ana"], people.people["Bo"]
    ana.circle.remove("Bo")
    everybody(people)
    assert bo.circle.state is not None
    assert bo.circle.state.refused
    assert "not in it any more" in mode_line(bo, bo.status()).text
    assert "not in Friends any more" in reach.circle(bo).says
    assert not bo.circle.leave()
    everybody(people, 600)
    assert bo.mode() == "alone"


def test_somebody_with_a_link_that_ended_is_told_why(people: MemoryCircle) -> None:
    ana = people.people["Ana"]
    link = ana.circle.link().text
    ana.circle.revoke()
    new = people.add("Di")
    new.circle.forget()
    new.circle.join(link)
    everybody(people)
    assert new.circle.state is not None
    assert new.circle.state.waiting
    assert not new.circle.state.refused
    assert new.circle.state.problem == "link: not one that works; ask for a new one"
    assert [one.problem for one in new.circle.members() if one.is_host] == [new.circle.state.problem]


def test_f5_a_stranger_with_a_burnt_link_does_not_get_in(people: MemoryCircle) -> None:
    link = people.people["Ana"].circle.link().text
    people.people["Ana"].circle.remove("Bo")
    new = people.add("Bo again", films("paper boats"))
    new.circle.forget()
    new.circle.join(link)
    everybody(people)
    assert new.circle.state is not None
    assert new.circle.state.waiting


def test_f6_one_member_does_not_own_the_list_and_removing_them_leaves_no_trace(tmp_path: Path) -> None:
    known = start()
    made = MemoryCircle(tmp_path)
    for name, places in (("Ana", range(0, 40, 2)), ("Bo", range(0, 60, 3))):
        made.add(name, [known.keys[place] for place in places]).suggestions.set_start(known)
    everybody(made)
    ana = made.people["Ana"]
    before = [replace(item, new=False) for item in ana.recommend(20)]
    junk = [film(f"buy pills {n} times") for n in range(1_500)]
    made.add("Mallory", junk)
    everybody(made)
    shown = [item.key for item in ana.recommend(10)]
    assert not set(shown) & set(junk)
    ana.circle.remove("Mallory")
    assert [replace(item, new=False) for item in ana.recommend(20)] == before
    assert not ana.suggestions.search("pills")


def test_a_stranger_and_somebody_of_another_kind_are_refused(people: MemoryCircle, tmp_path: Path) -> None:
    agent = CircleAgent(people.people["Ana"].store)
    state = agent.replica.digest()
    friend, stranger = people.id_of("Bo"), "ee" * 32
    for peer, data in (
        (stranger, pack(Kind.SYNC, Sync())),
        (stranger, pack(Kind.HELLO, Hello("keys 1, circle 1", secret="00" * 16))),
        (stranger, pack(Kind.HELLO, Hello("keys 1, circle 1"))),
        (stranger, b"x" * 100_000),
        (friend, pack(Kind.EXCHANGE, Exchange())),
        (friend, pack(Kind.HELLO, Hello("keys 1, model bpr"))),
        (friend, pack(Kind.SYNC, Sync(circle=b"another circle !"))),
        (friend, b"TACL nonsense"),
        (friend, pack(Kind.OK)),
    ):
        assert unpack(agent.handle(peer, data, 0))[0] is Kind.REFUSED
    assert agent.replica.digest() == state


def test_a_member_that_never_gives_a_part_keeps_nobody_else_from_giving_it(people: MemoryCircle) -> None:
    """Cy has the head of Bo's list, says so every few seconds, and delivers nothing."""
    ana, bo = people.people["Ana"], people.people["Bo"].circle.replica
    people.people["Bo"].rate(film("winter signal"), 5)
    people.people["Bo"].circle.publish()
    agent, head, cy = CircleAgent(ana.store), bo._signed(bo.me), people.id_of("Cy")
    for second in range(0, 200, 5):
        now = second * SECOND
        heads = [head] if second == 0 else []
        agent.handle(cy, pack(Kind.SYNC, Sync(circle=bo.here().id, versions={}, heads=heads)), now)
        if second % 60 == 30:
            said = bo.greeting()
            for _ in range(6):
                body = unpack(agent.handle(bo.me, pack(Kind.SYNC, said), now))[1]
                if not isinstance(body, Sync):
                    break
                said = bo.offer(agent.replica.me, body)
    assert film("winter signal") in seen(people, "Ana", "Bo")


def test_one_member_cannot_draw_bytes_without_end(people: MemoryCircle) -> None:
    ana = people.people["Ana"]
    for number in range(1_500):
        ana.rating_store.rate([Rating(film(f"rather long title number {number}"), "", value=5.0)])
    agent = CircleAgent(ana.store)
    want = list(agent.replica.hashes_of(agent.replica.me))
    asks = pack(Kind.SYNC, Sync(circle=agent.replica.here().id, versions={}, want=want))
    bo = people.id_of("Bo")
    answers = [len(agent.handle(bo, asks, second * SECOND)) for second in range(600)]
    assert sum(answers) < 1.1 * PEER_BYTES
    assert len(agent.handle(people.id_of("Cy"), asks, 600 * SECOND)) == answers[0]  # others are served


def test_an_answer_of_somebody_removed_meanwhile_leads_to_nothing(people: MemoryCircle) -> None:
    ana, bo = people.people["Ana"], people.id_of("Bo")
    agent = CircleAgent(Service(ana.store.home).store)
    out = next(one for one in agent.next(0) if one.peer == bo)
    ana.circle.remove("Bo")
    agent.refresh(1)
    theirs = people.people["Bo"].circle.replica
    answer = theirs.offer(agent.replica.me, agent.replica.greeting())
    assert agent.answered(out, pack(Kind.SYNC, answer), 2) == []
    assert agent._send(bo, Kind.SYNC, answer) == []


def test_a_comparison_that_moves_nothing_ends(people: MemoryCircle) -> None:
    """A list that changes too often is taken later; until then the two do not talk about it without end."""
    ana, bo = CircleAgent(people.people["Ana"].store), CircleAgent(people.people["Bo"].store)
    theirs, me = bo.replica, ana.replica.me
    for number in range(LIST_BURST + 1):  # more often than a node by itself would
        people.people["Bo"].rate(film(f"number {number}"), 5)
        bo.circle.publish()
        ana.replica.take(Sync(heads=[theirs._signed(theirs.me)]), 0)
    newest = ana.replica.waiting()[theirs.me].version
    assert newest < theirs.lists.versions()[theirs.me]
    waiting, turns = [one for one in bo.next(1) if one.peer == me], 0
    while waiting:
        turns += 1
        out = waiting.pop()
        waiting += bo.answered(out, ana.handle(theirs.me, out.data, 2), 2)
    assert turns <= 6


def test_a_full_disk_at_the_start_stops_sharing_and_not_the_node(
    people: MemoryCircle, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*values: object) -> None:
        raise StoreFull("disk full")

    ana = people.people["Ana"]
    ana.rate(film("winter signal"), 5)
    own = Service(ana.store.home)
    monkeypatch.setattr(own.store, "write_many", full)
    agent = CircleAgent(own.store)
    assert agent.problem
    assert agent.next(0) == []
    monkeypatch.undo()
    agent.refresh(1)
    assert agent.next(1)
    assert film("winter signal") in agent.replica.list_of(agent.replica.me)[0].titles  # type: ignore[index]
