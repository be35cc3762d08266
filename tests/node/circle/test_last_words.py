"""Pausing and leaving: the last, empty list reaches the others, whatever runs when, and then nothing is sent."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.agent import CircleAgent
from tacit.node.circle.likes import Choice
from tacit.node.circle.sealed_list import part_hash, read_head
from tacit.node.network.circle_messages import Sync
from tacit.node.network.wire import Kind, pack, unpack
from tacit.testing.memory_circle import ALL, MemoryCircle, Session
from tests.node.circle.friends import film, films


def circle_of(home: Path, *names: str) -> MemoryCircle:
    made = MemoryCircle(home)
    for name in names:
        made.add(name, films(f"{name.lower()} one", f"{name.lower()} two"))
    together(made)
    assert len(made.lists_heard()) == len(names) ** 2
    return made


def together(people: MemoryCircle, *names: str, seconds: float = 60) -> None:
    people.run([Session(name, 0, seconds) for name in names or people.people])


def seen(people: MemoryCircle, reader: str, writer: str) -> set[str]:
    return set(people.people[reader].circle.likes().likes.get(people.id_of(writer), ()))


def sent(people: MemoryCircle, name: str, since: int) -> list[bytes]:
    me = people.id_of(name)
    return [data for sender, _, data in people.network.wire[since:] if sender == me]


def test_pausing_while_the_node_is_off_reaches_the_others_at_the_next_start(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    bo = people.people["Bo"]
    bo.set_sharing(paused=True)
    assert not bo.is_silent()
    together(people, "Bo")  # nobody is there: it stays to be said
    assert not bo.is_silent()
    together(people, "Bo", "Cy")
    assert bo.is_silent()
    assert seen(people, "Cy", "Bo") == set()
    since = len(people.network.wire)
    together(people, seconds=600)
    assert seen(people, "Ana", "Bo") == set()  # Cy carried it
    assert sent(people, "Bo", since) == []


def test_a_paused_node_with_last_words_says_nothing_else(tmp_path: Path) -> None:
    """Only its own, empty list: it carries nobody's, and asks for nothing."""
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    people.people["Cy"].rate(film("winter signal"), 5)
    together(people, "Bo", "Cy")
    people.people["Bo"].set_sharing(paused=True)
    since = len(people.network.wire)
    people.people["Ana"].rate(film("grey hours"), 5)
    together(people, "Ana", "Bo")
    said = [unpack(data)[1] for data in sent(people, "Bo", since)]
    own = people.people["Bo"].circle.replica
    for one in said:
        if isinstance(one, Sync):
            assert one.want == []
            assert {part_hash(part) for part in one.parts} <= set(own.hashes_of(own.me))
            assert {read_head(signed).member for signed in one.heads} <= {own.me}
    assert seen(people, "Ana", "Bo") == set()
    assert film("winter signal") not in seen(people, "Ana", "Cy")
    assert film("grey hours") not in seen(people, "Bo", "Ana")


