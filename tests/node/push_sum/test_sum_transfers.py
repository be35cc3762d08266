"""Nothing of the sums is lost or doubled: not by lost messages or answers, replays, nor by nodes that are killed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.core.message.half_precision import widen
from tacit.node.assemble import agent_of
from tacit.node.network.transport import Outgoing
from tacit.node.network.wire import Kind, unpack
from tacit.node.push_sum.sum_agent import SumAgent
from tacit.node.receive import answered, handle
from tacit.node.store.database import StoreFull
from tests.node.push_sum.sum_network import SumNetwork, everybody, sum_rules, tastes

PEOPLE, ITEMS = 5, 30
HOUR = 3600 * 10**6


class Post:
    """Carries messages by hand, each with its own fate."""

    def __init__(self, home: Path) -> None:
        rules = sum_rules(turns=1_000, patience=10_000, wait=0)
        self.network: SumNetwork = everybody(home, tastes(PEOPLE, ITEMS, 8), rules, ITEMS)
        self.agents = self.network.nodes
        self.ids = [agent.me for agent in self.agents]
        self.now = 0
        self.old: list[tuple[int, str, bytes]] = []

    def carry(self, sender: int, outs: list[Outgoing], fate: str = "fine") -> None:
        for out in outs:
            self.now += HOUR
            to = self.ids.index(out.peer)
            if fate == "nobody there":
                self.agents[sender].failed(out, self.now, fate, sure=True)
                continue
            if fate == "lost":
                self.agents[sender].failed(out, self.now, fate)
                continue
            answer = handle(self.agents[to], self.ids[sender], out.data, self.now)
            self.old.append((to, self.ids[sender], out.data))
            if fate == "twice":
                answer = handle(self.agents[to], self.ids[sender], out.data, self.now)
            if fate == "answer lost":
                self.agents[sender].failed(out, self.now, fate)
            elif fate == "killed before the answer":
                self.kill(sender)
            else:
                self.carry(sender, answered(self.agents[sender], out, answer, self.now))

    def kill(self, who: int) -> None:
        """Whatever is not on disk is gone."""
        old = self.agents[who]
        again = agent_of(old.store, old.rules, number=old.learner.number)
        assert isinstance(again, SumAgent)
        self.agents[who] = again

    def step(self, who: int, what: str, fate: str) -> None:
        self.now += HOUR
        agent = self.agents[who]
        if what == "wake":
            self.carry(who, agent.wake(self.now), fate)
        elif what == "ask":
            self.carry(who, agent.asks(self.now), fate)
        elif what == "leave":
            self.carry(who, agent.leave(self.now), fate)
        elif what == "kill":
            self.kill(who)
        elif what == "replay" and self.old:
            to, sender, data = self.old[len(self.old) * who // PEOPLE]
            handle(self.agents[to], sender, data, self.now)

    def total(self) -> np.ndarray:
        """All that nodes hold, and shares that nobody took yet."""
        whole = np.zeros(self.agents[0].learner.book.sums.shape[1])
        for agent in self.agents:
            learner = agent.learner
            assert learner.epoch == self.agents[0].learner.epoch
            whole += learner.book.sums[0]
            if learner.waiting:
                taken = self.agents[self.ids.index(learner.to)].peers.known[agent.me].sequence
                if taken < learner.transfer:
                    share = np.zeros(len(whole), np.float32)
                    widen(learner.book.words[0], share)
                    whole += share
        return whole

    def put_in(self) -> np.ndarray:
        """What everybody who put something in has, without masks."""
        whole = np.zeros(self.agents[0].learner.book.sums.shape[1])
        for agent in self.agents:
            learner, one = agent.learner, np.zeros(len(whole), np.float32)
            if learner.put:
                had, values = learner._placed[0]
                kernels, book = learner._kernels, learner.book
                kernels.tell_part(book, 0, book.private[0], had, values, one, learner._hyper)
                whole += one
        return whole


FATES = ["fine", "fine", "lost", "answer lost", "twice", "nobody there", "killed before the answer"]
STEPS = st.tuples(
    st.integers(0, PEOPLE - 1),
    st.sampled_from(["wake", "wake", "wake", "ask", "ask", "leave", "kill", "replay"]),
    st.sampled_from(FATES),
)


@settings(max_examples=15)
@given(st.lists(STEPS, min_size=10, max_size=60))
def test_whatever_happens_to_messages_and_nodes_the_sum_stays(tmp_path_factory, story) -> None:  # type: ignore[no-untyped-def]
    post = Post(tmp_path_factory.mktemp("post"))
    for who in range(PEOPLE):
        post.step(who, "wake", "fine")
    for step in story:
        post.step(*step)
        people = sum(agent.learner.put for agent in post.agents)
        assert min(agent.learner.book.sums[0, -1] for agent in post.agents) >= 0
        assert post.total()[-1] == pytest.approx(people, abs=1e-4)
    for _ in range(4):  # what is still to be agreed on gets about
        for who in range(PEOPLE):
            post.step(who, "ask", "fine")
    assert all(agent.learner.put for agent in post.agents)
    assert all(len(agent.learner.pairs) >= 3 for agent in post.agents)
    # Masks are gone from the sum, and all that was told is there: to the rounding of single precision.
    assert max(np.abs(agent.learner.book.sums[0, :-1]).max() for agent in post.agents) > 1
    assert np.allclose(post.total(), post.put_in(), rtol=0, atol=1e-3)


def test_a_share_is_on_disk_before_it_leaves_and_goes_again_under_the_same_number(tmp_path: Path) -> None:
    post = Post(tmp_path)
    post.step(0, "wake", "fine")
    (out,) = post.agents[1].wake(HOUR * 100)
    post.kill(1)
    (again,) = post.agents[1].wake(HOUR * 101)
    assert again.peer == out.peer
    assert again.data == out.data
    to = post.agents[post.ids.index(out.peer)]
    before = to.learner.book.sums.copy()
    assert unpack(handle(to, post.ids[1], out.data, HOUR * 102))[0] is Kind.OK
    after = to.learner.book.sums.copy()
    assert unpack(handle(to, post.ids[1], again.data, HOUR * 103))[0] is Kind.OK
    assert np.array_equal(to.learner.book.sums, after)
    assert before.shape == after.shape


def test_with_a_full_disk_nothing_leaves_and_what_came_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    post = Post(tmp_path)
    for who in range(PEOPLE):
        post.step(who, "wake", "fine")
    for who in range(PEOPLE):
        post.step(who, "ask", "fine")
    agent, store = post.agents[0], post.agents[0].store
    (out,) = post.agents[1].wake(10**15)
    while out.peer != agent.me:
        post.carry(1, [out])
        (out,) = post.agents[1].wake(post.now + 10**15)

    def full(*given: object, **more: object) -> None:
        raise StoreFull("store: full; nothing was written")

    with monkeypatch.context() as patched:
        patched.setattr(store, "put_arrays", full)
        patched.setattr(store, "set", full)
        kind, _ = unpack(handle(agent, post.ids[1], out.data, post.now))
        assert kind is Kind.LATER
        assert agent.wake(post.now + HOUR) == []
        assert agent.asks(post.now + HOUR) == []
        post.carry(1, [])
        post.agents[1].failed(out, post.now, "later")
    total = post.total()
    post.now += 10**15
    post.carry(1, post.agents[1].share())  # the same one again
    assert not post.agents[1].learner.waiting
    assert np.allclose(post.total(), total, atol=1e-4)
    assert agent.wake(post.now + HOUR) != []


def test_a_refused_share_comes_back_to_its_sender(tmp_path: Path) -> None:
    post = Post(tmp_path)
    for who in range(PEOPLE):
        post.step(who, "wake", "fine")
    for _ in range(2):
        for who in range(PEOPLE):
            post.step(who, "ask", "fine")
    (out,) = post.agents[0].wake(post.now + HOUR)
    to = post.agents[post.ids.index(out.peer)]
    to.store.set(paused=True)
    to.paused = True
    turn, before = post.agents[0].learner.turn, post.total()
    post.carry(0, [out])
    assert post.agents[0].learner.turn == turn - 1
    assert not post.agents[0].learner.waiting
    assert np.allclose(post.total(), before, atol=1e-4)
    assert "paused" in post.agents[0].peers.known[out.peer].problem


def test_a_share_that_was_taken_back_does_not_leave_once_more(tmp_path: Path) -> None:
    """Two transmissions of one share wait to leave; the first fails for certain."""
    post = Post(tmp_path)
    for who in range(PEOPLE):
        post.step(who, "wake", "fine")
    agent = post.agents[0]
    (first,) = agent.wake(post.now + HOUR)
    (again,) = agent.share()
    assert first.data == again.data
    assert not agent.stale(again)
    agent.failed(first, post.now, "nobody there", sure=True)
    assert agent.stale(again)
    sums = agent.learner.book.sums.copy()
    agent.lost(again, sure=True)
    assert np.array_equal(agent.learner.book.sums, sums)  # taken back once
