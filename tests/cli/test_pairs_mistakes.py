"""What users can get wrong with pair-wise learning, typed as they would type it: exit code 2 and one clear line."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import polars as pl
import pytest

from tacit.cli.main import call
from tacit.experiment.recipes import recipes
from tacit.experiment.run_settings import settle

ROWS = [(f"u{u}", f"i{(u * 5 + n * 3) % 31:02}", n) for u in range(12) for n in range(10)]
DATA = pl.DataFrame(ROWS, schema=["user", "item", "timestamp"], orient="row").unique(["user", "item"])
FAST = ("--set", "data.min_user=0", "--set", "epochs=2", "--set", "model.k=2")
Shell = Callable[..., tuple[int, str, str]]


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Runs `tacit run` on a small file: exit code, stdout, stderr."""
    DATA.write_csv(tmp_path / "visits.csv")

    def run(recipe: str, *words: str, data: str = "visits.csv") -> tuple[int, str, str]:
        code = call(["run", recipe, "--data", str(tmp_path / data), *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("user,pi\nu1,1.5\n", "pi: got 1.5 for user u1; allowed: a number from 0, at most 1"),
        ("user,pi\nu1,\n", "pi: got None for user u1"),
        ("user,pi\nnobody,0.5\n", "pi: got user nobody; allowed: users of the data set"),
        ("who,share\nu1,0.5\n", "pi: got columns who, share; allowed: a .csv, .tsv or .parquet file"),
        (None, "it cannot be read"),
    ],
)
def test_files_of_pi(shell: Shell, tmp_path: Path, text: str | None, told: str) -> None:
    path = tmp_path / "pi.csv"
    if text is not None:
        path.write_text(text)
    code, out, err = shell("federank/tx", *FAST, "--set", f"pi={path}")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err


@pytest.mark.parametrize(
    ("recipe", "words", "told"),
    [
        ("fpl/sfpl", ["pi=1.01"], "pi: got 1.01; allowed: a number from 0, at most 1"),
        (
            "fpl/sfpl",
            ["evaluate.bias=true"],
            "evaluate.bias: got no item category; allowed: data with a column",
        ),
        ("fpl/pfpl", ["evaluate.k=32"], "evaluate.k: got 32; allowed: at most 31, the size of the catalogue"),
        ("baseline/popular", ["evaluate.k=32"], "evaluate.k: got 32; allowed: at most 31"),
        ("federank/tx", ["triples=100000"], "triples: got 100000; allowed: at most"),
        ("federank/t1", ["split.share=0.01"], "split temporal gives no user a test part"),
        ("federank/t1", ["best=precision@5"], "best: got precision@5; did you mean"),
        ("federank/t1", ["clients=13"], "clients: got 13; allowed: at most 12, the number of users, or all"),
        (
            "baseline/popular",
            ["pi=0.5"],
            "pi: got 0.5; allowed: 1 with protocol baseline, which sends no update",
        ),
    ],
)
def test_settings(shell: Shell, recipe: str, words: list[str], told: str) -> None:
    fast = FAST if "baseline" not in recipe else FAST[:2]
    code, out, err = shell(recipe, *fast, *(part for word in words for part in ("--set", word)))
    assert (code, out) == (2, "")
    assert told in err.splitlines()[-1]
    assert "Traceback" not in err


@pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed")
def test_an_extra_that_is_not_installed(shell: Shell) -> None:
    code, _, err = shell("baseline/vae", "--set", "data.min_user=0")
    assert code == 2
    assert "pip install '.[neural]' in a checkout" in err
    assert err.count("\n") == 1


def test_users_without_a_test_part_are_left_out_and_counted(shell: Shell, tmp_path: Path) -> None:
    few = DATA.filter((pl.col("user") != "u3") | (pl.col("timestamp") < 3))
    few.write_csv(tmp_path / "few.csv")
    code, out, _ = shell("federank/t1", *FAST, data="few.csv")
    assert code == 0
    assert "1 of 12 users have too few interactions for a test part" in out


def test_every_recipe_understands_pi() -> None:
    for found in recipes().values():
        assert settle(found.parameters, {"pi": "1"})["pi"] == 1
        assert settle(found.parameters, {"pi": "0.3"})["pi"] == 0.3
