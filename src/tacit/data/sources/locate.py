"""Locate a named data set: in the folder TACIT_DATA, in the user's cache, else from its source."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

from tacit.data.sources.download import Progress
from tacit.data.sources.known_datasets import SOURCES, source
from tacit.data.sources.obtain import obtain


def cache_folder() -> Path:
    """Where fetched data sets are kept."""
    return user_cache_path("tacit") / "data"


def folders() -> dict[str, Path]:
    """The folders in the order they are searched, by what they are called in messages."""
    own = os.environ.get("TACIT_DATA", "")
    return {**({"TACIT_DATA": Path(own).expanduser()} if own else {}), "cache": cache_folder()}


def find_local(name: str) -> tuple[str, Path] | None:
    """Which folder has the data set, and its path there: NAME.parquet, or for images the folder NAME."""
    images = SOURCES[name].files if name in SOURCES and SOURCES[name].parse is None else ()
    for called, folder in folders().items():
        if images:
            if all((folder / name / file).is_file() for file in images):
                return called, folder / name
        elif (folder / f"{name}.parquet").is_file():
            return called, folder / f"{name}.parquet"
    return None


def at_hand(name: str) -> bool:
    """Whether a data set is here, parsed or as the publisher's archive in the cache."""
    files = SOURCES[name].files if name in SOURCES else ()
    return find_local(name) is not None or any((cache_folder() / "archives" / f).is_file() for f in files)


def find(name: str, progress: Progress | None = None) -> Path:
    """The file of a named data set (the folder of `mnist`), fetched if it is nowhere here.

    A file NAME.parquet in one of the folders needs no known source.
    """
    found = find_local(name)
    return found[1] if found else obtain(source(name), cache_folder(), progress)
