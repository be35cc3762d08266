"""What is written is read back bit for bit; whatever else comes in is refused as a bad message."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tacit.core.errors import BadMessage
from tacit.core.message import codec
from tacit.core.message.update import Update, arrays, received
from tacit.core.node_state import NodeState

HEADER = struct.Struct("<4sBBHIIIQ")


@st.composite
def updates(draw: st.DrawFn) -> Update:
    dtype = draw(st.sampled_from([np.float16, np.float32, np.float64]))
    width_of = {np.float16: 16, np.float32: 32, np.float64: 64}
    numbers = st.floats(allow_nan=False, allow_infinity=False, width=width_of[dtype])  # type: ignore[arg-type]
    items, width, dense = draw(st.integers(0, 12)), draw(st.integers(0, 4)), draw(st.integers(0, 5))
    index = None
    if draw(st.booleans()):
        chosen = draw(st.sets(st.integers(0, items - 1))) if items else set()
        index = np.array(sorted(chosen), np.int32)
    count = items if index is None else len(index)
    return received(
        items,
        index,
        draw(hnp.arrays(dtype, (count, width), elements=numbers)),
        draw(hnp.arrays(np.int32, draw(st.sampled_from([0, count])), elements=st.integers(0, 2**31 - 1))),
        draw(hnp.arrays(dtype, dense, elements=numbers)),
        draw(st.integers(0, 2**63 - 1)),
    )


def example(*, sparse: bool = True, dtype: str = "float32") -> Update:
    rows = np.array([[1.5, 2], [3, 4], [5, 6]], dtype)
    index = np.array([1, 4, 6], np.int32) if sparse else None
    return received(
        8 if sparse else 3, index, rows, np.array([1, 0, 2], np.int32), np.array([9, 8], dtype), 5
    )


@given(updates())
def test_round_trip_is_exact(update: Update) -> None:
    data = codec.encode(update)
    back = codec.decode(data)
    assert (back.items, back.clock) == (update.items, update.clock)
    assert (back.index is None) == (update.index is None)
    for a, b in zip(arrays(back), arrays(update), strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        assert a.tobytes() == b.tobytes()
    rows, width = update.rows.shape
    size = codec.encoded_size(
        rows,
        width,
        len(update.dense),
        sparse=update.index is not None,
        itemsize=update.rows.itemsize,
        ages=len(update.ages) > 0,
    )
    assert len(data) == size - update.rows.nbytes + codec.rows_size(update.rows) <= size


def test_size_by_hand() -> None:
    # header 4+1+1+2+4+4+4+8 = 28; 3 rows of position 4, age 4, two numbers 8; two dense numbers 8
    assert len(codec.encode(example())) == 28 + 3 * (4 + 4 + 8) + 8
    # no positions; numbers twice as wide
    assert len(codec.encode(example(sparse=False, dtype="float64"))) == 28 + 3 * (4 + 16) + 16


def test_sums_by_hand() -> None:
    # header 28; two rows of position 4 and three half-precision numbers 6, no ages; one number 2
    rows, none = np.full((2, 3), 1.1, np.float16), np.zeros(0, np.int32)
    update = received(9, np.array([0, 8], np.int32), rows, none, np.ones(1, np.float16), 1)
    assert len(codec.encode(update)) == 28 + 2 * (4 + 6) + 2
    assert len(codec.decode(codec.encode(update)).ages) == 0


def sums(rows: np.ndarray) -> Update:
    return received(len(rows), None, rows, np.zeros(0, np.int32), np.array([0.1], np.float16), 1)


def test_only_bits_travel_that_say_something() -> None:
    # Of twenty numbers all have one exponent, in a code of one bit, a sign, and none, two or all ten bits more.
    for last, size in ((-1.0, 16 + 5), (-1.25, 16 + 10), (-1.001, 40)):
        rows = np.ones((5, 4), np.float16)
        rows[4, 3] = last
        update = sums(rows)
        assert len(codec.encode(update)) == 28 + size + 2
        assert codec.decode(codec.encode(update)).rows.tobytes() == rows.tobytes()
    # Few numbers are shorter as they are than with a table.
    assert len(codec.encode(sums(np.ones((2, 4), np.float16)))) == 28 + 16 + 2


def test_packed_rows_in_any_other_form_than_encode_writes_are_refused() -> None:
    data = codec.encode(sums(np.ones((5, 4), np.float16)))
    assert data[5] == 4 + 8 + (10 << 4)
    codec.decode(data)
    for at, value in (
        (5, 4 + 8 + (8 << 4)),  # more bits than needed
        (28 + 7, 0x02),  # a longer code for the exponent 15 of 1.0
        (28 + 8, 0x10),  # a code for an exponent that does not occur
        (28 + 7, 0),  # no code at all
        (28 + 20, data[28 + 20] ^ 1 << 7),  # a bit that no code begins with
    ):
        with pytest.raises(BadMessage):
            codec.decode(data[:at] + bytes([value]) + data[at + 1 :])
    for cut in (data[:-3] + data[-2:], data[:-2] + b"\0" + data[-2:]):
        with pytest.raises(BadMessage):
            codec.decode(cut)


def test_a_header_cannot_make_few_packed_bytes_much_memory() -> None:
    data = codec.encode(sums(np.ones((5, 4), np.float16)))
    grown = bytearray(data)
    struct.pack_into("<HII", grown, 6, 65535, 2**28, 2**28)
    with pytest.raises(BadMessage, match="length"):
        codec.decode(bytes(grown))


def test_bytes_by_hand() -> None:
    index, age, row = np.array([1], np.int32), np.array([3], np.int32), np.array([[1.0]], np.float32)
    update = received(2, index, row, age, np.zeros(0, np.float32), 7)
    assert codec.encode(update) == (
        b"TACT" + bytes([3, 1, 1, 0])  # version, flags (sparse), width
        + bytes([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])  # items, rows, dense
        + bytes([7, 0, 0, 0, 0, 0, 0, 0])  # clock
        + bytes([1, 0, 0, 0]) + bytes([3, 0, 0, 0]) + bytes([0, 0, 0x80, 0x3F])  # position, age, 1.0
    )  # fmt: skip


def test_decoded_arrays_are_the_receiver_s_own() -> None:
    back = codec.decode(codec.encode(example()))
    for array in arrays(back):
        assert array.flags.writeable
        assert array.dtype.isnative


@pytest.mark.parametrize("sparse", [True, False])
def test_a_message_cut_short_or_drawn_out_is_refused(sparse: bool) -> None:
    data = codec.encode(example(sparse=sparse))
    for length in range(len(data)):
        with pytest.raises(BadMessage):
            codec.decode(data[:length])
    with pytest.raises(BadMessage, match="length"):
        codec.decode(data + b"\0")


def changed(**parts: object) -> bytes:
    """A good message whose header says something else."""
    data = codec.encode(example())
    names = ("magic", "version", "flags", "width", "items", "count", "dense", "clock")
    header = dict(zip(names, HEADER.unpack_from(data), strict=True)) | parts
    return HEADER.pack(*header.values()) + data[HEADER.size :]


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"magic": b"HTTP"}, "at the start"),
        ({"version": 2}, "version"),
        ({"version": 0}, "version"),
        ({"flags": 4}, "without an index"),
        ({"flags": 5}, "length"),
        ({"flags": 6}, "flags"),
        ({"flags": 9}, "length"),
        ({"flags": 17}, "flags"),
        ({"flags": 4 + (11 << 4)}, "flags"),
        ({"flags": 255}, "flags"),
        ({"flags": 0}, "without an index"),
        ({"flags": 3}, "length"),
        ({"items": 2}, "rows"),
        ({"items": 2**32 - 1}, "rows"),
        ({"items": 6}, "index"),
        ({"count": 2}, "length"),
        ({"count": 2**32 - 1}, "rows"),
        ({"width": 65535}, "length"),
        ({"dense": 2**32 - 1}, "length"),
        ({"clock": 2**63}, "clock"),
    ],
)
def test_a_header_that_lies_is_refused_with_the_reason(parts: dict[str, object], says: str) -> None:
    with pytest.raises(BadMessage, match=says):
        codec.decode(changed(**parts))


def patched(at: int, value: bytes) -> bytes:
    data = bytearray(codec.encode(example()))
    data[at : at + len(value)] = value
    return bytes(data)


INDEX, AGES, ROWS, DENSE = 28, 40, 52, 76


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [ROWS, ROWS + 20, DENSE, DENSE + 4])
def test_numbers_that_are_not_finite_are_refused(at: int, number: float) -> None:
    with pytest.raises(BadMessage, match="finite"):
        codec.decode(patched(at, struct.pack("<f", number)))


@pytest.mark.parametrize("index", [(4, 1, 6), (1, 1, 6), (1, 4, 8), (1, 4, 2**32 - 1), (2**31, 4, 6)])
def test_positions_out_of_order_or_range_are_refused(index: tuple[int, ...]) -> None:
    with pytest.raises(BadMessage, match="index"):
        codec.decode(patched(INDEX, struct.pack("<3I", *index)))


@pytest.mark.parametrize("age", [2**31, 2**32 - 1])
def test_ages_that_do_not_fit_are_refused(age: int) -> None:
    with pytest.raises(BadMessage, match="ages"):
        codec.decode(patched(AGES + 4, struct.pack("<I", age)))


def test_a_message_above_the_cap_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    data = codec.encode(example())
    monkeypatch.setattr(codec, "MAX_BYTES", len(data) - 1)
    with pytest.raises(BadMessage, match="at most"):
        codec.decode(data)


@given(st.binary(max_size=200))
def test_random_bytes_are_a_bad_message_and_nothing_else(data: bytes) -> None:
    with pytest.raises(BadMessage):
        codec.decode(data)


@given(st.data())
def test_a_damaged_message_is_read_or_refused_and_nothing_else(data: st.DataObject) -> None:
    good = bytearray(codec.encode(data.draw(updates())))
    for _ in range(data.draw(st.integers(1, 4))):
        good[data.draw(st.integers(0, len(good) - 1))] = data.draw(st.integers(0, 255))
    try:
        update = codec.decode(bytes(good))
    except BadMessage:
        return
    assert np.isfinite(update.rows).all()
    assert codec.encode(update) == bytes(good)


@pytest.mark.parametrize(
    "thing",
    [
        np.zeros((3, 2), np.float32),
        NodeState(np.zeros((1, 1)), np.zeros(1, np.int32), np.zeros(0), 0, np.zeros(1)),
        {"rows": [1.0]},
        b"TACT",
        None,
    ],
)
def test_only_an_update_can_be_encoded(thing: object) -> None:
    with pytest.raises(TypeError, match="only an Update"):
        codec.encode(thing)  # type: ignore[arg-type]
