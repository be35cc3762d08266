"""Every module imports on every platform: modules that only Unix has are not needed."""

from __future__ import annotations

import subprocess
import sys

FLOWER = tuple(f"tacit.interop.flower.{name}" for name in ("client", "server", "wire"))
UNIX_ONLY = ("fcntl", "grp", "pwd", "resource", "termios")
CODE = f"""
import importlib, importlib.util, pkgutil, sys
import psutil  # it has code for each platform, and needs what this one has
sys.modules.update(dict.fromkeys({UNIX_ONLY!r}))
package = importlib.import_module(sys.argv[1])
inside = pkgutil.walk_packages(getattr(package, "__path__", []), package.__name__ + ".")
names = [package.__name__, *(module.name for module in inside)]
for name in names:
    if name == "tacit.interop.lenskit" and importlib.util.find_spec("lenskit") is None:
        continue  # a component of a library that is not installed
    if name in {FLOWER!r} and importlib.util.find_spec("flwr") is None:
        continue
    if not name.endswith("__main__"):
        importlib.import_module(name)
print(len(names))
"""


def test_every_module_imports_without_what_only_unix_has() -> None:
    done = subprocess.run([sys.executable, "-c", CODE, "tacit"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert int(done.stdout) >= 380
