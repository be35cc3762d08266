from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from tacit.cli.main import call
from tacit.core.errors import BadInput
from tacit.experiment import recipes as experiment_recipes
from tacit.experiment.recipes import recipe, recipes
from tacit.experiment.run_settings import known


def test_every_recipe_says_what_it_is() -> None:
    for name, found in recipes().items():
        assert found.name == name
        assert len(found.about) > 10, name
        assert "protocol" in found.parameters or "baseline" in found.parameters, name


PAPERS = ("hegedus", "fpl", "federank", "pepper", "dymbe")
PLAIN = {"protocol", "model", "rounds", "split"}
"""Names of parts, which have their source where they are written, and a length that the texts leave open."""


@pytest.mark.parametrize("name", [name for name in recipes() if name.startswith(PAPERS)])
def test_what_a_papers_recipe_chooses_says_where_it_comes_from(name: str) -> None:
    parameters = recipe(name).parameters
    told = {key: found.help for key, found in known(parameters).items() if key in parameters}
    place = re.compile(r"section|equation|algorithm|figure|definition|Feng et al|open in PEPPER")
    assert [key for key, help_ in told.items() if key not in PLAIN and not place.search(help_)] == []


def test_a_file_of_ones_own_works_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('protocol = "gossip"\n"model.k" = 3\n[merge]\ntrust = 0.5\n')
    found = recipe(str(path))
    assert found.parameters == {"protocol": "gossip", "model.k": 3, "merge.trust": 0.5}


def test_a_file_that_is_no_recipe_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    with pytest.raises(BadInput, match=r"a \.toml file that can be read"):
        recipe(str(path))
    path.write_text("protocol = \n")
    with pytest.raises(BadInput, match="lines of key = value"):
        recipe(str(path))
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match=r"a \.toml file that can be read"):
        recipe(str(path))


def test_an_unknown_name_brings_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"did you mean hegedus/gossip\?"):
        recipe("hegedus/gosip")


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Packages of recipes: one of two files, one of which is no TOML; others that are no good."""
    (tmp_path / "half_good").mkdir()
    (tmp_path / "half_good" / "slow.toml").write_text('about = "Slow"\nprotocol = "gossip"\n')
    (tmp_path / "half_good" / "wrong.toml").write_text('about = "Slow\n')
    (tmp_path / "raises.py").write_text('raise ValueError("oops")\n')
    monkeypatch.syspath_prepend(tmp_path)
    named = {"half": "half_good", "raises": "raises", "gone": "nosuch", "hegedus": "half_good"}
    found = EntryPoints(EntryPoint(name, module, "tacit.recipes") for name, module in named.items())
    monkeypatch.setattr(experiment_recipes, "_outside", lambda: found)
    experiment_recipes._tried.cache_clear()
    yield
    experiment_recipes._tried.cache_clear()


@pytest.mark.usefixtures("packages")
def test_a_broken_package_is_told_and_takes_nothing_along(capsys: pytest.CaptureFixture[str]) -> None:
    assert recipe("half/slow").about == "Slow"
    assert recipe("hegedus/gossip").parameters["protocol"] == "gossip", "tacit's own names are taken"
    for name, says in {
        "half/wrong": r"recipe half/wrong cannot be read: TOMLDecodeError: .*wrong\.toml",
        "raises/any": r"recipes raises cannot be read: ValueError: oops \(.*raises\.py, line 1\)",
        "gone/any": "recipes gone cannot be read: ModuleNotFoundError: No module named 'nosuch'",
    }.items():
        with pytest.raises(BadInput, match=says):
            recipe(name)
    assert call(["recipes"]) == 0
    told = capsys.readouterr()
    assert "half/slow" in told.out
    assert "half/wrong" not in told.out
    assert told.err.count("Note: left out: recipe") == 4
    assert call(["recipes", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["broken"]) == {"half/wrong", "raises", "gone", "hegedus"}
