"""Which parts of a run have no package: where they came from, kept in the run's folder as `parts.json`.

A part of a file is found again by its path. Its name in the parameters has a hash of the file's content, so that a
changed file is noticed. A part of a notebook's cell has to be given again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from tacit.core.errors import BadInput
from tacit.core.part_files import file_digits
from tacit.core.registry import KINDS, origin
from tacit.experiment.run_folder import write_json

FILE = "parts.json"


def write_parts(folder: Path, parameters: Mapping[str, Any]) -> None:
    """Note every part without a package: its name with the hash, and where it is."""
    found = {key: origin(key, str(parameters[key])) for key in KINDS if key in parameters}
    kept = {
        key: {"name": parameters[key], "from": place} for key, place in found.items() if place is not None
    }
    if kept:
        write_json(folder / FILE, kept)


def with_parts(folder: Path, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a run in a folder, with the paths of parts that are in files, so that they are found again.

    A file that was changed since is refused before it is loaded.
    """
    path = folder / FILE
    if not path.exists():
        return dict(parameters)
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=dict[str, dict[str, str]])
        files = {key: (one["name"], one["from"]) for key, one in kept.items() if one["from"].endswith(".py")}
    except (OSError, msgspec.DecodeError, KeyError):
        raise BadInput("run", got="a damaged folder", allowed="run it again", where=path) from None
    found = dict(parameters)
    for key, (name, file) in files.items():
        if key in parameters:
            found[key] = _again(key, name, file, folder)
    return found


def _again(key: str, name: str, file: str, folder: Path) -> str:
    """`/home/ana/mine.py`, or `/home/ana/mine.py:Mine` where that was asked for; the same file as then."""
    own, _, digits = name.rpartition("@")
    if file_digits(Path(file), key) != digits:
        got = f"{file}, which was changed since"
        raise BadInput(key, got=got, allowed=f"{name}, as in the saved run", where=folder)
    wanted = own.partition(".py:")[2]
    return f"{file}:{wanted}" if wanted else file
