"""The start file: public item rows with keys, titles and provenance. Read with distrust: it may come from anybody.

    tacit-rows 1 <line break>      the format's version
    32 bytes                       SHA-256 of all that follows
    zlib(msgpack)                  rows in half precision, counts, mean, precision, the rule's numbers, keys, titles

Nothing in it is executed or unpickled. A flipped bit, another version or a size beyond the limits is refused in one
line.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from tacit.core.atomic_files import atomic_write
from tacit.core.errors import BadInput
from tacit.node.catalogue.item_keys import MAX_TITLE, clean_title, key_fault, row_id
from tacit.node.start.rule import PublicRows, rises

VERSION = 1
NAME = b"tacit-rows"
_HEAD = NAME + b" %d\n" % VERSION
MAX_FILE, MAX_UNPACKED = 64_000_000, 256_000_000
MAX_ITEMS, MAX_K = 500_000, 256
_ALLOWED = "a file that tacit rows export wrote"
_NUMBERS = ("w0", "reg", "mean_likes", "tau", "h")


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """A start file, opened."""

    public: PublicRows
    keys: list[str]
    titles: list[str]
    years: list[int | None]
    hues: npt.NDArray[np.uint8]
    """See `hues`."""
    source: str
    """The data the rows were learned from."""
    licence: str
    """On what terms that data may be used."""
    made: str
    """How the rows were learned."""
    genres: list[str] = field(default_factory=list)
    """Of each title in lower case, `comedy|drama`; nothing where the data has none."""

    def __len__(self) -> int:
        return len(self.keys)

    def search(self, text: str, n: int = 20) -> list[int]:
        """Positions of titles that hold every word of a text, shortest titles first."""
        words = text.casefold().split()
        found = [
            place
            for place, title in enumerate(self.titles)
            if words and all(word in title.casefold() or word in self.keys[place] for word in words)
        ]
        return sorted(found, key=lambda place: (len(self.titles[place]), self.keys[place]))[:n]


class _Body(msgspec.Struct, forbid_unknown_fields=True):
    source: str
    licence: str
    made: str
    k: int
    rows: bytes
    counts: bytes
    mean: bytes
    precision: bytes
    w0: float
    reg: float
    mean_likes: float
    tau: float
    h: float
    calibration: tuple[float, float, float, float]
    hues: bytes
    years: bytes
    keys: list[str]
    titles: list[str]
    genres: list[str] = []


def half(public: PublicRows) -> PublicRows:
    """The same with rows as the file keeps them: in half precision, zero where nobody liked the title."""
    rows = public.rows.astype(np.float16).astype(np.float64)
    rows[public.counts == 0] = 0
    return replace(public, rows=rows)


def write(path: Path, start: Start) -> None:
    """Write a start file; it appears whole or not at all."""
    try:
        with atomic_write(path) as scratch:
            scratch.write_bytes(pack(start))
    except OSError as problem:
        raise BadInput(
            "start file", got=f"{path}: {problem.strerror}", allowed="a file that can be written"
        ) from None


def pack(start: Start) -> bytes:
    """A start file's bytes."""
    public = start.public
    body = _Body(
        source=start.source,
        licence=start.licence,
        made=start.made,
        k=public.rows.shape[1],
        rows=public.rows.astype("<f2").tobytes(),
        counts=public.counts.astype("<u4").tobytes(),
        mean=public.mean.astype("<f4").tobytes(),
        precision=public.precision[np.tril_indices(len(public.mean))].astype("<f4").tobytes(),
        **{name: float(getattr(public, name)) for name in _NUMBERS},
        calibration=public.calibration,
        hues=start.hues.astype(np.uint8).tobytes(),
        years=np.array([year or 0 for year in start.years], "<u2").tobytes(),
        keys=start.keys,
        titles=start.titles,
        genres=start.genres,
    )
    packed = zlib.compress(msgspec.msgpack.encode(body), 9)
    return _HEAD + hashlib.sha256(packed).digest() + packed


def read(path: Path) -> Start:
    """Read and check a start file."""
    try:
        if path.stat().st_size > MAX_FILE:
            raise _bad(f"{path.stat().st_size:,} bytes", f"up to {MAX_FILE:,}", path)
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"start file: {path} does not exist") from None
    except OSError as problem:
        raise _bad(f"{path}: {problem.strerror}", "a file that can be read", "") from None
    return unpack(data, path)


def is_start_file(path: Path) -> bool:
    """Whether a file says of itself that it is one."""
    try:
        with path.open("rb") as file:
            return file.read(len(NAME)) == NAME
    except OSError:
        return False


