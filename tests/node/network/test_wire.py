from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacit.core.errors import BadMessage
from tacit.core.message.update import received
from tacit.node.network.wire import (
    Exchange,
    Hello,
    Kind,
    NamedUpdate,
    PeerDescriptor,
    Refusal,
    _framed,
    pack,
    pack_update,
    plain,
    refuse,
    unpack,
)
from tacit.node.receive_limits import MAX_KEYS, MAX_MESSAGE, MAX_NEW_ROWS

NAMES = np.array([3, 2**40, 2**64 - 1], np.uint64)
UPDATE = received(
    3,
    None,
    np.arange(6, dtype=np.float32).reshape(3, 2),
    np.array([1, 0, 5], np.int32),
    np.zeros(0, np.float32),
    9,
)
DIGEST = b"12345678"


def test_what_goes_on_the_wire_comes_off_it() -> None:
    kind, got = unpack(pack_update(DIGEST, 17, NAMES, UPDATE))
    assert kind is Kind.UPDATE
    assert isinstance(got, NamedUpdate)
    assert (got.agreement, got.sequence, got.names.tolist()) == (DIGEST, 17, NAMES.tolist())
    assert got.update.rows.tolist() == UPDATE.rows.tolist()
    assert got.update.ages.tolist() == [1, 0, 5]
    for body in (
        Hello("model", "Ana", ["127.0.0.1:1"], True, "s"),
        Exchange([PeerDescriptor("ab" * 32, ["[::1]:7"], 3)], ["csv:1"]),
    ):
        number = Kind.HELLO if isinstance(body, Hello) else Kind.EXCHANGE
        assert unpack(pack(number, body)) == (number, body)
    assert unpack(refuse("no")) == (Kind.REFUSED, Refusal("no"))
    assert unpack(pack(Kind.OK)) == (Kind.OK, None)


@given(st.binary(max_size=200))
def test_noise_is_refused(data: bytes) -> None:
    with pytest.raises(BadMessage):
        unpack(data)


@given(st.data())
def test_a_changed_message_is_refused_wherever_it_was_changed(data: st.DataObject) -> None:
    good = data.draw(
        st.sampled_from([pack_update(DIGEST, 5, NAMES, UPDATE), pack(Kind.EXCHANGE, Exchange([], ["csv:1"]))])
    )
    at = data.draw(st.integers(0, len(good) - 1))
    bad = bytearray(good)
    bad[at] ^= data.draw(st.integers(1, 255))
    with pytest.raises(BadMessage):
        unpack(bytes(bad))


@pytest.mark.parametrize("good", [pack_update(DIGEST, 5, NAMES, UPDATE), pack(Kind.OK), refuse("because")])
def test_a_message_cut_short_or_too_long_is_refused(good: bytes) -> None:
    for length in range(len(good)):
        with pytest.raises(BadMessage):
            unpack(good[:length])
    with pytest.raises(BadMessage):
        unpack(good + b"\0")


@given(st.sampled_from(list(Kind)), st.binary(max_size=120))
def test_a_proper_frame_around_noise_is_refused_or_read_never_a_crash(kind: Kind, body: bytes) -> None:
    told = ""
    try:
        assert unpack(_framed(kind, body))[0] is kind
    except BadMessage as problem:
        told = str(problem)
    assert "\n" not in told


def framed_update(names: np.ndarray, rows: np.ndarray, sequence: int = 1) -> bytes:
    ages, none = np.ones(len(rows), np.int32), np.zeros(0, np.float32)
    return pack_update(DIGEST, sequence, names, received(len(rows), None, rows, ages, none, 1))


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_numbers_that_are_none_are_refused(number: float) -> None:
    rows = np.array([[1.0, number]], np.float32)
    with pytest.raises(BadMessage, match="NaN or infinity"):
        unpack(framed_update(np.array([4], np.uint64), rows))


@pytest.mark.parametrize("names", [[4, 4], [5, 4]])
def test_names_must_ascend(names: list[int]) -> None:
    with pytest.raises(BadMessage, match="out of order or twice"):
        unpack(framed_update(np.array(names, np.uint64), np.ones((2, 2), np.float32)))


def test_too_many_rows_too_many_bytes_a_sequence_of_zero() -> None:
    many = np.arange(MAX_NEW_ROWS + 1, dtype=np.uint64)
    with pytest.raises(BadMessage, match="message rows"):
        unpack(framed_update(many, np.ones((len(many), 1), np.float32)))
    with pytest.raises(BadMessage, match="bytes"):
        unpack(b"x" * (MAX_MESSAGE + 1))
    with pytest.raises(BadMessage, match="sequence"):
        unpack(framed_update(NAMES[:1], np.ones((1, 2), np.float32), 0))


def test_another_version_is_named() -> None:
    good = bytearray(pack(Kind.OK))
    good[4] = 2
    with pytest.raises(BadMessage, match="version: got 2; allowed: 1"):
        unpack(bytes(good))


@pytest.mark.parametrize(
    "body",
    [
        Exchange([], ["csv:1"] * (MAX_KEYS + 1)),
        Exchange([PeerDescriptor("no id", [], 0)]),
        Exchange([PeerDescriptor("ab" * 32, ["1.2.3.4:5"] * 99, 0)]),
        Exchange([PeerDescriptor("ab" * 32, [], -1)]),
    ],
)
def test_exchanges_have_limits(body: Exchange) -> None:
    with pytest.raises(BadMessage, match="another form"):
        unpack(pack(Kind.EXCHANGE, body))


def test_texts_from_others_are_one_plain_line() -> None:
    assert plain("a\nb\u202ec\x07" + "d" * 999, 10) == "a bcdddddd"
