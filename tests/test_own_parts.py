"""Parts in files of one's own, from the command line: those of the page on parts as they are, then with mistakes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tacit.cli.main import call
from tacit.core import registry
from tests.docs.pages import files, page

FILES = {
    Path(name).stem: text
    for name, text in files(page("guide/extending.md")).items()
    if name.startswith("my_package/")
}
DATA = ["--data", "synthetic"]
for _setting in ("data.users=40", "data.items=60", "data.interactions=900", "rounds=3"):
    DATA += ["--set", _setting]
RUN, BASELINE, AUDIT = ["run", "hegedus/gossip-merge"], ["run", "baseline"], ["audit", "gossip"]
KINDS = {
    "item_mean": ("model", RUN),
    "cautious": ("merge", RUN),
    "first_half": ("peers", RUN),
    "rounding": ("shield", RUN),
    "ring": ("protocol", RUN),
    "auc": ("evaluate", RUN),
    "last_one": ("split", RUN),
    "best_rated": ("baseline", BASELINE),
    "top1": ("evaluate.metric", BASELINE),
    "last_ages": ("attack", AUDIT),
}


def written(folder: Path, name: str, *changes: str) -> Path:
    """An example of the page, with (old, new) texts changed."""
    text = FILES[name]
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    (folder / f"{name}.py").write_text(text)
    return folder / f"{name}.py"


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_part_works_from_its_file(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind, command = KINDS[name]
    path = written(tmp_path, name)
    assert call([*command, *DATA, "--set", f"{kind}={path}", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    if kind == "attack":
        assert [one["attacker"] for one in said["attackers"]][1:] == ["whoever has the device, by ages"]
        return
    assert said["parameters"][kind].startswith(f"{name}.py@")
    assert all(value == value for value in said["metrics"].values())


def test_a_class_of_a_file_is_picked_by_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "cautious", "\n\nmerge = Cautious", "\n\nOther = Cautious")
    assert call([*RUN, *DATA, "--set", f"merge={path}:Other", "--set", "merge.trust=0.8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["parameters"]
    assert found["merge"].startswith("cautious.py:Other@")
    assert found["merge.trust"] == 0.8


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("ages[i] += 1", "pass", "so none is used: learn of item-mean must add to node.ages"),
        (
            "return rows[item, 0] + private[0]",
            "return 3.0",
            "look at what item-mean learns and how it scores",
        ),
    ],
)
def test_a_model_that_learns_nothing_is_told(
    old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "item_mean", old, new)
    assert call([*RUN, *DATA, "--set", f"model={path}", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["notes"]
    assert any(note.startswith("predictions hardly vary") and note.endswith(says) for note in told), told


def test_show_lists_the_settings_of_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, "cautious")
    assert call(["show", "hegedus/gossip-merge", "--set", f"merge={path}"]) == 0
    assert "how much of a received row counts [a number from 0, at most 1]" in capsys.readouterr().out
    assert call(["show", "gossip", "--set", f"merge={path}", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["merge.trust"] == 0.5


MISTAKES = [
    ("item_mean", "    row_width: ClassVar[int] = 1\n", "", r"model ItemMean has no row_width; .*line 54\)"),
    (
        "item_mean",
        "learn(node, own, draws, hyper)",
        "learn(node, own)",
        r"got learn\(node, own\); allowed: learn\(",
    ),
    ("item_mean", "@kernel\ndef score", "def score", r"score is plain Python; .*@kernel \(.*, line 42\)"),
    (
        "item_mean",
        "ages[i] += 1",
        "ages.append(i)",
        r"cannot compile: Unknown attribute 'append' .*line 36\)",
    ),
    (
        "item_mean",
        "return Hyper(",
        "return dict(x=",
        r"hyper\(\): got a dict; allowed: a named tuple .*line 71\)",
    ),
    ("item_mean", "return Hyper(", "return Hypr(", r"NameError: name 'Hypr' is not defined \(.*line 73\)"),
    ("item_mean", "own, draws, hyper):", "own, draws, hyper)", r"cannot be loaded: SyntaxError: .*line 30\)"),
    ("item_mean", "import numpy", "import nosuch", r"No module named 'nosuch' \(.*line 6\)"),
    ("item_mean", "model = ItemMean", "model = Mean", r"name 'Mean' is not defined \(.*line 76\)"),
    (
        "item_mean",
        "(frozen=True, slots=True)",
        "",
        r"ItemMean is not frozen; allowed: @dataclass\(frozen=True\)",
    ),
    (
        "item_mean",
        "@dataclass(frozen=True, slots=True)\n",
        "",
        "ItemMean is no dataclass; allowed: a class under",
    ),
    (
        "item_mean",
        "Visibility.PRIVATE",
        "Visibility.SHARED",
        "field private: got shared; allowed: the simulator",
    ),
    ("item_mean", "score, unseen)", "score)", r"missing 1 required .*'unseen' \(.*line 63\)"),
    (
        "cautious",
        "setting(0.5,",
        "setting(5,",
        r"default of trust: got 5; allowed: a number from 0, at most 1",
    ),
    (
        "cautious",
        "their_age: int, shape: float",
        "their_age: int",
        r"got weight\(age, their_age\); .*line 11\)",
    ),
    (
        "cautious",
        "def shape(",
        "def form(",
        "Cautious has no shape; allowed: a part with name, shape, weight",
    ),
    (
        "cautious",
        "return self.trust",
        "return self.true",
        r"'Cautious' object has no attribute 'true' \(.*line 31",
    ),
    (
        "cautious",
        'setting(0.5, "how much of a received row counts")',
        "None",
        "default of trust: got none|has no",
    ),
    ("first_half", ", shape: float)", ")", r"got pick\(seed, node, event, candidates\); .*line 11\)"),
    (
        "first_half",
        "_STREAM, node, event, 0)",
        "Stream.PEERS, node, event, 0)",
        "Stream is no number.*_STREAM = ",
    ),
    (
        "rounding",
        ", rated: Positions, draws: Draws)",
        ")",
        r"got apply\(update\); allowed: apply\(update, rated,",
    ),
    (
        "rounding",
        "return reshape(update, rows=rows)",
        "return rows",
        "apply of shield Rounding: got a ndarray",
    ),
    (
        "rounding",
        "update.rows / ",
        "update.rowz / ",
        r"no attribute 'rowz' \(.*rounding.py, line 18; --debug",
    ),
    (
        "ring",
        "    hops: Count",
        "    rounds: Count",
        r"setting rounds of Ring; allowed: another name.*line 21\)",
    ),
    (
        "ring",
        "def build(self, scenario: Scenario)",
        "def build(self)",
        r"got build\(\); allowed: build\(scenario\)",
    ),
    ("ring", "def memory(", "def memry(", "Can't instantiate abstract class Ring .*memory"),
    (
        "ring",
        "    merge: Merge",
        "    join: Merge",
        "setting join holds a part; allowed: .*merge, peers, shield",
    ),
    ("auc", '    headline = "auc"\n', "", "evaluation Auc has no headline"),
    ("auc", '    headline = "auc"', '    headline = "ac"', "headline: got ac; allowed: auc"),
    (
        "auc",
        'return {"auc": found}',
        'return {"auc": 3}',
        r"per_user of evaluation Auc: got auc of shape \(\); allowed: names .* each of 3 users.*line 18\)",
    ),
    (
        "auc",
        'return {"auc": found}',
        "return {}",
        r"per_user .*: got a dict without any; allowed: names .*line 18\)",
    ),
    (
        "auc",
        'return {"auc": found}',
        'return {"auc": found[:3]}',
        r"per_user of evaluation Auc: got auc of shape \(3,\); allowed: names .* each of 40 users.*line 18\)",
    ),
    (
        "last_one",
        "return test",
        "return test[:3]",
        r"got bool of shape \(3,\) from held_out; allowed: true or",
    ),
    ("last_one", "] = True", "] = False", "got no test part; allowed: something to learn from"),
    ("last_one", "keep: Count", "n: Count", "setting split.n of LastOne; allowed: another name"),
    (
        "best_rated",
        "return BestRatedScorer(train, self.weight)",
        "return 3",
        "fit of baseline BestRated: got a int",
    ),
    ("top1", "(hits, relevant):", "(hits):", r"got top1\(hits\); allowed: top1\(hits, relevant\)"),
    ("top1", "return where", "return 3.0, where", "got an array|inhomogeneous"),
    ("last_ages", '("gossip", "ring")', '"gossip"', r"got against = 'gossip'; allowed: a tuple of names"),
    (
        "cautious",
        "share = np.float32(",
        "share = half(",
        r"name 'half' is not defined \(.*cautious.py, line 16\)",
    ),
    (
        "item_mean",
        "rows[:] = hyper.middle",
        "rows[:] = np.foo(3)",
        r"no attribute 'foo' \(.*item_mean.py, line 20\)",
    ),
    (
        "item_mean",
        "return rows[item, 0] + private[0]",
        "return 'a'",
        r"score: got 'a'; allowed: a number \(.*line 42",
    ),
    (
        "item_mean",
        "row_width: ClassVar[int] = 1",
        "row_width: ClassVar[int] = -1",
        "row_width: got -1; allowed: a whole",
    ),
    (
        "auc",
        'return {"auc": float(',
        'return {"ac": float(',
        "measure of evaluation Auc: got ac; allowed: metrics by",
    ),
    (
        "auc",
        "(self, experiment, workers)",
        "(self, experiment)",
        r"got __init__\(self, experiment\); allowed: ",
    ),
    (
        "auc",
        "[type] = AucSettings",
        "[type] = dict",
        "Settings = <class 'dict'>; allowed: Settings that are a frozen",
    ),
    (
        "best_rated",
        "super().__init__(train.users, train.items)",
        "pass",
        "BestRatedScorer has no users, items; allowed",
    ),
    (
        "top1",
        "where_relevant(hits[:, 0].astype(float), relevant)",
        "['a'] * len(hits)",
        "of <U1; allowed: one value",
    ),
    (
        "last_ages",
        "return [judge(",
        "return None and [judge(",
        "look of attack LastAges: got None; allowed: a list",
    ),
    (
        "ring",
        "(nodes + self.hops) % len(nodes)",
        "nodes + self.hops",
        r"graph: got neighbours 1 to 3; allowed: 0 to 2",
    ),
    (
        "ring",
        "return GossipSimulation(",
        "return None and GossipSimulation(",
        "got a NoneType; allowed: a Simulation",
    ),
    (
        "ring",
        "class Ring(Protocol)",
        "class Ring",
        r"protocol Ring is no Protocol; allowed: class Ring\(Protocol\)",
    ),
    (
        "item_mean",
        "        off += own.values[n]",
        "        if ages[i] > 3:\n            rows[i, 1] += 0.001\n        off += own.values[n]",
        r"model item-mean: learn: got index 1 is out of bounds .*row_width 1,.*item_mean.py, line 39\)",
    ),
    (
        "item_mean",
        "        off += own.values[n]",
        "        if ages[i] == 3:\n            rows[i, 1] += 0.001\n        off += own.values[n]",
        r"model item-mean: got an index outside of an array; allowed: rows of row_width 1,.*item_mean.py, line 56\)",
    ),
    (
        "item_mean",
        "return rows[item, 0] + private[0]",
        "rows[item, 0] + private[0]",
        r"score: got None; allowed: a number \(.*item_mean.py, line 42\)",
    ),
    (
        "first_half",
        "    return below(seed, _STREAM, node, event, 1,",
        "    return 100000 * (node == 7) + below(seed, _STREAM, node, event, 1,",
        r"sampler first-half: pick: got place 1000\d+ of \d+; allowed: 0 to \d+ \(.*first_half.py, line 11\)",
    ),
    (
        "first_half",
        "    return below(seed,",
        "    below(seed,",
        r"sampler first-half: pick: got None; allowed: a whole number \(.*first_half.py, line 11\)",
    ),
    (
        "cautious",
        "    return share",
        "    share",
        r"merge cautious: weight: got None .*; allowed: a number from 0 to 1 \(.*cautious.py, line 11\)",
    ),
    (
        "cautious",
        "    return share",
        "    return np.float32(50) * share",
        r"merge cautious: weight: got .*; allowed: a number from 0 to 1 \(.*cautious.py, line 11\)",
    ),
    (
        "rounding",
        "reshape(update, rows=rows)",
        "reshape(update, rows=rows * np.float32(np.nan))",
        r"apply of shield Rounding: got NaN or infinity; allowed: finite numbers \(.*rounding.py, line 10\)",
    ),
    (
        "rounding",
        "reshape(update, rows=rows)",
        "reshape(update, rows=rows[:, 1:])",
        r"shield Rounding: model \(items, width, .*; allowed: .*rounding.py, line 10\)",
    ),
    (
        "best_rated",
        "out[:] = ",
        "out[:] = np.nan * ",
        r"baseline BestRated: .* of BestRatedScorer: got .* scores that are no .*best_rated.py, line \d+\)",
    ),
    ("last_ages", '("gossip", "ring")', '("gosip",)', r"against: got gosip; did you mean gossip\?"),
]


@pytest.mark.parametrize(("name", "old", "new", "says"), MISTAKES)
def test_a_mistake_is_one_line_with_its_place(
    name: str, old: str, new: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kind, command = KINDS[name]
    path = written(tmp_path, name, old, new)
    if name == "ring" and "hops: Count" in old:
        path.write_text(path.read_text().replace("self.hops", "self.rounds"))
    if "join" in new:
        path.write_text(path.read_text().replace("self.merge", "self.join"))
    assert call([*command, *DATA, "--set", f"{kind}={path}"]) in (1, 2)
    told = capsys.readouterr().err.strip().splitlines()
    wrong = [line for line in told if line.startswith("tacit: ")]
    assert len(wrong) == 1
    assert re.search(says, wrong[0]), wrong[0]
    assert "Traceback" not in "".join(told)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("model=./nosuch.py", "model: got nosuch.py; allowed: a file that can be read"),
        ("model=", "model: got nothing; known: als"),
        ("protocol=", "protocol: got nothing; known: alone"),
        ("evaluate=", "evaluate: got nothing; known: accuracy"),
        ("split=", "split: got nothing; known: given, random-n"),
        ("model=mine@12345678", "mine@12345678, which has no package; allowed: the part itself, given again"),
        ("sampler=uniform", "setting: got sampler; did you mean peers?"),
        ("attack=x", "setting: got attack; did you mean tacit audit, which takes it?"),
        ("modl.k=3", "setting: got modl.k; did you mean model.k? (--set modl.k=3"),
    ],
)
def test_a_name_that_leads_nowhere(given: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert call([*RUN, *DATA, "--set", given]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
    assert len(told) < 400


def test_a_file_of_another_kind_and_one_of_several(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, "cautious")
    assert call([*RUN, *DATA, "--set", f"model={path}"]) == 2
    assert "cautious.py, which defines none; allowed: a file that defines one" in capsys.readouterr().err
    written(tmp_path, "cautious", "merge = Cautious\n", "class Bold(Cautious):\n    pass\n")
    assert call([*RUN, *DATA, "--set", f"merge={path}"]) == 2
    assert "which defines several; allowed: one of" in capsys.readouterr().err
    assert call([*RUN, *DATA, "--set", f"merge={path}:Brave"]) == 2
    assert "got cautious.py:Brave; allowed: a name that cautious.py defines" in capsys.readouterr().err


def test_debug_shows_all_that_numba_said(tmp_path: Path) -> None:
    path = written(tmp_path, "item_mean", "ages[i] += 1", "ages.append(i)")
    with pytest.raises(Exception, match="cannot compile") as caught:
        call(["--debug", *RUN, *DATA, "--set", f"model={path}"])
    assert not caught.value.__suppress_context__
    assert "nopython" in str(caught.value.__context__)


def test_a_changed_file_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = written(tmp_path, "item_mean"), str(tmp_path / "run")
    words = [*RUN, *DATA, "--set", f"model={path}", "--out", out]
    assert call(words) == 0
    noted = json.loads((tmp_path / "run" / "parts.json").read_text())["model"]
    assert noted["from"] == str(path)
    assert noted["name"].startswith("item_mean.py@")
    assert call([*words, "--resume"]) == 0
    assert call(["recommend", out, "--user", "1", "--json"]) == 0
    capsys.readouterr()
    written(tmp_path, "item_mean", "(ages[i] + 1)", "(ages[i] + 2)")
    assert call([*words, "--resume"]) == 2
    told = capsys.readouterr().err
    assert "--resume: model: got item_mean.py@" in told
    assert told.count("\n") == 1
    assert call(["recommend", out, "--user", "1"]) == 2
    assert "which was changed since; allowed: item_mean.py@" in capsys.readouterr().err
    path.unlink()
    assert call(["recommend", out, "--user", "1"]) == 2
    assert "item_mean.py; allowed: a file that can be read" in capsys.readouterr().err


def test_a_protocol_of_a_file_needs_no_recipe_and_is_found_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "ring")
    monkeypatch.chdir(tmp_path)
    assert call(["run", "./ring.py", *DATA, "--out", "run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["recipe"].startswith("ring.py@")
    assert call(["run", "./ring.py", *DATA, "--out", "run", "--resume"]) == 0
    monkeypatch.chdir("/")
    monkeypatch.setattr(registry, "_MET", {})
    assert call(["recommend", str(tmp_path / "run"), "--user", "1", "--json"]) == 0
