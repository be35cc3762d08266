"""Against a real local cluster of several processes; skipped where Ray is not installed."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from tacit.core.errors import BadInput, Interrupted, TooBig
from tacit.engines.dispatch import Dispatch
from tacit.engines.engine_names import engine_of
from tacit.engines.orders import Answer, order_of
from tacit.engines.ray_cluster import RayCluster, _carry_out
from tacit.experiment.batch import RunListener, Task, run_all
from tests.engines.runs import TASKS, figures

LONG = Task("hegedus/gossip-10", "synthetic", {"data.seed": 0, "hours": 60}, seed=3)


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Two machines, as far as Ray can tell: two node processes with workers of their own."""
    pytest.importorskip("ray", reason="Ray is an extra: pip install '.[ray]'")
    from ray.cluster_utils import Cluster

    made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "memory": 2 * 10**9})
    made.add_node(num_cpus=1, memory=2 * 10**9)
    yield made.address
    made.shutdown()


def _worker() -> psutil.Process:
    """The process that carries out a run now."""
    for _ in range(600):
        for process in psutil.process_iter(["cmdline"]):
            if any("ray::_carry_out" in word for word in process.info["cmdline"] or ()):
                return process
        time.sleep(0.1)
    raise AssertionError("no run began")


def test_a_cluster_gives_the_same_figures(cluster: str, tmp_path: Path) -> None:
    assert figures(engine_of(f"ray:{cluster}"), tmp_path / "ray") == figures(None, tmp_path / "one")
    assert not list((tmp_path / "ray").glob(".engine-*"))


def test_a_worker_that_is_killed_is_replaced(
    cluster: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found: list[Any] = []
    host = RunListener(engine=engine_of(f"ray:{cluster}"))
    run = threading.Thread(target=lambda: found.extend(run_all([LONG], tmp_path / "ray", host)))
    run.start()
    victim = _worker()
    time.sleep(1)
    os.kill(victim.pid, signal.SIGKILL)
    run.join(timeout=300)
    assert capfd.readouterr().out == ""  # there --json writes its object
    (alone,) = run_all([LONG], tmp_path / "one")
    assert [one.metrics for one in found] == [alone.metrics]
    assert found[0].curve == alone.curve


def test_a_stop_leaves_a_state_to_go_on_from(cluster: str, tmp_path: Path) -> None:
    began = time.monotonic()
    host = RunListener(
        engine=engine_of(f"ray:{cluster}"), stop=lambda: bool(list(tmp_path.glob("hegedus-*")))
    )
    with pytest.raises(Interrupted, match="the same command continues from here"):
        run_all([LONG], tmp_path, host)
    assert time.monotonic() - began < 300
    (again,) = run_all([LONG], tmp_path)
    (alone,) = run_all([LONG])
    assert again.curve == alone.curve


def test_files_come_back_where_the_folder_is_not_shared(cluster: str, tmp_path: Path) -> None:
    import ray

    with RayCluster(cluster) as places:
        text = msgspec.json.encode(order_of(TASKS[0], tmp_path / "elsewhere", 1))
        said, files = ray.get(ray.remote(_carry_out).remote(text, "no-such-mark", places._flag))
    assert msgspec.json.decode(said, type=Answer) == Answer("done")
    assert any(name.endswith("result.json") for name in files)
    assert not (tmp_path / "elsewhere").exists()


def test_a_run_that_fits_nowhere_is_refused(cluster: str) -> None:
    with RayCluster(cluster, threads=64) as places, pytest.raises(BadInput, match="at most 1, the cores"):
        places.has_room(1)
    with RayCluster(cluster) as places, pytest.raises(TooBig, match=r"needs about 5.00 GB; .* has 2.00 GB"):
        places.has_room(5 * 10**9)


def test_an_address_where_nobody_answers() -> None:
    pytest.importorskip("ray", reason="Ray is an extra: pip install '.[ray]'")
    with pytest.raises(BadInput, match="the address of a Ray cluster"):
        list(Dispatch(lambda: RayCluster("127.0.0.1:1")).run_all([], None, RunListener()))


def test_a_port_of_something_else() -> None:
    pytest.importorskip("ray", reason="Ray is an extra: pip install '.[ray]'")
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        with pytest.raises(BadInput, match=f"ray:{address} .something else than a Ray cluster listens there"):
            RayCluster(address).__enter__()


def test_without_ray_the_extra_is_named() -> None:
    try:
        import ray  # noqa: F401
    except ImportError:
        with pytest.raises(BadInput, match=r"pip install '\.\[ray\]'"):
            figures(engine_of("ray"), None)
