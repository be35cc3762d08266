from __future__ import annotations

from tests.node.importers.exports import by_key, plain, read

HEAD = '"uts","utc_time","artist","artist_mbid","album","album_mbid","track","track_mbid"\n'


def test_artists_heard_three_times() -> None:
    plays = [
        f'"{1700000000 + i}","17 May 2026, 12:54","Bj\u00c3\u00b6rk Lake","","A","","T","x"\n'
        for i in range(3)
    ]
    once = '"1700000100","17 May 2026, 12:54","Once Only","","A","","T",""\n'
    found = read(plain(HEAD + "".join(plays) + once, "ana.csv"))
    assert found.format == "lastfm"
    assert by_key(found) == {"artist:t:bjork lake": ("seen", None)}
    assert found.parsed[0].time == 1700000002
