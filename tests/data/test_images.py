import gzip
from pathlib import Path

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.data.images import is_images, load_images, read_idx
from tests.digits import write_digits, write_idx


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TACIT_DATA", str(tmp_path))
    write_digits(tmp_path)
    return tmp_path


def test_idx(tmp_path: Path) -> None:
    write_idx(tmp_path / "a.gz", np.arange(12).reshape(3, 2, 2))
    assert read_idx(tmp_path / "a.gz").tolist() == np.arange(12).reshape(3, 2, 2).tolist()


@pytest.mark.parametrize("raw", [b"", b"\0\0\x0d\x01\0\0\0\1\0", b"\0\0\x08\x01\0\0\0\x09\0", b"\0\0\x08"])
def test_a_damaged_file_is_one_line(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "a.gz").write_bytes(gzip.compress(raw))
    with pytest.raises(BadInput, match=r"images.*an idx file"):
        read_idx(tmp_path / "a.gz")


def test_every_agent_gets_its_images_and_no_image_is_dealt_twice(folder: Path) -> None:
    dataset, split, images = load_images("mnist", 10, 5, seed=1)
    assert dataset.table.counts.tolist() == [5] * 10
    assert len(set(dataset.item_ids.tolist())) == 50
    assert images.train.shape == (50, 16)
    # In these pictures the brightest pixel tells the label.
    items, values = split.train.of(3)
    assert (images.train[items].argmax(axis=1) // 2).tolist() == values.astype(int).tolist()
    assert images.test.shape == (200, 16)
    assert split.train.items == 1
    other = load_images("mnist", 10, 5, seed=2)[0]
    assert dataset.item_ids.tolist() != other.item_ids.tolist()


def test_more_than_there_are(folder: Path) -> None:
    with pytest.raises(BadInput, match="1 to 400"):
        load_images("mnist", 401, 1, seed=0)


def test_which_names_are_images() -> None:
    assert is_images("mnist")
    assert not is_images("movielens-100k")
    assert not is_images(Path("mnist"))
