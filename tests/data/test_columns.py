from __future__ import annotations

import pytest

from tacit.core.errors import BadInput
from tacit.data.columns import as_text, joined, parse_columns, pick, recognized


def test_what_is_named_counts_whatever_else_has_our_name() -> None:
    assert pick(["user", "item", "account"], columns="user=account") == {"item": "item", "account": "user"}
    assert pick(["item", "user"], columns="user=item,item=user") == {"item": "user", "user": "item"}


def test_case_and_spaces_do_not_matter() -> None:
    assert pick([" Who ", "ITEM"], columns={"user": "who"}) == {" Who ": "user", "ITEM": "item"}


def test_two_that_could_be_meant_are_left_to_the_user() -> None:
    with pytest.raises(BadInput, match="column item is missing: got user,movieId,itemId"):
        pick(["user", "movieId", "itemId"])
    assert pick(["user", "movieId", "item"]) == {"user": "user", "item": "item"}


def test_only_what_was_recognized_is_noted() -> None:
    assert recognized(["user", "item"]) == []
    assert recognized(["User_ID", "item"]) == ["columns read by another name: User_ID as user"]
    assert recognized(["userId", "what"], "user=userId,item=what") == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("user", "columns: got user; allowed: OURS=THEIRS"),
        ("user=", "columns: got user="),
        ("", "columns: got nothing"),
        ("usr=a", "columns: got usr; did you mean user?"),
        ("user=a,user=b", "columns: got user=a and user=b; allowed: each column once"),
        ("user=a,item=a", "columns: got user=a and item=a"),
    ],
)
def test_what_makes_no_sense_is_refused(given: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_columns(given)
    assert said in str(caught.value)


def test_a_named_column_that_is_not_there() -> None:
    with pytest.raises(
        BadInput, match=r"column who is missing: got user,item; allowed: --columns user=NAME \(x.csv\)"
    ):
        pick(["user", "item"], "x.csv", "user=who")


def test_a_mapping_becomes_the_text_of_a_setting() -> None:
    assert as_text({"user": "u", "item": "i"}) == "user=u,item=i"
    assert as_text(None) is None
    with pytest.raises(BadInput, match="names without , and ="):
        as_text({"user": "a,b"})


def test_several_texts_are_one() -> None:
    assert joined([]) is None
    assert joined(["user=u", "item=i,rating=r", "user=u"]) == "user=u,item=i,rating=r"
    with pytest.raises(BadInput, match="got user=a and user=b; allowed: each column once"):
        joined(["user=a", "user=b"])
