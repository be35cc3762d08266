"""What leaves a node that exchanges sums tells nobody what the person has; where it would, nothing of theirs leaves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.attacks.base import judge
from tacit.node.catalogue.item_keys import row_id
from tacit.node.exchange.disclosure import takes_part
from tacit.node.push_sum.mask_secrets import WANTED, Pair, noise, pair, part
from tacit.node.push_sum.sum_rules import SumRules
from tacit.node.push_sum.sum_wire import Epoch
from tacit.node.push_sum.sums import Sums
from tacit.node.service import Service
from tacit.node.store.records import Rating
from tacit.protocols.push_sum.state import DISCARDED
from tests.node.live_network import key_of, make_store, name_of
from tests.node.push_sum.sum_network import (
    SumNetwork,
    everybody,
    liked,
    shares,
    sum_rules,
    table,
    tastes,
    weight,
)

PEOPLE, ITEMS = 20, 60


def attacked(home: Path, masks: float, monkeypatch: pytest.MonkeyPatch) -> tuple[float, int]:
    """AUC of somebody who receives a victim's first share with data and knows the victim's vector; how many victims."""
    chosen = tastes(PEOPLE)
    network = everybody(home, chosen, sum_rules(masks=masks, wait=0), ITEMS)
    put: list[Sums] = []
    put_in = Sums.put_in

    def watched(self: Sums, data: bool) -> None:
        assert not self.put
        if data and masks:
            assert sum(one.able for one in self.pairs.values()) >= 3
        put_in(self, data)
        put.append(self)

    monkeypatch.setattr(Sums, "put_in", watched)
    network.run(45)  # some turns of the first epoch
    assert len(put) >= PEOPLE
    place = {row_id(key_of(i)): i for i in range(ITEMS)}
    evidence = {}
    for user, agent in enumerate(network.nodes):
        assert agent.learner.put
        sent = shares(network.network, agent.me)
        update = next((u for _, s, u in sent if s.epoch == agent.learner.epoch and weight(u) > 0), None)
        if update is None:
            continue
        assert update.index is None or masks == 0  # under masks every row travels
        rows = np.zeros((update.items, update.rows.shape[1]))
        rows[slice(None) if update.index is None else update.index] = update.rows
        p = agent.learner.book.private[0].astype(np.float64)
        assert p.any()
        evidence[user] = np.zeros(ITEMS)
        evidence[user][[place[int(name)] for name in agent.learner.names]] = rows[:, -1] + rows[:, :-1] @ p
    return judge("receiver", evidence, table(chosen)).auc_all, len(evidence)


def test_a_first_share_tells_nothing_about_what_the_sender_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, victims = attacked(tmp_path, 24.0, monkeypatch)
    assert victims >= 15
    assert 0.44 < found < 0.56


def test_the_same_attack_without_masks_finds_everything(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, victims = attacked(tmp_path, 0.0, monkeypatch)
    assert victims >= 15
    assert found > 0.95


def test_masks_cancel_and_rows_are_those_of_unmasked_sums(tmp_path: Path) -> None:
    """To what is left of masks at the end, and to half precision: a hundredth of the largest number in a row."""
    chosen = tastes(6)
    rows, ages = [], []
    for masks in (24.0, 0.0):
        network = everybody(tmp_path / str(masks), chosen, sum_rules(masks=masks, wait=0, turns=34), ITEMS)
        network.run(400)
        for agent in network.nodes:
            assert agent.learner.rounds == 1
            assert agent.learner.book.clock[0, DISCARDED] == 0
        rows.append([agent.learner.state.rows for agent in network.nodes])
        ages.append([agent.learner.state.ages for agent in network.nodes])
    assert np.abs(rows[1][0]).max() > 0.05
    assert np.allclose(rows[0], rows[1], rtol=0, atol=0.01 * np.abs(rows[1][0]).max())
    assert np.mean(np.array(ages[0]) == np.array(ages[1])) > 0.98
    has = np.array(
        [sum(i in one for one in chosen) for i in sorted(range(ITEMS), key=lambda i: row_id(key_of(i)))]
    )
    assert np.corrcoef(ages[0][0], has)[0, 1] > 0.95  # how many people there are is known to 12 %


@pytest.mark.parametrize("people", [2, 3])
def test_fewer_than_four_people_put_nothing_in(
    people: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = everybody(tmp_path, tastes(people))
    monkeypatch.setattr(Sums, "put_in", lambda self, data: pytest.fail("something was put in"))
    network.run(300)
    assert shares(network.network) == []
    assert not any(b"csv:" in data for _, _, data in network.network.wire)  # nor a key of an item
    service = Service(network.nodes[0].store.home)
    assert "at least 99 others" in service.sharing().problem
    assert "at least 3 others" in service.set_sharing(small_sums=True).problem


def test_four_people_do(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(4), None, ITEMS)
    network.run(120)
    assert all(agent.learner.put for agent in network.nodes)
    assert all(len(agent.learner.pairs) == 3 for agent in network.nodes)
    assert Service(network.nodes[0].store.home).set_sharing(small_sums=True).problem == ""


def test_unless_forced_fewer_than_a_hundred_people_put_nothing_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = make_store(tmp_path / "n", model="ials")
    rules = Service(store.home)._rules
    assert isinstance(rules, SumRules)
    assert rules.members == 100
    network = everybody(tmp_path, tastes(5), sum_rules(members=rules.members))
    monkeypatch.setattr(Sums, "put_in", lambda self, data: pytest.fail("something was put in"))
    network.run(120)
    assert shares(network.network) == []


def test_somebody_all_know_but_who_know_nobody_else_puts_nothing_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A star: only the middle has enough partners, and its data would be all there is in the sums."""
    chosen = tastes(6)
    network = SumNetwork(tmp_path, sum_rules(), eager=True)
    for number, items in enumerate(chosen):
        network.person(liked(items), [0] if number else [1, 2, 3, 4, 5], ITEMS)
    data: list[bool] = []
    put_in = Sums.put_in
    monkeypatch.setattr(Sums, "put_in", lambda self, own: (data.append(own), put_in(self, own))[1])
    network.run(400)
    sent = shares(network.network)
    assert len(sent) > 20
    assert data
    assert not any(data)
    assert all(weight(update) == 0 for _, _, update in sent)


