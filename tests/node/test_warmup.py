"""After the warm-up a node has nothing left to compile or to load, whatever it does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tacit.core.child_process import environment

DAY_OF_A_NODE = """
import sys
from pathlib import Path
import numpy as np
from tests.node.live_network import key_of, make_store, name_of
from tacit.core.compiled.kernel_cache import (KernelCache)
from tacit.core.message.update import (received)
from tacit.node.agent import (Agent)
from tacit.node.catalogue.item_keys import (row_id)
from tacit.node.peer_compatibility import (rules_of)
from tacit.node.receive import (handle)
from tacit.node.store.records import (Peer, Rating)
from tacit.node.service import (Service)
from tacit.node.warmup import (warm_up)
from tacit.node.network.wire import (Kind, pack_update, unpack)

late = []
load = KernelCache.load_overload
model, home = sys.argv[1], Path(sys.argv[2])
rules = rules_of(model, 7, 10.0)
warm_up(rules)
assert "scipy.linalg" not in sys.modules or sys.argv[3] == "cold", "the compiler was made ready"
KernelCache.load_overload = lambda self, *given: late.append(self._name) or load(self, *given)

for cluster, people in ((False, [""]), (True, ["ana", "bo"])):
    store = make_store(home / str(cluster), model=model, cluster=cluster)
    service = Service(store.home)
    service.add([Rating(key_of(i), "", value=4.0, person=who) for i in range(20) for who in people])
    for n in range(1, 13):
        service.contacts.save(Peer(name_of(n), allowed=True))
    agent = Agent(store, rules)
    names = np.sort(np.array([row_id(key_of(i)) for i in range(5000)], np.uint64))
    width, dense = rules.model.row_width, np.ones(rules.model.dense_size, np.float32)
    rows = np.full((len(names), width), 0.1, np.float32)
    sent = received(len(names), None, rows, np.ones(len(names), np.int32), dense, 3)
    answer = handle(agent, name_of(1), pack_update(agent.digest, 1, names, sent), 0)
    assert unpack(answer)[0] is Kind.OK, answer
    assert agent.wake(0)
    assert agent.greetings(0)
    assert agent.exchange(0)
    agent.flush()
    service.recommend(5, people[0])
    service.preview()
print(late)
"""


@pytest.mark.parametrize("model", ["bpr", "gmf", "mf"])
def test_nothing_is_left_to_compile_or_load(model: str, tmp_path: Path) -> None:
    def run(home: str, state: str) -> str:
        words = [sys.executable, "-c", DAY_OF_A_NODE, model, str(tmp_path / home), state]
        done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    assert run("first", "cold") == "[]"
    assert run("second", "warm") == "[]", "and then it comes from disk, without the compiler"


DAY_OF_SUMS = """
import sys
from pathlib import Path
from tests.node.push_sum.sum_network import everybody, sum_rules, tastes
from tacit.core.compiled.kernel_cache import (KernelCache)
from tacit.node.service import (Service)
from tacit.node.warmup import (warm_up)

late = []
load = KernelCache.load_overload
warm_up(sum_rules())
KernelCache.load_overload = lambda self, *given: late.append(self._name) or load(self, *given)
network = everybody(Path(sys.argv[1]), tastes(4), sum_rules(), 60)
network.run(450)
assert network.nodes[0].learner.rounds
service = Service(network.nodes[0].store.home)
assert service.recommend(5)
service.preview()
print(late)
"""


def test_nor_where_sums_are_exchanged(tmp_path: Path) -> None:
    words = [sys.executable, "-c", DAY_OF_SUMS, str(tmp_path)]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
