from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.node.importers import archive
from tacit.node.importers.archive import open_export
from tests.node.importers.exports import plain, zip_bytes, zipped


def test_members_are_found_by_the_end_of_their_path() -> None:
    export = zipped(
        {"a/Ratings.csv": "x", "b/ratings.csv": "y", "myratings.csv": "z", "__MACOSX/ratings.csv": "q"}
    )
    assert export.named("ratings.csv") == ["a/Ratings.csv", "b/ratings.csv"]
    assert export.named("b/ratings.csv") == ["b/ratings.csv"]
    assert export.data("b/ratings.csv") == b"y"


@pytest.mark.parametrize("keep", [0.2, 0.5, 0.9, 0.99])
def test_a_zip_that_was_cut_off_is_refused(keep: float) -> None:
    data = zip_bytes({f"{i}.csv": f"item\n{i}\n" * 50 for i in range(20)})
    with pytest.raises(BadInput, match="damaged zip"):
        open_export(data[: int(len(data) * keep)], "export.zip")


def test_a_zip_with_flipped_bits_is_refused_when_read() -> None:
    data = bytearray(zip_bytes({"ratings.csv": "item,rating\n" + "7,4\n" * 1000}))
    data[50] ^= 0xFF
    with pytest.raises(BadInput, match="damaged"):
        open_export(bytes(data), "export.zip").data("ratings.csv")


def test_a_zip_bomb_is_refused_before_it_unpacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBER", 100_000)
    monkeypatch.setattr(archive, "MAX_TOTAL", 250_000)
    with pytest.raises(BadInput, match="too big"):
        zipped({"ratings.csv": b"\0" * 200_000}).data("ratings.csv")
    several = zipped({f"{i}.csv": b"\0" * 90_000 for i in range(3)})
    several.data("0.csv")
    several.data("1.csv")
    with pytest.raises(BadInput, match="too big"):
        several.data("2.csv")
    with pytest.raises(BadInput, match="too big"):
        plain(b"x" * 100_001)


def test_a_zip_of_too_many_files_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    with pytest.raises(BadInput, match="too big"):
        zipped({f"{i}": "x" for i in range(4)})


def test_a_locked_zip_is_refused() -> None:
    data = bytearray(zip_bytes({"ratings.csv": "item\n7\n"}))
    data[6] |= 1  # The flag for encryption, in the member's header and in the directory.
    directory = data.find(b"PK\x01\x02")
    data[directory + 8] |= 1
    with pytest.raises(BadInput, match="locked"):
        open_export(bytes(data), "export.zip").data("ratings.csv")


def test_names_in_a_zip_are_never_paths(tmp_path: Path) -> None:
    export = zipped({"../../evil.csv": "item\n7\n", "/etc/evil.csv": "item\n7\n"})
    assert export.data("../../evil.csv") == b"item\n7\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("data", [b"", b"  \n"])
def test_an_empty_file_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput, match="empty"):
        plain(data)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="does not exist"):
        open_export(tmp_path / "nothing.zip")
    with pytest.raises(BadInput, match="can be read"):
        open_export(tmp_path)


def test_an_empty_zip_is_no_export() -> None:
    buffer = io.BytesIO()
    zipfile.ZipFile(buffer, "w").close()
    assert open_export(buffer.getvalue(), "x.zip").names == []