def test_both_sides_of_a_pair_come_to_one_secret_and_noise_that_cancels() -> None:
    epoch = Epoch.of(3, np.arange(5, dtype=np.uint64))
    ana, bo = name_of(1), name_of(2)
    mine, theirs = part(b"a" * 32, ana, bo, epoch), part(b"b" * 32, bo, ana, epoch)
    one, other = pair(ana, bo, mine, theirs, epoch, True), pair(bo, ana, theirs, mine, epoch, True)
    assert one.secret == other.secret
    assert (one.adds, other.adds) == (True, False)
    a, b = noise(one, 20_000, 24.0), noise(other, 20_000, 24.0)
    assert not (a + b).any()
    assert np.sqrt(WANTED) * a.std() == pytest.approx(24.0, rel=0.02)
    assert abs(a.mean()) < 0.3
    assert part(b"a" * 32, ana, bo, epoch) == mine  # asked again, the same
    for later in (Epoch(4, 5, epoch.digest), Epoch.of(3, np.arange(6, dtype=np.uint64))):
        again = pair(ana, bo, part(b"a" * 32, ana, bo, later), theirs, later, True)
        assert again.secret != one.secret
        assert abs(np.corrcoef(noise(again, 20_000, 24.0), a)[0, 1]) < 0.03


def test_one_cannot_be_made_to_put_data_in_again_and_again(tmp_path: Path) -> None:
    network = everybody(tmp_path, tastes(5), None, ITEMS)
    network.run(60)
    learner = network.nodes[0].learner
    put = 0
    for number in range(100, 130):
        learner.join(Epoch.of(number, learner.names), learner.names, learner.good)
        for n in range(4):
            learner.agree(str(n), Pair(bytes([n]) * 32, True, True), -1)
        put += learner.able
        learner.put_in(learner.able)
    assert put <= 4


@settings(max_examples=4)
@given(st.lists(st.floats(1, 5), min_size=12, max_size=12))
def test_ratings_that_take_no_part_leave_no_mark_in_any_byte(tmp_path_factory, values) -> None:  # type: ignore[no-untyped-def]
    """Hidden ratings other than they are, or not there at all: the same bytes leave."""
    pi, seed = 0.5, 1_000

    def sent(hidden: list[float] | None) -> list[bytes]:
        network = SumNetwork(tmp_path_factory.mktemp("n"), replace(sum_rules(), wait=1), eager=True)
        ratings = []
        for i in range(12):
            shown = takes_part(seed, row_id(key_of(i)), pi)
            if shown or hidden is not None:
                ratings.append(Rating(key_of(i), "", value=5.0 if shown or hidden is None else hidden[i]))
        network.person(ratings, [1, 2, 3], 40, disclosure=pi)
        for number in range(1, 4):
            mine = liked(range(6 * number - 3, 6 * number + 6))
            network.person(mine, [n for n in range(4) if n != number], 40)
        network.run(95)
        assert network.nodes[0].learner.put
        return [data for who, _, data in network.network.wire if who == name_of(0)]

    without = sent(None)
    assert len(without) > 6
    assert sent(values) == without
