"""When a new version of the own list is signed, and what an evening of ratings costs."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.publishing import Publisher
from tacit.node.receive_limits import ADD_BURST, ADD_EVERY
from tacit.node.service import Service
from tacit.testing.memory_circle import MemoryCircle, Session
from tests.node.circle.friends import ALL, film, make_member

SECOND = 1_000_000


@pytest.fixture
def ana(tmp_path: Path) -> Service:
    service = make_member(tmp_path / "a", "Ana", [film("night ferry")])
    service.circle.create("Friends")
    service.circle.share(ALL)
    return service


def titles(service: Service) -> set[str]:
    found = service.circle.replica.list_of(service.circle.replica.me)
    assert found is not None
    return set(found[0].titles)


def test_new_titles_wait_where_there_were_many_and_what_is_taken_back_does_not(ana: Service) -> None:
    publisher = Publisher(ana.circle)
    assert publisher.publish((), 0)
    for number in range(ADD_BURST + 3):
        ana.rate(film(f"number {number}"), 5)
        assert publisher.publish((), number * SECOND) is (number < ADD_BURST)
    assert film(f"number {ADD_BURST}") not in titles(ana)
    ana.unrate(film("number 0"))
    assert publisher.publish((), 10 * SECOND)
    assert film("number 0") not in titles(ana)
    assert film(f"number {ADD_BURST}") not in titles(ana)
    later = int((ADD_EVERY + 1) * SECOND)
    assert not publisher.is_due(20 * SECOND)
    assert publisher.is_due(later)
    assert publisher.publish((), later)
    assert titles(ana) == {item.key for item in ana.circle.shared().items}
    assert not publisher.is_due(2 * later)


def test_another_name_or_pausing_does_not_wait(ana: Service) -> None:
    publisher = Publisher(ana.circle)
    for number in range(ADD_BURST + 2):
        ana.rate(film(f"number {number}"), 5)
        publisher.publish((), 0)
    ana.store.set(name="Anna")
    assert publisher.publish((), 0)
    ana.set_sharing(paused=True)
    assert publisher.publish((), 0)
    assert titles(ana) == set()


def test_an_evening_of_ratings_costs_little_and_arrives(tmp_path: Path) -> None:
    """Sixty ratings in two minutes: a few versions, and no messages that lead nowhere."""
    people = MemoryCircle(tmp_path)
    for name in ("Ana", "Bo", "Cy", "Di"):
        people.add(name, [film(f"{name.lower()} title number {n}") for n in range(100)])
    people.run([Session(name, 0, 120) for name in people.people])
    before, bo = people.bytes_sent(), people.people["Bo"]

    def rate(now: float) -> None:
        if 20 <= now < 140:
            bo.rate(film(f"number {now:.0f}"), 5)

    people.run([Session(name, 0, 1_300) for name in people.people], watch=rate, every=2)
    spent = {name: size - before[name] for name, size in people.bytes_sent().items()}
    assert max(spent.values()) < 60_000
    assert len(people.people["Ana"].circle.likes().likes[people.id_of("Bo")]) == 160
