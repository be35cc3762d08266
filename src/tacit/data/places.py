"""Where a named data set is looked for: the folder TACIT_DATA, the user's cache, then its source."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from platformdirs import user_cache_path

from tacit.core.errors import BadInput

Progress = Callable[[int, int | None], None]
"""Called with the bytes done and the bytes in all, where known."""


def own_folder() -> Path | None:
    """The folder that the environment variable TACIT_DATA names."""
    folder = os.environ.get("TACIT_DATA", "")
    return Path(folder).expanduser() if folder else None


def cache_folder() -> Path:
    """Where fetched data sets are kept."""
    return user_cache_path("tacit") / "data"


def folders() -> dict[str, Path]:
    """The folders in the order they are searched, by what they are called in messages."""
    own = own_folder()
    return {**({"TACIT_DATA": own} if own else {}), "cache": cache_folder()}


def here(name: str) -> tuple[str, Path] | None:
    """Which folder has NAME.parquet (or, for images, the folder NAME), and its path there."""
    for called, folder in folders().items():
        path = folder / f"{name}.parquet"
        if path.is_file():
            return called, path
        if (folder / name).is_dir():
            return called, folder / name
    return None


def find(name: str, progress: Progress | None = None) -> Path:
    """The file of a named data set."""
    found = here(name)
    if found is None:
        raise BadInput(
            "data set", got=name, allowed="a name that is here", where=", ".join(map(str, folders().values()))
        )
    return found[1]
