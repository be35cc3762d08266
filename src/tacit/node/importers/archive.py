"""Open an export: one file, or a zip with many, and decode its text. Nothing in it is trusted.

Sizes are capped while reading, so a zip that unpacks without end is refused early. Names inside a zip are compared and
never used as paths. Text is UTF-8, UTF-16 or Windows-1252, with or without a byte order mark.
"""

from __future__ import annotations

import codecs
import io
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from tacit.core.errors import BadInput

MAX_MEMBER = 100_000_000
MAX_TOTAL = 500_000_000
MAX_MEMBERS = 20_000
_HEAD = 16_384
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@dataclass(slots=True)
class Export:
    """A file or zip, opened. Member names are as the service gave them, with / between folders."""

    name: str
    names: list[str]
    folder: Path | None = None
    """Where a plain file lies; a few formats come as two files side by side."""
    _plain: bytes | None = None
    _zip: zipfile.ZipFile | None = None
    _read: int = 0
    _heads: dict[str, str] = field(default_factory=dict)

    def named(self, *endings: str) -> list[str]:
        """The members whose path ends so, whatever the case: `named("ratings.csv")`."""
        found = []
        for name in self.names:
            low = PurePosixPath("/", name.lower())
            if any(low.match(ending.lower()) for ending in endings):
                found.append(name)
        return sorted(found)

    def data(self, name: str) -> bytes:
        """A member's bytes; BadInput where it is damaged, locked or too big."""
        return self._bytes(name, MAX_MEMBER, all_of_it=True)

    def text(self, name: str) -> str:
        """A member's text, whatever its encoding."""
        return decode(self.data(name), where=PurePosixPath(name).name)

    def head(self, name: str) -> str:
        """The first lines of a member, for recognizing it; nothing if they cannot be read."""
        if name not in self._heads:
            try:
                self._heads[name] = decode(self._bytes(name, _HEAD, all_of_it=False), where=name, cut=True)
            except BadInput:
                self._heads[name] = ""
        return self._heads[name]

    def _bytes(self, name: str, most: int, *, all_of_it: bool) -> bytes:
        if self._zip is None:
            assert self._plain is not None
            return self._plain[:most]
        try:
            with self._zip.open(name) as member:
                data = member.read(most + 1)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
            raise BadInput(f"{self.name} is damaged; get it again", where=PurePosixPath(name).name) from error
        except (RuntimeError, NotImplementedError) as error:
            raise BadInput(
                f"{self.name} is locked or packed in an unusual way", allowed="a plain zip"
            ) from error
        if all_of_it:
            self._read += len(data)
            if len(data) > most or self._read > MAX_TOTAL:
                raise too_big(self.name)
        return data[:most]


def open_export(source: Path | bytes, name: str = "") -> Export:
    """Open a file on disk, or the bytes of one that was uploaded under a name."""
    path = source if isinstance(source, Path) else None
    data = _load(source) if isinstance(source, Path) else source
    name = PurePosixPath(name or (path.name if path else "upload")).name
    if len(data) > MAX_TOTAL:
        raise too_big(name)
    if not data.startswith(b"PK"):
        if not data.strip():
            raise BadInput(f"{name} is empty")
        if len(data) > MAX_MEMBER:
            raise too_big(name)
        return Export(name, [name], path.parent if path else None, _plain=data)
    try:
        opened = zipfile.ZipFile(io.BytesIO(data))
        entries = opened.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError) as error:
        raise BadInput(f"{name} is a damaged zip; get it again") from error
    if len(entries) > MAX_MEMBERS:
        raise too_big(name)
    members = {entry.filename for entry in entries if not entry.is_dir() and not _clutter(entry.filename)}
    return Export(name, sorted(members), _zip=opened)


def too_big(name: str) -> BadInput:
    """For a file, or what a zip holds, beyond the caps."""
    allowed = f"{MAX_MEMBER // 10**6} MB per file, {MAX_TOTAL // 10**6} MB in all, {MAX_MEMBERS:,} files"
    return BadInput(f"{name} is too big", allowed=allowed)


def _load(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_TOTAL:
            raise too_big(path.name)
        return path.read_bytes()
    except FileNotFoundError:
        raise BadInput(f"file: {path} does not exist") from None
    except OSError as error:
        raise BadInput("file", got=path, allowed="a file that can be read") from error


def _clutter(name: str) -> bool:
    return name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith(".")


class Line(int):
    """The number of a line (or entry), with the name of its file and its text as it was."""

    file: str
    text: str

    @classmethod
    def of(cls, number: int, file: str, text: str) -> Line:
        """Line `number` of a file.

        >>> line = Line.of(7, "ratings.csv", "Night Ferry,2010,eleven")
        >>> line + 1, line.text
        (8, 'Night Ferry,2010,eleven')
        """
        line = cls(number)
        line.file, line.text = file, text
        return line


def decode(data: bytes, where: str, *, cut: bool = False) -> str:
    """The text; BadInput for what is none. With `cut` the last character may be incomplete."""
    for encoding in _likely(data):
        try:
            # An incremental decoder keeps an incomplete last character for later instead of failing.
            text = codecs.getincrementaldecoder(encoding)().decode(data, final=not cut)
        except UnicodeError:
            continue
        if "\0" not in text:
            return text
    raise BadInput(f"{where} is not text", allowed="UTF-8, UTF-16 or Windows-1252")


def _likely(data: bytes) -> list[str]:
    for mark, encoding in _MARKS.items():
        if data.startswith(mark):
            return [encoding]
    sample = data[:1000]
    if sample.count(0) > len(sample) // 4:  # Latin letters in UTF-16: every other byte is zero.
        return ["utf-16-le" if sample[1::2].count(0) > sample[::2].count(0) else "utf-16-be"]
    return ["utf-8", "cp1252"]
