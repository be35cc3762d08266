"""One line that says what, got, allowed and where."""

from __future__ import annotations

from tacit.core.errors import BadInput, BadMessage, Interrupted, TacitError, TooBig, unknown


def test_a_message_is_one_line_whatever_was_got() -> None:
    error = BadInput("epochs", got="a\nb\t c", allowed="a whole\nnumber", where="file.toml")
    assert str(error) == "epochs: got a b c; allowed: a whole number (file.toml)"


def test_parts_that_are_not_known_are_left_out() -> None:
    assert str(BadInput("no ratings")) == "no ratings"
    assert str(BadInput("x", got=0, where=0)) == "x: got 0 (0)"


def test_an_unknown_name_comes_with_the_nearest_and_all_others() -> None:
    text = str(unknown("merge", "non", ["none", "age-average"], "--set"))
    assert text == "merge: got non; did you mean none? known: age-average, none (--set)"
    assert "did you mean" not in str(unknown("merge", "xyz", ["none"]))


def test_what_a_user_can_mend_is_told_apart_from_stopping() -> None:
    assert all(issubclass(kind, TacitError) for kind in (BadInput, BadMessage, TooBig))
    assert not issubclass(Interrupted, TacitError)


def test_of_many_names_only_the_nearest_are_said() -> None:
    many = [f"setting{n}" for n in range(50)]
    near = str(unknown("parameter", "seting7", many, "tacit show lists all"))
    assert near == "parameter: got seting7; did you mean setting7? (tacit show lists all)"
    far = str(unknown("parameter", "xyz", many))
    assert far == "parameter: got xyz; known: setting0, setting1, setting10, ... (50 in all)"
    assert str(unknown("model", "", ["mf"])) == "model: got nothing; known: mf"
