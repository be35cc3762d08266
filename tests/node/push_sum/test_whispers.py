"""Items get into everybody's catalogue, and hardly anybody can tell who brought them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tacit.attacks.base import judge
from tacit.node.network.wire import Exchange, unpack
from tacit.node.push_sum.whispers import ON, Whispers
from tacit.node.receive_limits import MAX_WHISPERS
from tests.node.live_network import key_of, name_of
from tests.node.push_sum.sum_network import everybody, sum_rules, table, tastes

PEOPLE, ITEMS = 20, 60


def test_most_of_what_is_whispered_is_somebody_else_s() -> None:
    own = {f"csv:{n}" for n in range(500)}
    whispers = Whispers(3)
    first = whispers.give(own)
    assert len(first) == 1
    assert set(first) <= own
    whispers.take(f"csv:other{n}" for n in range(300))
    for _ in range(3):
        given = whispers.give(own)
        assert MAX_WHISPERS - 3 < len(given) <= MAX_WHISPERS
        assert len(own & set(given)) <= MAX_WHISPERS / 4 + 1


def test_keys_are_passed_on_with_the_chance_that_is_said_and_each_once() -> None:
    whispers = Whispers(3)
    keys = [f"csv:{n}" for n in range(900)]
    public = whispers.take(keys)
    assert abs(1 - len(public) / len(keys) - ON) < 0.05
    passed = [key for _ in range(40) for key in whispers.give([])]
    assert sorted([*passed, *public]) == sorted(keys)


def test_a_key_that_nobody_told_goes_out_again_after_a_while() -> None:
    whispers = Whispers(3)
    times = [n for n in range(60) if whispers.give(["csv:1"])]
    assert times == [0, 24, 48]


def test_everything_that_takes_part_gets_about_and_a_receiver_cannot_tell_whose_it_is(tmp_path: Path) -> None:
    chosen = tastes(PEOPLE)
    network = everybody(tmp_path, chosen, sum_rules(wait=10**6))  # keys only
    network.run(250)
    everything = {key_of(int(i)) for one in chosen for i in one}
    for agent in network.nodes:
        assert {key_of_row(agent, row) for row in agent.rating_store.public_rows()} >= everything - {""}
    said = [(who, to, unpack(data)[1]) for who, to, data in network.network.wire]
    # Each receiver's evidence about each sender: what that one whispered to it.
    found: list[float] = []
    for receiver in range(PEOPLE):
        evidence = {user: np.zeros(ITEMS) for user in range(PEOPLE) if user != receiver}
        for who, to, body in said:
            if to == name_of(receiver) and isinstance(body, Exchange):
                for key in body.whispered:
                    evidence[int(who, 16)][int(key.removeprefix("csv:"))] += 1
        found.append(judge("receiver of whispers", evidence, table(chosen)).auc_all)
    assert 0.49 < np.mean(found) < 0.56
    # Nobody tells everybody a key of their own before somebody else did.
    first: dict[str, str] = {}
    for who, _, body in said:
        if isinstance(body, Exchange):
            for key in body.keys:
                first.setdefault(key, who)
    for number, agent in enumerate(network.nodes):
        mine = {key_of(int(i)) for i in chosen[number]}
        assert sum(first[key] == agent.me for key in mine) <= 4


def key_of_row(agent, row: int) -> str:  # type: ignore[no-untyped-def]
    return agent.rating_store.item(row).key
