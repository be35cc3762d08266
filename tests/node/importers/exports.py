"""Small invented exports, in memory."""

from __future__ import annotations

import io
import zipfile

from tacit.node.import_ratings import Import, read_export
from tacit.node.importers.archive import Export, open_export
from tacit.node.importers.base import Options


def plain(text: str | bytes, name: str = "export.csv") -> Export:
    return open_export(text.encode() if isinstance(text, str) else text, name)


def zip_bytes(members: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)  # Without the time of day.
    return buffer.getvalue()


def zipped(members: dict[str, str | bytes], name: str = "export.zip") -> Export:
    return open_export(zip_bytes(members), name)


def read(export: Export, *maps: str, cluster: bool = False) -> Import:
    """As the program does: the format is recognized, not given."""
    return read_export(export, options=Options.parse(list(maps), cluster=cluster))


def by_key(found: Import) -> dict[str, tuple[str, float | None]]:
    """(signal, rating of up to 5) by key."""
    return {row.key: (row.signal, row.stars) for row in found.parsed}
