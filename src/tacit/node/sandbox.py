"""Sandbox for imports: an uploaded file is read in a subprocess with limits on time and memory.

Whatever a file does to its reader, the node goes on: the page gets ratings, or one line about what is wrong.

    found = read_in_subprocess(data, "export.zip", None, [], cluster=False, known=[])
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress

import msgspec

from tacit.core.child_process import environment
from tacit.core.errors import BadInput
from tacit.node.import_ratings import Import, read_export
from tacit.node.importers.archive import open_export
from tacit.node.importers.base import Options

SECONDS = 120
MEMORY = 2_000_000_000


class _Task(msgspec.Struct):
    data: bytes
    file: str
    format: str | None
    maps: list[str]
    cluster: bool
    known: list[str]


class _Answer(msgspec.Struct):
    found: Import | None = None
    fault: str = ""


def read_in_subprocess(
    data: bytes, file: str, name: str | None, maps: list[str], *, cluster: bool, known: list[str]
) -> Import:
    """What `read_export` gives, or BadInput."""
    task = msgspec.msgpack.encode(_Task(data, file, name, maps, cluster, known))
    command = [sys.executable, "-m", "tacit.node.sandbox"]
    try:
        done = subprocess.run(
            command, input=task, capture_output=True, timeout=SECONDS, env=environment(), check=True
        )
        answer = msgspec.msgpack.decode(done.stdout, type=_Answer)
    except (subprocess.SubprocessError, msgspec.DecodeError, OSError):
        allowed = f"what can be read in {SECONDS} seconds and {MEMORY // 10**9} GB of memory"
        raise BadInput(f"{file} could not be read", allowed=allowed) from None
    if answer.found is None:
        raise BadInput(answer.fault)
    return answer.found


def _limit() -> None:
    """Take no more than is allowed; where a system knows no such limits, the time is still watched from outside."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _main() -> None:
    _limit()
    task = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=_Task)
    try:
        options = Options.parse(task.maps, cluster=task.cluster)
        found = read_export(open_export(task.data, task.file), task.format, options, task.known)
        answer = _Answer(found=found)
    except BadInput as error:
        answer = _Answer(fault=str(error))
    sys.stdout.buffer.write(msgspec.msgpack.encode(answer))


if __name__ == "__main__":
    _main()
