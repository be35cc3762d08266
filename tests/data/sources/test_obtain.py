"""From a source to a file in the cache, without a network."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from tacit.core.errors import BadInput
from tacit.data.dataset import load
from tacit.data.files import sha256_of
from tacit.data.sources.download import NoDownload
from tacit.data.sources.known_datasets import SOURCES
from tacit.data.sources.locate import find, find_local
from tacit.data.sources.obtain import obtain

TINY = replace(SOURCES["movielens-1m"], rows=(2, 2, 3))


def archive(path: Path, ratings: str = "2::8::3::5\n1::8::4::9\n1::7::5::9\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("ml-1m/ratings.dat", ratings)
        packed.writestr("ml-1m/movies.dat", "7::Heat (1995)::Action\n8::Casino (1995)::Drama\n")
    return path


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(url: str, to: Path, **_: object) -> str:
        raise NoDownload("no network", url)

    monkeypatch.setattr("tacit.data.sources.obtain.download", refuse)


@pytest.mark.usefixtures("offline")
def test_an_archive_put_there_by_hand_is_used(tmp_path: Path) -> None:
    archive(tmp_path / "archives" / "ml-1m.zip")
    path = obtain(TINY, tmp_path)
    assert path == tmp_path / "movielens-1m.parquet"
    assert pl.read_parquet(path).rows() == [(1, 7, 5.0, 9), (1, 8, 4.0, 9), (2, 8, 3.0, 5)], (
        "by user, time, item"
    )
    data = load(path)
    assert data.items["title"].to_list() == ["Heat (1995)", "Casino (1995)"]
    left = sorted(p.name for p in tmp_path.iterdir())
    assert left == ["archives", "movielens-1m.items.parquet", "movielens-1m.parquet"], "no scratch files"


@pytest.mark.usefixtures("offline")
def test_offline_the_message_tells_what_to_get_and_where_to_put_it(tmp_path: Path) -> None:
    with pytest.raises(BadInput) as caught:
        obtain(TINY, tmp_path)
    assert f"no network; get {TINY.url} and put it at {tmp_path / 'archives' / 'ml-1m.zip'}" in str(
        caught.value
    )
    with pytest.raises(BadInput, match="gives it to researchers who ask; get it from https://webscope"):
        obtain(SOURCES["yahoo-r3"], tmp_path)
    with pytest.raises(BadInput, match="put the 4 files of"):
        obtain(SOURCES["mnist"], tmp_path)


def test_the_checksum_of_the_first_download_is_written_down_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fetched(url: str, to: Path, **_: object) -> str:
        return sha256_of(archive(to))

    monkeypatch.setattr("tacit.data.sources.obtain.download", fetched)
    obtain(TINY, tmp_path)
    obtain(TINY, tmp_path)
    archive(tmp_path / "archives" / "ml-1m.zip", "1::7::1::1\n1::8::1::1\n2::8::1::1\n")
    with pytest.raises(BadInput, match=r"checksum of the archive.*remove the file and its \.sha256"):
        obtain(TINY, tmp_path)


def test_what_is_no_archive_or_has_other_contents_is_refused(tmp_path: Path) -> None:
    path = archive(tmp_path / "archives" / "ml-1m.zip", "1::7::1::1\n")
    with pytest.raises(
        BadInput, match="contents of movielens-1m: got users 1, items 1, rows 1; allowed: users 2"
    ):
        obtain(TINY, tmp_path)
    archive(path, "1::seven::1::1\n")
    with pytest.raises(BadInput, match="archive of movielens-1m cannot be read"):
        obtain(TINY, tmp_path)
    path.write_bytes(b"<html>404</html>")
    with pytest.raises(BadInput, match=r"has no file ratings\.dat.*remove this one and try again"):
        obtain(TINY, tmp_path)
    assert not (tmp_path / "movielens-1m.parquet").exists()


@pytest.mark.usefixtures("offline")
def test_movielens_100k_comes_from_a_python_package_where_the_publisher_is_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pip(command: list[str], **_: object) -> None:
        assert command[1:4] == ["-m", "pip", "download"]
        assert command[-1] == "recbole==1.2.1"
        with zipfile.ZipFile(Path(command[-2]) / "recbole-1.2.1-py3-none-any.whl", "w") as wheel:
            wheel.writestr("recbole/ml-100k.inter", "header\n1\t7\t5\t10\n2\t8\t4\t11\n")
            wheel.writestr("recbole/ml-100k.item", "header\n7\tHeat\t1995\tAction\n8\tCasino\t1995\tDrama\n")

    monkeypatch.setattr(subprocess, "run", pip)
    source = replace(SOURCES["movielens-100k"], rows=(2, 2, 2))
    assert len(pl.read_parquet(obtain(source, tmp_path))) == 2


@pytest.mark.usefixtures("offline")
def test_without_pip_the_publisher_s_address_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(command: list[str], **_: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    monkeypatch.setattr(subprocess, "run", fails)
    with pytest.raises(BadInput, match=r"no network; get https://files\.grouplens\.org"):
        obtain(SOURCES["movielens-100k"], tmp_path)


def test_names_are_looked_for_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, cache = tmp_path / "own", tmp_path / "cache"
    monkeypatch.setattr("tacit.data.sources.locate.user_cache_path", lambda _: cache)
    monkeypatch.setenv("TACIT_DATA", str(own))
    assert find_local("movielens-1m") is None
    for folder in (cache / "data", own):
        folder.mkdir(parents=True)
        (folder / "movielens-1m.parquet").touch()
        found = find_local("movielens-1m")
        assert found is not None
        assert found[1].parent == folder
    (own / "mnist").mkdir()
    assert find_local("mnist") is None, "a folder without the four files"
    for name in SOURCES["mnist"].files:
        (own / "mnist" / name).touch()
    assert find("mnist") == own / "mnist"
    with pytest.raises(BadInput, match="mnist, which has images"):
        load("mnist")
    with pytest.raises(BadInput, match="did you mean movielens-10m"):
        find("movielens-10mm")


def test_the_list_of_data_sets_can_be_imported_first() -> None:
    """It looks for data sets of other packages while it is imported, and must not need its neighbours for that."""
    subprocess.run([sys.executable, "-c", "import tacit.data.sources.known_datasets"], check=True)
