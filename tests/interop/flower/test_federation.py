"""The guide's commands, typed as they stand: a simulation, and a real federation of processes with TLS and keys.

One client is killed in the middle and comes back. These tests need minutes and Flower's own environment: `.ci/flower`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import polars as pl
import psutil
import pytest

pytest.importorskip("flwr", reason="the extra `flower` is not installed")
if not os.environ.get("TACIT_TEST_FLOWER"):
    pytest.skip("takes minutes: set TACIT_TEST_FLOWER=1, as .ci/flower does", allow_module_level=True)

from tacit.data.dataset import load
from tacit.data.synthetic import Synthetic
from tacit.experiment.prepare import prepare
from tests.docs.pages import page

TEXT = page("guide/flower.md")
NAMES = ("amsterdam", "berlin", "cairo")
ROUNDS = 6
PATIENCE = 900.0
"""Seconds until something that should happen counts as not happening; nothing is measured by it."""


def commands() -> list[str]:
    """Every line of the page's bash blocks."""
    blocks = re.findall(r"^```bash\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def command(begin: str) -> str:
    (found,) = [line for line in commands() if line.startswith(begin)]
    return found


def supernode(name: str) -> str:
    (found,) = [line for line in commands() if f"--auth-supernode-private-key {name}.key" in line]
    return found


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Desk:
    """A folder in which somebody types the page's commands."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.started = folder, list[subprocess.Popen[bytes]]()
        self.ports = {str(port): str(free_port()) for port in (8000, 9094, 9095, 9096, 9097)}
        scripts, exports = str(Path(sys.executable).parent), dict[str, str]()
        for word in shlex.split(command("export "))[1:]:
            key, _, value = word.partition("=")
            exports[key] = value
        self.env = {
            **os.environ, **exports,
            "PATH": scripts + os.pathsep + os.environ["PATH"],
            "PYTHONPATH": str(Path(__file__).parents[3] / "src"),
            "FLWR_HOME": str(folder / "home"),
            "FLWR_LOCAL_SUPERLINK_HTTP_API_PORT": str(free_port()),
            "FLWR_LOCAL_CONTROL_API_PORT": str(free_port()),
        }  # fmt: skip
        (folder / "home").mkdir()

    def typed(self, line: str) -> str:
        """A line of the page, on other ports."""
        for shown, used in self.ports.items():
            line = line.replace(shown, used)
        return line

    def run(self, line: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["bash", "-c", self.typed(line)], cwd=self.folder, env=self.env, capture_output=True, text=True,
            timeout=2 * PATIENCE,
        )  # fmt: skip
        assert done.returncode == 0 or not check, done.stdout + done.stderr
        return done

    def start(self, line: str, log: str) -> subprocess.Popen[bytes]:
        """A line that goes on in the background."""
        with (self.folder / log).open("ab") as out:
            words = ["bash", "-c", self.typed(line).removesuffix("&")]
            one = subprocess.Popen(
                words, cwd=self.folder, env=self.env, stdout=out, stderr=out, start_new_session=True
            )
        self.started.append(one)
        return one

    def kill(self, one: subprocess.Popen[bytes]) -> None:
        """One process and those it started."""
        if one.poll() is None:
            os.killpg(one.pid, signal.SIGKILL)
        one.wait()

    def log(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(errors="replace") if path.exists() else ""

    def until(self, happened: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not happened():
            if time.monotonic() > end:
                logs = "\n".join(
                    f"== {path.name}\n{path.read_text()[-3000:]}" for path in self.folder.glob("*.log")
                )
                pytest.fail(f"not seen in {PATIENCE:g} s: {what}\n{logs}")
            time.sleep(0.5)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    for one in made.started:
        made.kill(one)
    home = str(made.folder / "home")
    for process in psutil.process_iter(
        ["pid", "cmdline"]
    ):  # the SuperLink that `flwr run ... local` left behind
        if any(home in word for word in process.info["cmdline"] or ()):
            process.kill()


def result(folder: Path) -> tuple[dict, Path]:
    (found,) = folder.glob("results/*/result.json")
    return json.loads(found.read_text()), found.parent


def test_the_page_shows_nothing_that_is_not_tried() -> None:
    begins = (
        "pip install",
        "export ",
        "tacit flower",
        "flwr ",
        "openssl req",
        "for name in",
        "flower-super",
        "printf ",
    )
    assert all(line.startswith(begins) for line in commands())
    assert len(commands()) == 15


def test_a_simulation_ends_with_the_simulators_rows(desk: Desk) -> None:
    desk.run(command("tacit flower tacit/federated --data").replace("movielens-100k", "synthetic"))
    for _ in range(5):
        done = desk.run(command("flwr run simulated"), check=False)
        if (
            "Failed to start local SuperLink within" not in done.stdout + done.stderr
        ):  # Flower waits 15 s for it
            break
    assert "round 3 of 3, 10 of 10 clients" in done.stdout, done.stdout + done.stderr
    said, folder = result(desk.folder / "simulated")
    assert said["metrics"]["hr@20"] > 0.3
    x = prepare("tacit/federated", "synthetic", {"rounds": 3})
    simulation = x.protocol.build(x.scenario())
    simulation.advance(3 * simulation.period)
    with np.load(folder / "model.npz") as model:
        assert np.array_equal(model["rows"], simulation.fleet.slots.rows[0])


def write_tables(folder: Path) -> None:
    """Three organizations' csv files, the public list, and all of it in one file for the simulator."""
    data = load("synthetic", synthetic=Synthetic(users=60, items=80, interactions=2000))
    rows = data.events.select(
        user=pl.Series(data.user_ids[data.events["user"].to_numpy()].tolist()),
        item=pl.Series(data.item_ids[data.events["item"].to_numpy()].tolist()),
        split=pl.Series(["test" if n % 7 == 0 else "train" for n in range(len(data.events))]),
    )
    pl.DataFrame({"item": data.item_ids.tolist()}).write_csv(folder / "items.csv")
    rows.write_csv(folder / "all.csv")
    for n, name in enumerate(NAMES):
        rows.filter(pl.col("user").cast(pl.Int64) % 3 == n).write_csv(folder / f"{name}.csv")


def test_a_federation_trains_from_csv_files_and_outlives_a_killed_client(desk: Desk) -> None:
    write_tables(desk.folder)
    desk.run(command("printf "))
    desk.run(command("tacit flower tacit/federated --items"))
    for line in [
        line
        for line in commands()
        if line.startswith(("openssl", "for name in amsterdam berlin cairo; do ssh"))
    ]:
        desk.run(line)
    desk.start(command("flower-superlink"), "superlink.log")
    register = command("for name in amsterdam berlin cairo; do flwr supernode")
    desk.until(lambda: desk.run(f"set -e; {register}", check=False).returncode == 0, "registration")
    nodes = {name: desk.start(supernode(name), f"{name}.log") for name in NAMES}
    stranger = supernode("cairo").replace("cairo.key", "stranger.key").replace("9096", "9097")
    desk.run("ssh-keygen -q -t ecdsa -b 384 -N '' -f stranger.key")
    unknown = desk.start(stranger, "stranger.log")
    desk.start(command("flwr run federation ours"), "run.log")
    desk.until(lambda: "round 2 of" in desk.log("run.log"), "two rounds")
    desk.kill(nodes["cairo"])
    # A SuperLink takes a killed client back only when it has missed its heartbeats: a supervisor tries again.
    desk.start(f"until {supernode('cairo').removesuffix('&')}; do sleep 2; done", "cairo.log")
    desk.until(lambda: "written to" in desk.log("run.log"), "the end")
    assert unknown.wait(PATIENCE) != 0, "a key that nobody registered"
    told = re.findall(r"round \d+ of \d+, (\d) of (\d) clients", desk.log("run.log"))
    assert len(told) == ROUNDS
    assert told[-1] == ("3", "3")
    said, folder = result(desk.folder / "federation")
    assert said["metrics"]["hr@20"] > 0.3
    with np.load(folder / "model.npz") as model:
        rows, items = model["rows"], model["items"].tolist()
    x = prepare("tacit/federated", desk.folder / "all.csv", {"split": "given", "rounds": ROUNDS})
    simulation = x.protocol.build(x.scenario())
    simulation.advance(ROUNDS * simulation.period)
    place = [x.dataset.item_ids.tolist().index(item) for item in items]
    want = simulation.fleet.slots.rows[0][place]
    # A few rounds lacked a third of the people: the rows are near those of everybody, and not the same.
    assert np.corrcoef(rows.ravel(), want.ravel())[0, 1] > 0.9
    for name in NAMES:
        lists = pl.read_csv(desk.folder / f"{name}.recommended.csv")
        assert set(lists["rank"]) <= set(range(1, 11))
