from __future__ import annotations

import json

from tests.node.importers.exports import by_key, plain, read, zipped


def listen(artist: str, time: int, **more: object) -> dict[str, object]:
    track = {"artist_name": artist, "track_name": "Secret", "additional_info": {}, "mbid_mapping": None}
    return {"listened_at": time, "track_metadata": track, **more}


LISTENS = [listen("The Blue Orchard", 1700000000 + i) for i in range(3)] + [listen("Once Only", 1700000009)]


def test_the_zip() -> None:
    lines = "\n".join(json.dumps(entry) for entry in LISTENS) + "\nnot json\n"
    feedback = (
        json.dumps(listen("Grey Hours", 0, score=-1)) + "\n" + json.dumps({"score": 1, "recording_mbid": "x"})
    )
    found = read(zipped({"user.json": "{}", "listens/2023/11.jsonl": lines, "feedback.jsonl": feedback}))
    assert found.format == "listenbrainz"
    assert by_key(found) == {
        "artist:t:blue orchard": ("seen", None),
        "artist:t:grey hours": ("disliked", None),
    }
    assert found.summary()["reasons"] == {
        "an entry that cannot be read": 1,
        "no artist": 1,
        "played fewer than 3 times": 1,
    }
    assert found.parsed[-1].value == 3
    assert "Secret" not in repr(found)


def test_the_single_file_of_before_2025() -> None:
    found = read(plain(json.dumps(LISTENS), "ana_lb-2024-01-01.json"))
    assert by_key(found) == {"artist:t:blue orchard": ("seen", None)}
