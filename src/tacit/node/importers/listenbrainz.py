"""ListenBrainz: the zip of one's listens, and the single file of before 2025.

    listens/2025/3.jsonl     {"listened_at": ..., "track_metadata": {"artist_name": ..., ...}}     one per line
    <user>_lb-<date>.json    the same in a list
    *feedback*               {"score": 1 or -1, "track_metadata": {...}}

Artists are what is recommended: single tracks are too many and too alike.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from tacit.node.importers.archive import Export
from tacit.node.importers.base import Importer, Options, ParsedRating, Report
from tacit.node.importers.build_ratings import item_rating
from tacit.node.importers.entries import entries, lines


class _Track(msgspec.Struct):
    artist_name: str = ""


class _Listen(msgspec.Struct):
    """What is kept of a listen; everything else is dropped while reading."""

    listened_at: int | None = None
    score: int | None = None
    track_metadata: _Track | None = None


def _recognizes(export: Export) -> bool:
    single = [n for n in export.named("*.json", "*.jsonl") if '"track_metadata"' in export.head(n)[:4000]]
    return bool(export.named("listens/*/*.jsonl") or single)


def _read(export: Export, options: Options, report: Report) -> Iterator[ParsedRating]:
    for name in export.named("listens/*/*.jsonl", "*feedback*.json*", "*_lb-*.json") or export.names:
        is_list = export.head(name).lstrip("\ufeff \n\r\t").startswith("[")
        for number, listen in (entries if is_list else lines)(export, name, _Listen, report):
            if listen.score == 0:
                continue
            if listen.track_metadata is None:
                report.skip("no artist", number)
                continue
            signal = {None: "seen", 1: "liked", -1: "disliked"}.get(listen.score, "seen")
            when = listen.listened_at if 0 < (listen.listened_at or 0) < 4_102_444_800 else None
            artist = listen.track_metadata.artist_name
            parsed = item_rating(
                "artist", artist, report, number, signal=signal, time=when, exact=when is not None
            )
            if parsed is not None:
                yield parsed


importer = Importer("ListenBrainz", "listenbrainz.org, Settings, Export data: a zip", _recognizes, _read)
