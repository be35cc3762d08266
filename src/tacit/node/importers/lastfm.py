"""Last.fm: the csv that lastfm.ghan.nl makes of one's plays.

    uts,utc_time,artist,artist_mbid,album,album_mbid,track,track_mbid

Artists are what is recommended: single tracks are too many and too alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from tacit.node.importers.archive import Export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating
from tacit.node.importers.cells import parse_time
from tacit.node.importers.entries import has, table


def _recognizes(export: Export) -> bool:
    return any(has(export, name, "uts", "artist", "track") for name in export.names)


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in export.named("*.csv") or export.names:
        for line, cells in table(export, name, ("uts", "artist"), needed=("artist",)):
            when, exact = parse_time(cells["uts"])
            parsed = item_rating(
                "artist", cells["artist"], report, line, signal="seen", time=when, exact=exact
            )
            if parsed is not None:
                yield parsed


importer = Importer("Last.fm", "lastfm.ghan.nl, your name, csv", _recognizes, _read)
