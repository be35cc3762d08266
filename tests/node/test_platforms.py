"""The node and its page import on every platform: modules that only Unix has are not needed."""

from __future__ import annotations

import subprocess
import sys

import pytest

UNIX_ONLY = ("fcntl", "grp", "pwd", "resource", "termios")
CODE = f"""
import importlib, pkgutil, sys
sys.modules.update(dict.fromkeys({UNIX_ONLY!r}))
package = importlib.import_module(sys.argv[1])
inside = pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + ".")
names = [package.__name__, *(module.name for module in inside)]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


@pytest.mark.parametrize(
    ("package", "least"),
    [("tacit.node", 50), ("tacit.web", 13), ("tacit.cli.node", 1), ("tacit.cli.node_start", 1)],
)
def test_every_module_imports_without_what_only_unix_has(package: str, least: int) -> None:
    done = subprocess.run([sys.executable, "-c", CODE, package], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert int(done.stdout) >= least
