"""The shape of the code, kept by a test: who may import whom, and what must never be imported at all.

The checks read source text, imports inside functions included. Each is also fed a text that breaks its rule.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import tacit

SOURCE = Path(tacit.__file__).parent
TESTS = Path(__file__).parent

PARTS = {"core", "models", "merges", "peer_sampling", "privacy"}
PROTOCOL = {*PARTS, "protocols"}
SIMULATION = {*PROTOCOL, "simulator", "data", "baselines"}
EXPERIMENT = {*SIMULATION, "metrics", "attacks", "recipe_files", "experiment"}
REPORT = {*EXPERIMENT, "papers", "report"}
ALLOWED = {
    "core": {"core"},
    "baselines": {"core", "baselines"},
    "data": {"core", "data"},
    "metrics": {"core", "metrics"},
    "models": {"core", "models"},
    "merges": {"core", "merges"},
    "peer_sampling": {"core", "peer_sampling"},
    "privacy": {"core", "privacy"},
    "simulator": {"core", "models", "privacy", "simulator"},
    "protocols": PROTOCOL,
    "attacks": {"core", "models", "metrics", "privacy", "protocols", "simulator", "attacks"},
    "node": {*PROTOCOL, "node"},
    "recipe_files": {"recipe_files"},
    "experiment": EXPERIMENT,
    "papers": {"core", "data", "metrics", "protocols", "simulator", "experiment", "papers"},
    "report": {"core", "metrics", "experiment", "papers", "report"},
    "engines": {*EXPERIMENT, "engines"},
    "extending": {*SIMULATION, "metrics", "attacks", "experiment"},
    "testing": {*REPORT, "node", "testing"},
    "interop": {*EXPERIMENT, "interop"},
    "api": {*REPORT, "engines", "api"},
    "web": {"core", "node", "web"},
    "cli": {*REPORT, "engines", "node", "api", "interop", "web", "cli"},
    "__main__": {"cli"},
}
"""Which packages of tacit each package may import. A new package has to be entered here."""
IN_SIMULATION = ("protocol", "simulation", "simulation_kernels")
"""Files of a protocol's folder that know the simulator, beside those that end in _kernels or _simulation. All others
are what a device runs, too: they are pure."""
BUILDS_ON = {
    "clusters": {"gossip", "federated", "centralized"},
    "ensemble": {"gossip"},
    "centralized_pairs": {"federated_pairs"},
    "push_sum": {"federated_sums", "gossip"},
}
"""Protocols that are made of others. Everything else that two of them share is in `protocols/base.py`."""
NODE = {
    "catalogue": {"catalogue"},
    "store": {"store", "catalogue"},
    "importers": {"importers", "catalogue"},
    "network": {"network", "store", "catalogue"},
    "exchange": {"exchange", "store", "catalogue"},
    "start": {"start", "importers", "catalogue"},
    "circle": {"circle", "network", "store", "catalogue", "choose_list"},
}
"""Which folders of the node each of its folders may import; its own files import all of them."""

UNTIL_PUSH_SUM_GOES = {
    ("tacit.node.network.wire", f"tacit.node.push_sum.sum_wire.{name}")
    for name in ("Agreed", "Ask", "Catalogue", "Share", "Wanted")
}
"""Imports that break a rule and end with push-sum."""

NO_WORLD = {*PARTS, "metrics"}
"""There is no network, no clock, and no randomness but core.rng in these, nor in the pure files of a protocol."""
WORLD = {
    "asyncio", "datetime", "ftplib", "http", "multiprocessing", "random", "requests", "sched", "secrets", "select",
    "selectors", "signal", "smtplib", "socket", "socketserver", "ssl", "subprocess", "threading", "time", "urllib",
    "uuid", "os.urandom", "os.getrandom",
}  # fmt: skip
NOWHERE = {
    "cPickle", "cloudpickle", "dill", "joblib", "marshal", "numpy.random", "pickle", "random", "shelve",
}  # fmt: skip
_BASELINES = ("item_knn", "popular", "random", "user_knn", "vae")
_PARSERS = ("amazon", "foursquare", "gowalla", "librarything", "movielens", "netflix", "yahoo")
_PAPERS = ("dymbe", "hegedus", "pepper")
_SECTIONS = ("figure_sections", "provenance_sections", "summary_and_results")
MIRRORED = {*NO_WORLD, "baselines", "data", "experiment", "papers", "report"}
"""Packages in which every module has a test file of the same name."""
NO_BEHAVIOUR = {
    "baselines/base.py": "a protocol",
    "experiment/evaluations/base.py": "a protocol; each evaluation tests its own part of it",
    "merges/base.py": "a protocol",
    "models/base.py": "a protocol and records",
    "peer_sampling/base.py": "a protocol",
}
"""Files that need no test of their own, and why."""
TESTED_WITH = {
    # what a neighbour is made of
    "baselines/nearest_neighbours.py": "baselines/test_baselines.py",
    "models/ials_rows.py": "models/test_ials.py",
    "models/prme_g_learning.py": "models/test_prme_g.py",
    "models/shared_kernels.py": "models/test_ials.py",
    # small baselines, all on the same table
    **{f"baselines/{name}.py": "baselines/test_baselines.py" for name in _BASELINES},
    # steps of `load`, seen in the data set that comes out
    "data/duplicates.py": "data/test_dataset.py",
    "data/ids.py": "data/test_dataset.py",
    "data/item_metadata.py": "data/test_dataset.py",
    "data/files.py": "data/test_read_interactions.py",
    "data/synthetic_kernels.py": "data/test_synthetic.py",
    "data/sources/known_datasets.py": "data/sources/test_obtain.py",
    "data/sources/locate.py": "data/sources/test_obtain.py",
    "data/sources/archives.py": "data/sources/test_parsers.py",
    **{f"data/sources/{name}.py": "data/sources/test_parsers.py" for name in _PARSERS},
    # records that a run fills
    "experiment/experiment.py": "experiment/test_run.py",
    "experiment/result.py": "experiment/test_run.py",
    "experiment/evaluations/rating.py": "experiment/test_run.py",
    # a paper's files, tested by its tables and claims
    **{
        f"papers/{name}/{file}.py": f"papers/{name}/test_paper.py"
        for name in _PAPERS
        for file in ("claims", "data_and_churn", "data_table", "images", "runs")
        if (SOURCE / "papers" / name / f"{file}.py").exists()
    },
    **{
        f"papers/{paper}/{name}.py": "papers/test_pairwise_runs.py"
        for paper in ("federank", "fpl")
        for name in ("claims", "cost_table", "data_table", "figures", "paper", "runs")
        if (SOURCE / "papers" / paper / f"{name}.py").exists()
    },
    "papers/pairwise_claims.py": "papers/test_pairwise_runs.py",
    "papers/read_curves.py": "papers/hegedus/test_paper.py",
    # sections of the page, seen on the whole page
    "report/machine.py": "report/page/test_page.py",
    **{f"report/page/{name}.py": "report/page/test_page.py" for name in _SECTIONS},
    "report/instruments.py": "report/test_reproduction.py",
    "report/recipe_reference.py": "docs/test_pages.py",
}
"""Inner parts of a neighbour, and the file that tests both."""
MOST_PARAMETERS = 8


def module_name(path: Path) -> str:
    parts = path.relative_to(SOURCE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def sources() -> list[tuple[str, str, bool]]:
    """(module, text, is a package) of every file."""
    return [(module_name(p), p.read_text(), p.name == "__init__.py") for p in sorted(SOURCE.rglob("*.py"))]


def imported(module: str, text: str, package: bool = False) -> Iterator[str]:
    """Everything a source imports or reaches by attribute, with full names: `numpy.random`, `tacit.core.rng.below`."""
    tree = ast.parse(text)
    names = {"tacit": "tacit"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name
                names[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                here = module.split(".")
                here = here[: len(here) - node.level + (1 if package else 0)]
                base = ".".join([*here, *([base] if base else [])])
            for alias in node.names:
                yield f"{base}.{alias.name}"
                names[alias.asname or alias.name] = f"{base}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                yield str(node.args[0].value)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            parts = []
            inner: ast.expr = node
            while isinstance(inner, ast.Attribute):
                parts.append(inner.attr)
                inner = inner.value
            if isinstance(inner, ast.Name) and inner.id in names:
                yield ".".join([names[inner.id], *reversed(parts)])


def is_pure(module: str) -> bool:
    """Whether a module of a protocol is what a device runs, too."""
    steps = module.split(".")
    return (
        len(steps) > 3
        and steps[3] not in IN_SIMULATION
        and not steps[3].endswith(("_kernels", "_simulation"))
    )


def allowed(module: str) -> set[str]:
    """Which packages a module may import."""
    part = module.split(".")[1]
    return SIMULATION if part == "protocols" and not is_pure(module) else ALLOWED[part]


def across(module: str, name: str) -> bool:
    """Whether an import inside `protocols/` or `node/`, or from the node to a protocol, breaks a finer rule."""
    here, there = module.split("."), name.split(".")
    if here[1] == "protocols" and there[1] == "protocols" and len(here) > 2 and len(there) > 2:
        return there[2] not in {here[2], "base", *BUILDS_ON.get(here[2], ())} or (
            is_pure(module) and (there[2] == "base" or not is_pure(f"{name}.x"))
        )
    if here[1] == "node" and there[1] == "protocols":
        return not is_pure(f"{name}.x")
    if here[1] == "node" and there[1] == "node" and len(here) > 3 and here[2] in NODE:
        return there[2] not in {*NODE[here[2]], "receive_limits"}
    return False


def upward(module: str, text: str, package: bool = False) -> list[str]:
    """Imports that go up or sideways."""
    if module == "tacit":
        return []  # It names its heavy parts and loads them when they are asked for; see below.
    part = module.split(".")[1]
    if part not in ALLOWED:
        return [f"{module}: the package {part} is not entered in ALLOWED"]
    found = []
    for name in imported(module, text, package):
        steps = name.split(".")
        if steps[0] != "tacit" or len(steps) < 2 or steps[1] == "__version__":
            continue
        if (steps[1] not in allowed(module) or across(module, name)) and (
            module,
            name,
        ) not in UNTIL_PUSH_SUM_GOES:
            found.append(f"{module} imports {name}")
    return found


def holds(name: str, forbidden: set[str]) -> bool:
    return any(name == bad or name.startswith(f"{bad}.") for bad in forbidden)


def worldly(module: str, text: str, package: bool = False) -> list[str]:
    """Network, clocks and foreign randomness where there must be none."""
    part = module.split(".")[1] if "." in module else ""
    if part not in NO_WORLD and not (part == "protocols" and is_pure(module)):
        return []
    return [f"{module} uses {name}" for name in imported(module, text, package) if holds(name, WORLD)]


def unsafe(module: str, text: str, package: bool = False) -> list[str]:
    """Pickles, executed data and generators with a state, anywhere."""
    found = [f"{module} uses {name}" for name in imported(module, text, package) if holds(name, NOWHERE)]
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec"):
            found.append(f"{module} calls {node.func.id}")
        for keyword in node.keywords:
            never = isinstance(keyword.value, ast.Constant) and keyword.value.value is False
            if keyword.arg == "allow_pickle" and not never:
                found.append(f"{module} allows pickles")
    return found


@pytest.mark.parametrize("rule", [upward, worldly, unsafe])
def test_every_source_keeps_the_rule(rule) -> None:  # type: ignore[no-untyped-def]
    files = sources()
    assert len(files) > 50
    assert [broken for file in files for broken in rule(*file)] == []


@pytest.mark.parametrize(
    ("rule", "module", "text"),
    [
        (upward, "tacit.core.x", "from tacit.models.mf import learn"),
        (upward, "tacit.core.x", "import tacit.protocols.gossip.simulation"),
        (upward, "tacit.core.x", "from tacit import simulator"),
        (upward, "tacit.core.x", "from tacit import run"),
        (upward, "tacit.core.x", "import tacit\ntacit.load('x')"),
        (upward, "tacit.core.x", "def f():\n    from tacit.node import agent"),
        (upward, "tacit.core.x", "from ..models import mf"),
        (upward, "tacit.core.x", "from .. import models"),
        (upward, "tacit.core.x", "from importlib import import_module\nimport_module('tacit.cli')"),
        (upward, "tacit.core.x", "if TYPE_CHECKING:\n    from tacit.models.base import Model"),
        (upward, "tacit.merges.x", "from tacit.models.mf import learn"),
        (upward, "tacit.metrics.x", "from tacit.data.splits import split"),
        (upward, "tacit.data.x", "from tacit.experiment.result import Result"),
        (upward, "tacit.protocols.gossip.node", "from tacit.simulator.churn.sessions import always"),
        (upward, "tacit.simulator.x", "from tacit.data.dataset import load"),
        (upward, "tacit.experiment.x", "from tacit.report.page.page import write_report"),
        (upward, "tacit.report.x", "from tacit.api import run"),
        (upward, "tacit.testing.x", "from tacit.cli import main"),
        (upward, "tacit.surprise.x", ""),
        (
            upward,
            "tacit.protocols.gossip.node",
            "from tacit.protocols.gossip.simulation import GossipSimulation",
        ),
        (upward, "tacit.protocols.gossip.protocol", "from tacit.protocols.ensemble.kernels import Trust"),
        (upward, "tacit.node.agent", "from tacit.protocols.gossip import simulation"),
        (upward, "tacit.node.store.x", "from tacit.node.network.peers import Peers"),
        (upward, "tacit.node.x", "from tacit.simulator.fleet import Fleet"),
        (worldly, "tacit.core.x", "import socket"),
        (worldly, "tacit.models.x", "from time import perf_counter"),
        (worldly, "tacit.merges.x", "import datetime as dt"),
        (worldly, "tacit.peer_sampling.x", "def f():\n    import random"),
        (worldly, "tacit.privacy.x", "import os\nos.urandom(8)"),
        (worldly, "tacit.privacy.x", "from os import urandom"),
        (worldly, "tacit.protocols.gossip.node", "import asyncio"),
        (worldly, "tacit.protocols.gossip.node", "import urllib.request"),
        (worldly, "tacit.metrics.x", "import threading"),
        (unsafe, "tacit.core.x", "import numpy as np\nnp.random.default_rng(0)"),
        (unsafe, "tacit.cli.x", "import numpy\nnumpy.random.seed(0)"),
        (unsafe, "tacit.data.x", "from numpy.random import default_rng"),
        (unsafe, "tacit.data.x", "from numpy import random"),
        (unsafe, "tacit.node.x", "import pickle"),
        (unsafe, "tacit.node.x", "from pickle import loads"),
        (unsafe, "tacit.simulator.x", "np.load('a', allow_pickle=True)"),
        (unsafe, "tacit.simulator.x", "np.load('a', allow_pickle=trusted)"),
        (unsafe, "tacit.experiment.x", "eval('1 + 1')"),
        (unsafe, "tacit.simulator.x", "exec(text)"),
    ],
)
def test_a_source_that_breaks_the_rule_is_found(rule, module: str, text: str) -> None:  # type: ignore[no-untyped-def]
    assert len(rule(module, text)) >= 1


@pytest.mark.parametrize(
    ("rule", "module", "text"),
    [
        (upward, "tacit.simulator.x", "from tacit.core.rng import below\nfrom ..models import mf"),
        (
            upward,
            "tacit.report.x",
            "from tacit.experiment.result import Result\nfrom tacit import __version__",
        ),
        (upward, "tacit.data.x", "from .ids import Texts"),
        (worldly, "tacit.data.x", "import urllib.request, time"),
        (worldly, "tacit.core.x", "import os\nos.access('a', os.W_OK)\nfrom tacit.core.rng import uniform"),
        (unsafe, "tacit.simulator.x", "np.load('a', allow_pickle=False)\nself.rng.random = 1"),
    ],
)
def test_a_source_that_keeps_the_rule_is_left_alone(rule, module: str, text: str) -> None:  # type: ignore[no-untyped-def]
    assert rule(module, text) == []


def test_a_package_resolves_relative_imports_from_itself() -> None:
    assert upward("tacit.core", "from .models import x", package=True) == []
    assert upward("tacit.core", "from ..models import x", package=True) != []


def test_packages_import_nothing_heavy() -> None:
    packages = sorted(module_name(path) for path in SOURCE.rglob("__init__.py"))
    heavy = {"matplotlib", "msgspec", "numba", "numpy", "platformdirs", "polars", "rich", "scipy", "typer"}
    code = f"import sys, {', '.join(packages)}\nprint(*{heavy!r} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_tests_mirror_the_source() -> None:
    files = [path for name in sorted(MIRRORED) for path in sorted((SOURCE / name).rglob("*.py"))]
    missing = []
    for path in files:
        inside = path.relative_to(SOURCE)
        twin = TESTS / TESTED_WITH.get(inside.as_posix(), inside.parent / f"test_{inside.name}")
        if not path.name.startswith("_") and inside.as_posix() not in NO_BEHAVIOUR and not twin.is_file():
            missing.append(f"{inside.as_posix()} has no {twin.relative_to(TESTS).as_posix()}")
    assert missing == []
    assert all((SOURCE / name).is_file() for name in (*NO_BEHAVIOUR, *TESTED_WITH))


def test_no_module_imports_itself_in_a_circle() -> None:
    """At the top of files; what is imported for types alone does not count."""
    files = {module: text for module, text, _ in sources()}
    graph = {
        module: {home for home in _imported_at_once(text) if home in files} for module, text in files.items()
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join([*path[path.index(module) :], module])
        if module not in done:
            for other in sorted(graph[module]):
                visit(other, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())
    assert len(done) > 300


def _imported_at_once(text: str) -> Iterator[str]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tacit."):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


KERNELS = ("kernel", "inlined_kernel")
"""Decorators of compiled functions."""


def test_no_function_outside_kernels_has_many_parameters() -> None:
    found = []
    for module, text, _ in sources():
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            named = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            own = [one for one in named if one.arg not in ("self", "cls")]
            kernel = any(getattr(one, "id", "") in KERNELS for one in node.decorator_list)
            for_users = module.startswith(("tacit.cli", "tacit.api"))  # options, each with a default
            if len(own) > MOST_PARAMETERS and not kernel and not for_users:
                found.append(f"{module}.{node.name} has {len(own)} parameters")
    assert found == []


def test_the_public_surface_is_what_it_was() -> None:
    """A name that is added or taken away here is a change for everybody who uses tacit from Python."""
    assert sorted(tacit.__all__) == [
        "BadInput", "Comparison", "CsvLogger", "Dataset", "Measured", "Result", "Sweep", "TacitError", "__version__",
        "audit", "compare", "load", "open", "plot", "recipes", "recommend", "reproduce", "run", "sweep", "table",
    ]  # fmt: skip
    assert set(tacit.__all__) <= set(dir(tacit))
    for name in tacit.__all__:
        assert getattr(tacit, name) is not None
    assert callable(tacit.recipes), "the folder of recipes must not shadow the function"
    assert callable(tacit.recipes), "and not after the first use either"
    from tacit import extending

    assert all(getattr(extending, name) is not None for name in extending.__all__)
    assert set(extending.__all__) <= set(dir(extending))
