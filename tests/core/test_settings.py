"""Every type reads what it allows, refuses the rest, and says in words what that is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pytest
from msgspec import Meta

from tacit.core.errors import BadInput
from tacit.core.registry import construct
from tacit.core.settings import (
    Count,
    NonNegative,
    Positive,
    Proportion,
    Setting,
    Share,
    UnitInterval,
    Value,
    Whole,
    flatten,
    setting,
    settings_of,
    words,
)
from tacit.experiment.run_settings import Disclosed, Scale
from tacit.merges.polynomial import Polynomial
from tacit.protocols.gossip.protocol import Gossip

PACE = Literal["low", "high"] | Positive
TEXT = Annotated[str, Meta(description="a file")]


def read(hint: Any, value: object) -> Value:
    return Setting("x", "x", None, "", hint).read(value, "here")


@pytest.mark.parametrize(
    ("hint", "text", "value"),
    [
        (Whole, "0", 0),
        (Whole, " 3", 3),
        (Count, "12", 12),
        (Annotated[int, Meta(ge=-3)], "-3", -3),
        (NonNegative, "0", 0.0),
        (UnitInterval, "1", 1.0),
        (Positive, "1e-3", 0.001),
        (Literal["a", "b"], "b", "b"),
        (Share, "0.5", 0.5),
        (Share, "1/4", 0.25),
        (PACE, "high", "high"),
        (PACE, "20", 20.0),
        (bool, "true", True),
        (bool, "False", False),
        (TEXT, "x.csv", "x.csv"),
        (Scale, "1,5", "1,5"),
        (Scale, "0.5, 10", "0.5,10"),
        (Scale, "none", None),
        (Disclosed, "0.3", 0.3),
        (Disclosed, "who.csv", "who.csv"),
        (Whole | None, "none", None),
        (Whole | None, "None", None),
        (Whole | None, "4", 4),
        (Literal["none", "server"], None, "none"),
        (bool, True, True),
        (Positive | None, None, None),
        (NonNegative, 0.1, 0.1),
        (NonNegative, np.float64(0.25), 0.25),
        (Count, np.int64(7), 7),
    ],
)
def test_reads_what_it_allows(hint: Any, text: object, value: Value) -> None:
    got = read(hint, text)
    assert got == value
    assert type(got) is type(value)


@pytest.mark.parametrize(
    ("hint", "text"),
    [
        (Whole, "-1"),
        (Count, "0"),
        (Whole, "1.5"),
        (Whole, "many"),
        (Whole, ""),
        (Whole, str(2**62)),
        (NonNegative, "-0.1"),
        (UnitInterval, "1.01"),
        (Proportion, "0"),
        (Positive, "0"),
        (NonNegative, "nan"),
        (NonNegative, "inf"),
        (Annotated[float, Meta(ge=-5)], "-inf"),
        (NonNegative, ""),
        (Literal["a", "b"], "c"),
        (Literal["a", "b"], "A"),
        (PACE, "medium"),
        (PACE, "0"),
        (bool, "yes"),
        (bool, "1"),
        (bool, 1),
        (Scale, "5,1"),
        (Scale, "1,1"),
        (Scale, "1"),
        (Scale, "1,2,3"),
        (Scale, "nan,5"),
        (Scale, "1,inf"),
        (Count | None, "0"),
        (Whole | None, "nothing"),
        (Share, "0"),
        (Share, "3/2"),
        (Share, "1/0"),
        (Share, "half"),
        (Disclosed, "1.2"),
        (Disclosed, "who.doc"),
    ],
)
def test_refuses_the_rest(hint: Any, text: object) -> None:
    with pytest.raises(BadInput, match=r"^x: got .*; allowed: .+ \(here\)$"):
        read(hint, text)


def test_a_setting_says_what_was_wrong_in_one_line() -> None:
    epochs = Setting("epochs", "epochs", 1, "passes", Count)
    with pytest.raises(
        BadInput, match=r"^epochs: got many; allowed: a whole number from 1 \(--set epochs=many\)$"
    ):
        epochs.read("many", "--set epochs=many")
    with pytest.raises(BadInput, match="got nothing"):
        epochs.read("", "here")


def test_types_tell_what_they_allow_in_words() -> None:
    assert words(Count) == "a whole number from 1"
    assert words(UnitInterval) == "a number from 0, at most 1"
    assert words(PACE) == "low, high, or a number above 0"
    assert words(Whole | None) == "a whole number from 0, or none"
    assert words(TEXT) == "a file"


@dataclass(frozen=True)
class Tea:
    """A record with a name of its own for a setting, and one that nobody sets."""

    leaves: Count = setting(3, "how many", key="tea.leaves")
    hot: bool = setting(True, "or iced", later=True)
    water: float = 1.0

    name: ClassVar[str] = "tea"


def test_a_record_flattens_and_comes_back() -> None:
    table = settings_of(Tea)
    assert list(table) == ["tea.leaves", "hot"]
    assert (table["hot"].later, table["tea.leaves"].later) == (True, False)
    assert flatten(Tea(leaves=5)) == {"tea.leaves": 5, "hot": True}
    assert construct(Tea, {"tea.leaves": 5, "other": 1}, water=2.0, unknown=3) == Tea(leaves=5, water=2.0)


def test_parts_are_named_and_bring_their_own_settings() -> None:
    flat = flatten(Gossip(merge=Polynomial(degree=3.0), subsample=0.1))
    assert (flat["merge"], flat["merge.degree"], flat["peers"], flat["shield"]) == (
        "polynomial", 3.0, "uniform", "none",
    )  # fmt: skip
    assert construct(Gossip, flat) == Gossip(merge=Polynomial(degree=3.0), subsample=0.1)


@pytest.mark.parametrize(
    ("hint", "given", "value"),
    [
        (Positive, ".01", 0.01),
        (Positive, "5.", 5.0),
        (Count, "+5", 5),
        (Count, "1_000", 1000),
        (Annotated[str, Meta(description="ids")] | None, 3, "3"),
        (TEXT, 2.5, "2.5"),
    ],
)
def test_numbers_as_people_write_them(hint: Any, given: object, value: Value) -> None:
    assert read(hint, given) == value


@pytest.mark.parametrize(
    ("hint", "given"), [(Whole, "1e3"), (Whole, "5.0"), (Whole, 5.0), (Whole | None, "null")]
)
def test_a_whole_number_is_written_as_one(hint: Any, given: object) -> None:
    with pytest.raises(BadInput):
        read(hint, given)


def test_any_type_has_words() -> None:
    assert words(int) == "a whole number"
    assert words(float) == "a number"
    assert words(Annotated[float, Meta(le=5)]) == "a number, at most 5"
    assert words(Annotated[str, Meta(min_length=1)]) == "any text"
    assert words(Literal[1, 2]) == "1, 2"
