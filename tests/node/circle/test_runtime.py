from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

pytest.importorskip("cryptography", reason="cryptography is not installed")

from tacit.node.circle.agent import CircleAgent
from tacit.node.circle.runtime import CircleRuntime
from tacit.node.service import Service
from tacit.node.store.database import StoreFull
from tacit.testing.memory_circle import MemoryCircle, Session
from tacit.testing.virtual_time import run_virtual
from tests.node.circle.friends import film, films


def test_a_full_disk_stops_sharing_and_not_the_node_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = MemoryCircle(tmp_path)
    ana = people.add("Ana", films("night ferry"))
    people.add("Bo")
    people.run([Session(name, 0, 60) for name in people.people])
    said: list[str] = []

    def full(*values: object) -> None:
        raise StoreFull("disk full")

    async def story() -> None:
        own, stop = Service(ana.store.home), asyncio.Event()
        agent = CircleAgent(own.store)
        transport = people.network.join(people.id_of("Ana"))
        running = asyncio.create_task(CircleRuntime(agent, transport, say=said.append).run(stop))
        await asyncio.sleep(5)
        ana.rate(film("winter signal"), 5)
        monkeypatch.setattr(own.store, "write", full)
        monkeypatch.setattr(own.store, "write_many", full)
        await asyncio.sleep(5)
        assert not running.done()
        assert agent.problem
        monkeypatch.undo()
        await asyncio.sleep(5)
        assert not agent.problem
        stop.set()
        await running
        own.close()

    run_virtual(story())
    assert "disk full" in said[0]
    assert said[-1] == "sharing continues: the ledger can be written again"
    found = ana.circle.replica.list_of(people.id_of("Ana"))
    assert found is not None
    assert film("winter signal") in found[0].titles  # it was signed later
