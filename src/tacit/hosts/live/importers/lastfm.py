"""Last.fm: the csv that lastfm.ghan.nl makes of one's plays.

    uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid

Artists are what is recommended: single tracks are too many and too alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.hosts.live.importers._export import Export
from tacit.hosts.live.importers._making import item
from tacit.hosts.live.importers._tables import has, table
from tacit.hosts.live.importers._values import time
from tacit.hosts.live.importers.base import Importer, Options, Report, Row


def _recognizes(export: Export) -> bool:
    return any(has(export, name, "uts", "artist", "track") for name in export.names)


def _read(export: Export, options: Options, report: Report) -> Iterator[Row]:
    for name in export.named("*.csv") or export.names:
        for line, cells in table(export, name, ("uts", "artist"), needed=("artist",)):
            when, exact = time(cells["uts"])
            row = item("artist", cells["artist"], report, line, signal="seen", time=when, exact=exact)
            if row is not None:
                yield row


importer = Importer("Last.fm", "lastfm.ghan.nl, your name, csv", _recognizes, _read)
