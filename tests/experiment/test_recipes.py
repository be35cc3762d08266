from __future__ import annotations

from pathlib import Path

import pytest

from tacit.core.errors import BadInput
from tacit.experiment.recipes import recipe, recipes


def test_every_recipe_says_what_it_is() -> None:
    for name, found in recipes().items():
        assert found.name == name
        assert len(found.about) > 10, name
        assert "protocol" in found.parameters or "baseline" in found.parameters, name


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
