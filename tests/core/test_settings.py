"""Every kind reads what it allows and refuses the rest."""

from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.core.settings import (
    Kind,
    Maybe,
    Number,
    OneOf,
    Parameter,
    Scale,
    Share,
    Switch,
    Text,
    Value,
    Whole,
)

PACE = OneOf(("low", "high"), Number(0, open_low=True))


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        (Whole(), "0", 0),
        (Whole(1), "12", 12),
        (Whole(-3), "-3", -3),
        (Number(), "0", 0.0),
        (Number(0, 1), "1", 1.0),
        (Number(0, open_low=True), "1e-3", 0.001),
        (OneOf(("a", "b")), "b", "b"),
        (Share(), "0.5", 0.5),
        (Share(), "1/4", 0.25),
        (PACE, "high", "high"),
        (PACE, "20", 20.0),
        (Switch(), "true", True),
        (Switch(), "False", False),
        (Text("a file"), "x.csv", "x.csv"),
        (Scale(), "1,5", "1,5"),
        (Scale(), "0.5, 10", "0.5,10"),
        (Maybe(Whole()), "none", None),
        (Maybe(Whole()), "None", None),
        (Maybe(Whole()), "4", 4),
    ],
)
def test_reads_what_it_allows(kind: Kind, text: str, value: Value) -> None:
    got = kind.parse(text)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Whole(), "-1"),
        (Whole(1), "0"),
        (Whole(), "1.5"),
        (Whole(), "many"),
        (Whole(), ""),
        (Whole(), "1e3"),
        (Whole(), str(2**62)),
        (Number(), "-0.1"),
        (Number(0, 1), "1.01"),
        (Number(0, open_low=True), "0"),
        (Number(), "nan"),
        (Number(), "inf"),
        (Number(-5), "-inf"),
        (Number(), ""),
        (OneOf(("a", "b")), "c"),
        (OneOf(("a", "b")), "A"),
        (PACE, "medium"),
        (PACE, "0"),
        (Switch(), "yes"),
        (Switch(), "1"),
        (Scale(), "5,1"),
        (Scale(), "1,1"),
        (Scale(), "1"),
        (Scale(), "1,2,3"),
        (Scale(), "nan,5"),
        (Scale(), "1,inf"),
        (Maybe(Whole(1)), "0"),
        (Maybe(Whole()), "nothing"),
        (Share(), "0"),
        (Share(), "3/2"),
        (Share(), "1/0"),
        (Share(), "half"),
    ],
)
def test_refuses_the_rest(kind: Kind, text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - each kind's own words; `Parameter` makes the sentence
        kind.parse(text)
    assert kind.allowed


def test_a_parameter_says_what_was_wrong_in_one_line() -> None:
    epochs = Parameter("epochs", 1, "passes", Whole(1))
    assert epochs.parse(" 3", "--set") == 3
    with pytest.raises(
        BadInput, match=r"^epochs: got many; allowed: a whole number from 1 \(--set epochs=many\)$"
    ):
        epochs.parse("many", "--set epochs=many")
    with pytest.raises(BadInput, match="got nothing"):
        epochs.parse("", "here")


def test_a_parameter_reads_values_of_a_recipe_file_too() -> None:
    assert Parameter("lazy", False, "", Switch()).parse(True, "recipe") is True
    assert Parameter("x", None, "", Maybe(Number())).parse(None, "recipe") is None
    assert Parameter("x", 1.0, "", Number()).parse(0.1, "recipe") == 0.1


def test_kinds_tell_what_they_allow_in_words() -> None:
    assert Whole(1).allowed == "a whole number from 1"
    assert Number(0, 1).allowed == "a number from 0, at most 1"
    assert PACE.allowed == "low, high, or a number above 0"
    assert Maybe(Whole()).allowed == "a whole number from 0, or none"