def test_pausing_reaches_everybody_who_is_there_and_not_only_the_first_four(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy", "Di", "Ed", "Flo", "Gil")

    def pause(now: float) -> None:
        if now == 40:
            people.people["Ed"].set_sharing(paused=True)

    away = [Session(name, 0, 39) for name in ("Ana", "Bo", "Cy", "Di")]
    there = [Session(name, 0, 100) for name in ("Ed", "Flo", "Gil")]
    people.run([*away, *there], watch=pause, every=20)
    assert people.people["Ed"].is_silent()
    assert seen(people, "Flo", "Ed") == seen(people, "Gil", "Ed") == set()


def test_pausing_after_many_ratings_takes_everything_back(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    bo = people.people["Bo"]

    def act(now: float) -> None:
        if 20 <= now < 80:
            bo.rate(film(f"number {now:.0f}"), 5)
        if now == 90:
            bo.set_sharing(paused=True)

    people.run([Session(name, 0, 200) for name in people.people], watch=act, every=2)
    assert seen(people, "Ana", "Bo") == seen(people, "Cy", "Bo") == set()


def test_taking_back_is_never_late_however_often_the_list_changed(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo")
    bo, then = people.people["Bo"], list[set[str]]()

    def act(now: float) -> None:
        if 20 <= now < 220 and now % 4 == 0:
            bo.rate(film(f"number {now:.0f}"), 5)
        if 220 <= now < 260:  # one after the other, each in a version of its own
            bo.unrate(bo.circle.shared().items[0].key)
        if now == 270:
            bo.circle.share(Choice(items=frozenset(films("bo one"))))
        if now in (262, 280):
            then.append(seen(people, "Ana", "Bo") - {item.key for item in bo.circle.shared().items})

    people.run([Session(name, 0, 300) for name in people.people], watch=act, every=2)
    assert then == [set(), set()]
    assert seen(people, "Ana", "Bo") == set(films("bo one"))


def test_leaving_while_paused_is_told_and_done(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    bo = people.people["Bo"]
    bo.set_sharing(paused=True)
    assert not bo.circle.leave()
    together(people)
    assert bo.mode() == "alone"
    assert bo.is_silent()
    assert seen(people, "Ana", "Bo") == seen(people, "Cy", "Bo") == set()
    assert [one.left for one in people.people["Ana"].circle.members() if one.name == "Bo"] == [True]


def test_somebody_who_leaves_and_only_answers_is_released(tmp_path: Path) -> None:
    """Cy asks for the last list, so Bo never hears of it but by an equal digest."""
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    bo, cy = people.people["Bo"], people.people["Cy"]
    assert not bo.circle.leave()
    bo.circle.publish()
    agent = CircleAgent(bo.store)
    theirs, now = cy.circle.replica, 0
    said = theirs.greeting()
    for now in range(6):
        body = unpack(agent.handle(theirs.me, pack(Kind.SYNC, said), now))[1]
        if not isinstance(body, Sync):
            break
        theirs.take(body, now)
        said = theirs.greeting() if not theirs.lacks(body) else theirs.offer(agent.replica.me, body)
    assert theirs.has_left(agent.replica.me)
    assert agent.replica.here().told == agent.replica.lists.versions()[agent.replica.me]
    agent.next(now)
    agent.next(now + 6_000_000)
    assert bo.mode() == "alone"


def test_who_comes_back_by_the_link_stays_although_the_old_goodbye_is_about(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    ana, bo, cy = people.people.values()
    link = ana.circle.link().text

    def act(now: float) -> None:
        if now in (10, 20, 30):
            bo.rate(film(f"number {now:.0f}"), 5)
        if now == 40:
            bo.circle.leave()

    people.run([Session(name, 0, 60) for name in ("Bo", "Cy")], watch=act, every=10)
    assert bo.mode() == "alone"
    assert cy.circle.replica.has_left(people.id_of("Bo"))
    bo.circle.join(link)
    bo.circle.share(ALL)
    together(people, "Ana", "Bo")  # Ana has not heard that Bo had left
    together(people, "Ana", "Cy")
    assert [one.left for one in ana.circle.members() if one.name == "Bo"] == [False]
    together(people)
    assert seen(people, "Cy", "Bo") == seen(people, "Ana", "Bo") == {i.key for i in bo.circle.shared().items}


def test_the_link_works_after_somebody_left_for_others_and_for_them(tmp_path: Path) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy")
    ana, bo = people.people["Ana"], people.people["Bo"]
    link = ana.circle.link().text
    assert not bo.circle.leave()
    together(people)
    assert bo.mode() == "alone"
    assert [one.text for one in ana.circle.links()] == [link]
    people.add("Di", films("di one"))
    bo.circle.join(link)
    bo.circle.share(ALL)
    together(people)
    assert seen(people, "Ana", "Di") == set(films("di one"))
    assert seen(people, "Di", "Bo") == set(films("bo one", "bo two"))


def test_a_member_who_has_not_heard_of_a_removal_still_shares_and_one_who_has_does_not(
    tmp_path: Path,
) -> None:
    people = circle_of(tmp_path, "Ana", "Bo", "Cy", "Di")
    people.people["Ana"].circle.remove("Cy")
    together(people, "Ana", "Di")
    for name in ("Bo", "Di"):
        people.people[name].rate(film(f"newer of {name.lower()}"), 5)
    together(people, "Di", "Cy")
    assert film("newer of di") not in seen(people, "Cy", "Di")
    together(people, "Bo", "Cy")
    assert film("newer of bo") in seen(people, "Cy", "Bo")
    together(people, "Bo", "Di")
    people.people["Bo"].rate(film("newest of bo"), 5)
    together(people, "Bo", "Cy")
    assert film("newest of bo") not in seen(people, "Cy", "Bo")
