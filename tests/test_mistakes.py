"""Mistakes that people make, on the command line and in Python: each is one clear line, before anything runs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import tacit
from tacit.cli.main import call
from tacit.core.errors import BadInput
from tacit.merges import AgeAverage, Polynomial
from tacit.models import MF
from tacit.protocols import Gossip
from tests.docs.pages import files, page

GOSSIP = "hegedus/gossip-merge"
ROWS = [(f"u{u}", f"i{i}", 1 + (u * i) % 5) for u in range(20) for i in range(u % 3, 36, 3)]


def csv(header: str = "user,item,rating", line: str = "{},{},{}", more: str = "") -> bytes:
    """A file of ratings with something changed; `more` are its first lines."""
    return "\n".join([header, *filter(None, [more]), *(line.format(*row) for row in ROWS), ""]).encode()


FILES: dict[str, tuple[bytes, str]] = {
    "noheader.csv": (csv("1,2,3"), "column user is missing: got 1,2,3; .*add a header line"),
    "other.csv": (csv("a,b,c"), r"column user is missing: got a,b,c; .*--columns user=NAME"),
    "empty.csv": (b"", "got an empty file; allowed: a header and rows"),
    "header.csv": (b"user,item,rating\n", "got no rows; allowed: columns user,item"),
    "ragged.csv": (csv(more="1,2,3,4"), r"fields in a line: got 4; allowed: 3 .*line 2\)"),
    "latin.csv": (csv(more="x").replace(b"x", b"Jos\xe9,caf\xe9,3"), r"not UTF-8; allowed: UTF-8 .*line 2\)"),
    "broken.parquet": (b"PAR1 and no more", "got a damaged file or not Parquet at all"),
    "nan.csv": (csv(more="a,b,nan"), r"rating: got nan; allowed: a finite number \(.*line 2\)"),
    "inf.csv": (csv(more="a,b,inf"), r"rating: got inf; allowed: a finite number \(.*line 2\)"),
    "null.csv": (csv(more="a,b,"), r"rating: got nothing; allowed: a finite number \(.*line 2\)"),
    "words.csv": (csv(more="a,b,good"), r'rating: got "good"; allowed: a number \(.*line 2\)'),
    "one-user.csv": (csv(line="ana,{1},{2}"), r"users: got only one \(ana\); allowed: at least 2"),
    "one-item.csv": (csv(line="{0},tea,{2}"), r"items: got only one \(tea\); allowed: at least 2"),
}


@pytest.mark.parametrize("name", FILES)
def test_data_that_cannot_be_used(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content, says = FILES[name]
    (tmp_path / name).write_bytes(content)
    refused(["run", GOSSIP, "--data", str(tmp_path / name)], says, capsys)


WORDS = {
    "run nosuch/recipe": "recipe: got nosuch/recipe; known: ",
    "run hegedus/gosip": "recipe: got hegedus/gosip; did you mean hegedus/gossip",
    f"run {GOSSIP} --data nosuch.csv": "got no such file; allowed: a name or a path",
    f"run {GOSSIP} --data /usr": "file type: got /usr; allowed: .csv, .tsv, .parquet",
    f"run {GOSSIP} --data movilens-100k": "did you mean movielens-100k",
    f"run {GOSSIP} --set model.kk=3": "got model.kk; did you mean model.k",
    f"run {GOSSIP} --set k=3": "setting: got k; did you mean model.k? (--set k=3",
    f"run {GOSSIP} --set seed=3": "setting: got seed; did you mean --seed, which is given beside the settings?",
    f"compare {GOSSIP} --set seed=3": "got seed; did you mean --seed, which is given beside",
    f"compare {GOSSIP} --set k=3": "setting: got k; did you mean model.k?",
    f"sweep {GOSSIP} --vary k=3,4": "setting: got k; did you mean model.k?",
    f"run {GOSSIP} --set epochs": "--set: got 'epochs'; allowed: key=value",
    f"run {GOSSIP} --set start=stagered": "start: got stagered; allowed: staggered, synchronous",
    f"run {GOSSIP} --set epochs=-1": "epochs: got -1; allowed: a whole number from 1",
    f"run {GOSSIP} --set subsample=0": "subsample: got 0; allowed: a number above 0, at most 1",
    f"run {GOSSIP} --set hours=nan": "hours: got nan; allowed: a number above 0",
    f"run {GOSSIP} --set evaluate=ful": "evaluate: got ful; did you mean full",
    f"run {GOSSIP} --set evaluate=full --set evaluate.k=0": "evaluate.k: got 0; allowed: a whole number from 1",
    f"run {GOSSIP} --set evaluate=full --set evaluate.k=99": "evaluate.k: got 99; allowed: at most 36",
    f"run {GOSSIP} --set split.n=99": "gives no user a test part: got at most 12 interactions",
    f"run {GOSSIP} --set split=given": "split: got given; allowed: data with a column split",
    f"run {GOSSIP} --set data.min_user=99": "data.min_user=99 with data.min_item=0 leaves too little",
    f"run {GOSSIP} --set model.k=1000000000": "memory: needs about",
    f"run {GOSSIP} --seed -1": "--seed: got -1; allowed: a whole number from 0",
    f"run {GOSSIP} --threads 0": "Invalid value for '--threads'",
    f"run {GOSSIP} --columns user=nosuch": "column nosuch is missing: got user,item,rating",
    f"run {GOSSIP} --columns blah": "got blah; allowed: OURS=THEIRS",
    f"compare --arm a,b={GOSSIP}": "with a comma before LABEL=RECIPE; a label has none; allowed: LABEL=RECIPE",
    f"run {GOSSIP} --out ratings.csv": "--out: got ratings.csv; allowed: a folder that can be written",
    f"compare {GOSSIP} {GOSSIP}": f"got {GOSSIP} more than once; allowed: each once",
    f"compare {GOSSIP} --seeds 0": "--seeds: got 0; allowed: a whole number from 1",
    f"sweep {GOSSIP} --vary model.eta": "--vary: got 'model.eta'; allowed: key=v1,v2",
    "recommend nosuch --user 1": "folder: got nosuch, which does not exist",
    "table nosuch": "folder: got nosuch; allowed: one that --out wrote",
    "reproduce nosuch": "paper: got nosuch; known: dymbe, federank",
}


@pytest.mark.parametrize("words", WORDS)
def test_words_that_lead_nowhere(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ratings.csv").write_bytes(csv())
    monkeypatch.chdir(tmp_path)
    needs_data = words.startswith(("run", "compare", "sweep")) and "--data" not in words
    given = ["--data", "ratings.csv"] if needs_data else []
    refused([*words.split(), *given], WORDS[words], capsys, plain=True)


@pytest.mark.parametrize("command", ["run", "compare", "sweep"])
def test_an_empty_name_is_no_folder(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    vary = ["--vary", "model.k=2,3"] if command == "sweep" else []
    refused([command, GOSSIP, *vary, "--out", ""], "--out: got an empty text; allowed: a folder", capsys)
    function: Any = {"run": tacit.run, "compare": tacit.compare, "sweep": tacit.sweep}[command]
    with pytest.raises(BadInput, match=r"^out: got an empty text; allowed: a folder; . is the current one$"):
        function([GOSSIP] if command == "compare" else GOSSIP, data=FRAME, out="")


def refused(words: list[str], says: str, capsys: pytest.CaptureFixture[str], plain: bool = False) -> None:
    """Exit code 2, nothing on stdout, and one line that says so."""

    assert call(words) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert told.err.startswith("tacit: ")
    assert re.search(re.escape(says) if plain else says, told.err), told.err


FRAME = pl.DataFrame(ROWS, schema=["user", "item", "rating"], orient="row")


def run(*args: Any, **more: Any) -> object:
    """A run that should not begin."""
    return tacit.run(*args, progress=False, **more)


SLIPS: dict[str, tuple[Callable[[], object], str]] = {
    "a value in a protocol": (
        lambda: run(protocol=Gossip(subsample=5), data=FRAME),
        "subsample: got 5; allowed: a number above 0, at most 1 (Gossip)",
    ),
    "a value in a model": (
        lambda: run(GOSSIP, FRAME, model=MF(k=-8)),
        "model.k: got -8; allowed: a whole number from 0 (MatrixFactorization)",
    ),
    "a value in a part of a part": (
        lambda: run(protocol=Gossip(merge=Polynomial(degree=-3)), data=FRAME),
        "merge.degree: got -3; allowed: a number above 0, at most 100 (Polynomial)",
    ),
    "a name in an object's place": (
        lambda: run(protocol=Gossip(merge="age-average"), data=FRAME),  # type: ignore[arg-type]
        "merge: got 'age-average'; allowed: an object such as those of tacit.merges",
    ),
    "a class in an object's place": (
        lambda: run(protocol=Gossip(merge=AgeAverage), data=FRAME),  # type: ignore[arg-type]
        "merge: got the class AgeAverage; allowed: an object: AgeAverage()",
    ),
    "arguments in another order": (lambda: run(FRAME, GOSSIP), "recipe: got shape: "),
    "neither recipe nor protocol": (lambda: run(data=FRAME), "got neither a recipe nor a protocol"),
    "a setting as an argument": (
        lambda: run(GOSSIP, FRAME, hours=2),
        "argument: got hours; allowed: settings={'hours': 2}",
    ),
    "text in a model": (
        lambda: run(GOSSIP, FRAME, model=MF(k="8")),  # type: ignore[arg-type]
        "model.k: got '8'; allowed: a whole number from 0 (MatrixFactorization)",
    ),
    "a callback without an argument": (
        lambda: run(GOSSIP, FRAME, on_round=lambda: 1),
        "on_round: got <lambda>(); allowed: a function of one argument, or a list of such (",
    ),
    "a cut-off that is fixed": (
        lambda: run(GOSSIP, FRAME, settings={"evaluate": "sampled", "evaluate.k": 10}),
        "evaluate.k: got 10; allowed: nothing: this evaluation always measures at 5, 10 and 20",
    ),
    "a setting's value": (
        lambda: run(GOSSIP, FRAME, settings={"epochs": 0}),
        "epochs: got 0; allowed: a whole number from 1 (settings epochs=0)",
    ),
    "no seeds": (lambda: tacit.compare([GOSSIP], FRAME, seeds=0), "seeds: got 0; allowed: a whole number"),
    "an unknown argument": (lambda: run(GOSSIP, FRAME, modle=MF()), "did you mean model?"),
    "seeds of one run": (
        lambda: run(GOSSIP, FRAME, seeds=3),
        "argument: got seeds; did you mean seed? known: ",
    ),
    "a callback": (
        lambda: run(GOSSIP, FRAME, callback=print),
        "argument: got callback; did you mean on_round?",
    ),
    "callbacks": (
        lambda: tacit.compare([GOSSIP], FRAME, callbacks=[print]),  # type: ignore[call-arg]
        "argument: got callbacks; did you mean on_round?",
    ),
    "an argument like no other": (
        lambda: run(GOSSIP, FRAME, zzz=1),
        "argument: got zzz; known: baseline, columns, evaluate, keep_models, merge, model, on_round, out, overwrite, "
        "peers, progress, protocol, resume, seed, settings, shield, split, threads",
    ),
    "a seed among the settings": (
        lambda: run(GOSSIP, FRAME, settings={"seed": 3}),
        "setting: got seed; did you mean seed, which is given beside the settings? (settings seed=3",
    ),
    "a mapping in a setting": (
        lambda: run(GOSSIP, FRAME, settings={"model": {"k": 3}}),
        "model: got {'k': 3}; allowed: one setting at a time: settings={'model.k': 3}",
    ),
    "an unknown recipe of the list": (
        lambda: tacit.recipes()["tacit/bst"],
        "recipe: got tacit/bst; did you mean tacit/best?",
    ),
    "objects to try": (
        lambda: tacit.sweep(GOSSIP, {"model": [MF(k=2), MF(k=8)]}, FRAME),
        'vary model: got MatrixFactorization(...); allowed: names and numbers, such as {"model.k": [2, 8]}; '
        "tacit.compare takes objects in its arms",
    ),
    "a model as an arm": (
        lambda: tacit.compare([MF()], FRAME),  # type: ignore[list-item]
        "protocol MatrixFactorization has no build",
    ),
    "the same protocol twice": (
        lambda: tacit.compare([Gossip(), Gossip(subsample=0.5)], FRAME),
        "recipe: got gossip more than once; allowed: each once, or a label of its own",
    ),
    "settings as text": (
        lambda: run(GOSSIP, FRAME, settings="epochs=2"),
        "settings: got 'epochs=2'; allowed",
    ),
    "a seed as text": (lambda: run(GOSSIP, FRAME, seed="a"), "seed: got 'a'; allowed: a whole number"),
    "a seed that is a yes": (
        lambda: run(GOSSIP, FRAME, seed=True),
        "seed: got True; allowed: a whole number",
    ),
    "seeds as text": (
        lambda: tacit.compare([GOSSIP], FRAME, seeds="35"),  # type: ignore[arg-type]
        "seeds: got '35'; allowed: a whole number from 1, or several different seeds",
    ),
    "a number as a setting": (
        lambda: run(GOSSIP, FRAME, settings={1: 2}),
        'settings: got 1; allowed: names as text, such as {"epochs": 10}',
    ),
    "a number as a folder": (lambda: run(GOSSIP, FRAME, out=3), "out: got 3; allowed: the path of a folder"),
    "no folder": (
        lambda: tacit.open(None),  # type: ignore[arg-type]
        "folder: got None; allowed: the path of a folder",
    ),
    "a table of no folder": (
        lambda: tacit.table(None),  # type: ignore[arg-type]
        "folder: got None; allowed: the path of a folder",
    ),
    "a list from no folder": (
        lambda: tacit.recommend(None, 1),  # type: ignore[arg-type]
        "folder: got None; allowed: the path of a folder",
    ),
    "a picture of nothing": (
        lambda: tacit.plot(None),  # type: ignore[arg-type]
        "plot: got None; allowed: results and comparisons",
    ),
    "no threads": (lambda: run(GOSSIP, FRAME, threads=0), "threads: got 0; allowed: a whole number from 1"),
    "no callback": (lambda: run(GOSSIP, FRAME, on_round=3), "on_round: got 3; allowed: a function"),
    "an array": (lambda: run(GOSSIP, np.eye(3)), "data: got a numpy.ndarray; allowed: a known name, a path"),
    "one value to try": (
        lambda: tacit.sweep(GOSSIP, {"model.eta": 0.1}, FRAME),  # type: ignore[dict-item]
        "vary model.eta: got 0.1; allowed: a list of values",
    ),
    "values to try as text": (
        lambda: tacit.sweep(GOSSIP, {"model.eta": "0.1,0.2"}, FRAME),
        "vary model.eta: got '0.1,0.2'; allowed: a list of values",
    ),
    "an arm without a recipe": (lambda: tacit.compare({"a": 3}, FRAME), "arm a: got 3; allowed: a recipe's"),  # type: ignore[dict-item]
    "an arm with data of its own": (
        lambda: tacit.compare({"a": (GOSSIP, {"split": "temporal"}), "b": GOSSIP}, FRAME),
        "arm a: got split; allowed: what does not change the data, the split or the evaluation",
    ),
    "an audit of nothing": (lambda: tacit.audit(data=FRAME), "got neither a recipe nor a protocol"),
    "a folder of nothing": (lambda: tacit.open("nosuch"), "run: got no result.json; allowed: a folder"),
}


def test_an_impossible_arm_is_found_before_the_first_run() -> None:
    began: list[object] = []
    arms = {"gossip": GOSSIP, "popular": "baseline/popular"}
    with pytest.raises(
        BadInput, match=r"^evaluate: got rating; allowed: full or sampled with baseline popular"
    ):
        tacit.compare(arms, FRAME, settings={"evaluate": "rating"}, on_round=began.append, progress=False)
    assert not began
    with pytest.raises(
        BadInput, match=r"^evaluate: got accuracy with model mf; allowed: accuracy with model mlp"
    ):
        run(GOSSIP, FRAME, settings={"evaluate": "accuracy"})


def test_a_model_of_ones_own_that_outgrows_its_private_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stays inside with three ratings and writes elsewhere with more."""
    text = files(page("guide/extending.md"))["my_package/item_mean.py"]
    for old, new in (
        ("private_size: ClassVar[int] = 1", "private_size: ClassVar[int] = 3"),
        ("        ages[i] += 1\n", "        ages[i] += 1\n        private[n] = 0\n"),
    ):
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "mine.py").write_text(text)
    (tmp_path / "ratings.csv").write_bytes(csv())
    words = ["run", GOSSIP, "--data", str(tmp_path / "ratings.csv"), "--set", "split.n=3"]
    words += ["--set", f"model={tmp_path / 'mine.py'}"]
    refused(
        words, r"model item-mean: learn: got index 3 is out of bounds .*private_size 3 \(.*line \d+\)", capsys
    )


def test_files_of_data_are_not_replaced_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "ratings.csv", tmp_path / "out.csv"
    source.write_bytes(csv())
    out.write_text("mine")
    for command in ("prepare", "split"):
        words = ["data", command, str(source)]
        refused(
            [*words, str(out)],
            r"OUT: got .*out.csv, which exists; allowed: a new file, or --overwrite",
            capsys,
        )
        refused([*words, str(source), "--overwrite"], "OUT: got .*which is the file that is read", capsys)
        assert (source.read_bytes(), out.read_text()) == (csv(), "mine")
        assert call([*words, str(out), "--overwrite"]) == 0
        capsys.readouterr()
        assert out.read_text().startswith("user,item")
        out.write_text("mine")


@pytest.mark.parametrize("slip", SLIPS)
def test_slips_in_python(slip: str) -> None:
    wrong, says = SLIPS[slip]
    with pytest.raises(BadInput) as caught:
        wrong()
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_that_a_recipe_of_ones_own_misspells(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text('protocol = "gossip"\nmodel = "mf"\n"model.kk" = 3\n')
    refused(["show", str(tmp_path / "mine.toml")], r"got model.kk; .*did you mean model.k\? \(recipe", capsys)
