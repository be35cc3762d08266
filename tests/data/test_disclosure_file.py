from pathlib import Path

import numpy as np
import pytest

from tacit.core.errors import BadInput
from tacit.data.disclosure_file import read_pi

USERS = np.array(["ann", "bob", "7"], dtype=np.dtypes.StringDType())


def write(folder: Path, text: str) -> str:
    (folder / "pi.csv").write_text(text)
    return str(folder / "pi.csv")


def test_one_number_for_all() -> None:
    assert read_pi(1.0, USERS) == (None, [])
    each, _ = read_pi(0.25, USERS)
    assert each is not None
    assert each.tolist() == [0.25] * 3


def test_a_file_gives_each_user_their_own(tmp_path: Path) -> None:
    each, notes = read_pi(write(tmp_path, "user,pi\nbob,0.5\n7,0\n"), USERS)
    assert each is not None
    assert each.tolist() == [1, 0.5, 0]
    assert notes == ["1 of 3 users are not in pi.csv: pi 1"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("user,pi\neve,0.5\n", r"^pi: got user eve; allowed: users of the data set"),
        ("user,pi\nbob,1.5\n", r"^pi: got 1.5 for user bob; allowed: a number from 0, at most 1"),
        ("user,pi\nbob,much\n", r"^pi: got None for user bob; allowed: a number from 0, at most 1"),
        (
            "name,pi\nbob,1\n",
            r"^pi: got columns name, pi; allowed: a .csv, .tsv or .parquet file with columns user,pi",
        ),
    ],
)
def test_bad_files_get_one_clear_line(tmp_path: Path, text: str, line: str) -> None:
    with pytest.raises(BadInput, match=line):
        read_pi(write(tmp_path, text), USERS)


def test_a_file_that_is_not_there() -> None:
    with pytest.raises(BadInput, match=r"^pi: got nowhere.csv; allowed: .*cannot be read"):
        read_pi("nowhere.csv", USERS)