def unpack(data: bytes, where: object = "") -> Start:
    """A start file from its bytes; BadInput, in one line, for anything else."""
    first, _, rest = data.partition(b"\n")
    name, _, version = first.partition(b" ")
    if name != NAME or not version.isdigit():
        raise _bad("another kind of file", _ALLOWED, where)
    if int(version) != VERSION:
        raise _bad(f"version {int(version)}", f"{VERSION}; update tacit, or write the file again", where)
    if hashlib.sha256(rest[32:]).digest() != rest[:32]:
        raise _bad("a damaged file: its checksum does not fit", "get it again, or learn it again", where)
    try:
        unpacker = zlib.decompressobj()
        packed = unpacker.decompress(rest[32:], MAX_UNPACKED)
        if not unpacker.eof:
            raise _bad(f"more than {MAX_UNPACKED:,} bytes", "less", where)
        body = msgspec.msgpack.decode(packed, type=_Body)
    except (zlib.error, msgspec.DecodeError, RecursionError):
        raise _bad("contents that cannot be read", _ALLOWED, where) from None
    if fault := _fault(body):
        raise _bad(fault, _ALLOWED, where)
    public = _public(body)
    if fault := _numbers_fault(public):
        raise _bad(fault, _ALLOWED, where)
    years = np.frombuffer(body.years, "<u2").tolist()
    hues = np.frombuffer(body.hues, np.uint8)
    return Start(
        public, body.keys, body.titles, [year or None for year in years], hues, body.source, body.licence,
        body.made, body.genres,
    )  # fmt: skip


def _fault(body: _Body) -> str:
    """What is wrong with sizes and texts, if anything."""
    items, k = len(body.keys), body.k
    if not (0 < items <= MAX_ITEMS and 0 < k <= MAX_K):
        return f"{items:,} titles with {k} numbers; at most {MAX_ITEMS:,} with {MAX_K} can be used"
    sizes: dict[str, tuple[int, int]] = {
        "rows": (len(body.rows), 2 * items * k),
        "counts": (len(body.counts), 4 * items),
        "mean": (len(body.mean), 4 * k),
        "precision": (len(body.precision), 2 * k * (k + 1)),
        "hues": (len(body.hues), items),
        "years": (len(body.years), 2 * items),
        "titles": (len(body.titles), items),
        "genres": (len(body.genres), items if body.genres else 0),
    }
    for name, (has, needs) in sizes.items():
        if has != needs:
            return f"{name} of the wrong size"
    if len({row_id(key) for key in body.keys}) != items:
        return "a key that occurs twice"
    if any(key_fault(key) for key in body.keys):
        return "a key that is not in normal form"
    texts = (body.source, body.licence, body.made, *body.titles, *body.genres)
    if any(
        len(text) > 2 * MAX_TITLE or clean_title(text[:MAX_TITLE]) != text[:MAX_TITLE].rstrip()
        for text in texts
    ):
        return "a title that is not one plain line"
    return ""


def _public(body: _Body) -> PublicRows:
    k = body.k
    precision = np.zeros((k, k))
    precision[np.tril_indices(k)] = np.frombuffer(body.precision, "<f4")
    precision = precision + np.tril(precision, -1).T
    values: dict[str, Any] = {name: getattr(body, name) for name in _NUMBERS}
    return PublicRows(
        rows=np.frombuffer(body.rows, "<f2").reshape(-1, k).astype(np.float64),
        counts=np.frombuffer(body.counts, "<u4").astype(np.int64),
        mean=np.frombuffer(body.mean, "<f4").astype(np.float64),
        precision=precision,
        calibration=body.calibration,
        **values,
    )


def _numbers_fault(public: PublicRows) -> str:
    """What is wrong with the numbers, if anything: the rule must be able to solve with them."""
    arrays = (public.rows, public.mean, public.precision, np.array(public.calibration))
    numbers = [getattr(public, name) for name in _NUMBERS]
    if not all(np.isfinite(array).all() for array in (*arrays, np.array(numbers))):
        return "a number that is none"
    if min(numbers[:3]) <= 0 or min(numbers) < 0 or max(numbers) > 1e6:
        return "weights outside of 0 to a million"
    if not rises(public.calibration):
        return "a calibration that turns the order of titles around"
    try:
        np.linalg.cholesky(public.precision)
    except np.linalg.LinAlgError:
        return "a precision that is none"
    return ""


def _bad(got: str, allowed: str, where: object) -> BadInput:
    return BadInput("start file", got=got, allowed=allowed, where=where)
