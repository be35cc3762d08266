"""Random numbers, counter-based: every draw is a pure function of (seed, stream, node, event, draw).

There is no generator to carry around and no order in which draws must happen. So a result cannot depend on threads,
on batch size, or on which node asked first. The function is Philox4x32-10 (Salmon et al., "Parallel random numbers: as
easy as 1, 2, 3", SC 2011). Its key is the seed, and its counter the other four numbers.

    u = uniform(seed, Stream.START, node, 0, 0)
    table = uniforms(seed, Stream.INIT_ROWS, 0, nodes=943, draws=5)

Inside compiled code a stream is a constant of the module: `_STREAM = Stream.START`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core.compiled.compiling import kernel


class Stream:
    """What randomness is used for. A new purpose takes a new number; numbers are never reused."""

    INIT_ROWS = 1
    INIT_PRIVATE = 2
    START = 3
    PEERS = 4
    GRAPH = 5
    SUBSAMPLE = 6
    ORDER = 7
    SPLIT = 8
    LEARN = 9
    CHURN = 10
    SYNTHETIC = 11
    NEGATIVES = 12
    CLIENTS = 13
    CLUSTERS = 14
    MASKS = 15
    PAIRS = 16
    DISCLOSURE = 17
    OBSERVED = 18
    BASELINE = 19
    SPAM = 20
    SPAMMERS = 21
    VIEW = 23
    WEIGHTING = 24
    WEIGHTING_NEGATIVES = 25
    TRAINING_NEGATIVES = 26
    FEDFAST = 27
    MASK_KEYS = 33
    MASK_NOISE = 34
    PARTNERS = 35
    LOSS = 36
    SPEED = 37
    HEADCOUNT = 38
    AUDITED = 39
    LIVE_NEGATIVES = 45
    SWEEP = 50
    LIVE_CHOICE = 51
    LIVE_JITTER = 52
    LIVE_VIEW = 53
    LIVE_KEYS = 54
    LIVE_ROWS = 65
    LIVE_PARTNERS = 66
    LIVE_WHISPERS = 67
    PROBES = 75
    RING = 76
    START_PEOPLE = 80
    START_HIDDEN = 81
    START_ROWS = 82
    START_CANDIDATES = 83
    TIES = 91
    NEIGHBOURS = 92
    PERIODS = 86
    BANDWIDTHS = 87
    STRANGERS = 88
    FIXED_ITEMS = 84
    DATA_USERS = 93
    SEGMENTS = 94


_M0 = np.uint64(0xD2511F53)
_M1 = np.uint64(0xCD9E8D57)
_W0 = np.uint64(0x9E3779B9)
_W1 = np.uint64(0xBB67AE85)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)
_1, _63 = np.uint64(1), np.uint64(63)
_11 = np.uint64(11)


@kernel
def philox(seed: int, stream: int, node: int, event: int, draw: int) -> tuple[np.uint64, np.uint64]:
    """Two independent 64-bit words for one counter."""
    c0 = np.uint64(draw) & _LOW
    c1 = np.uint64(event) & _LOW
    c2 = np.uint64(node) & _LOW
    c3 = np.uint64(stream) & _LOW
    k0 = np.uint64(seed) & _LOW
    k1 = np.uint64(seed) >> _32
    for _ in range(10):
        p0 = _M0 * c0
        p1 = _M1 * c2
        c0 = (p1 >> _32) ^ c1 ^ k0
        c1 = p1 & _LOW
        c2 = (p0 >> _32) ^ c3 ^ k1
        c3 = p0 & _LOW
        k0 = (k0 + _W0) & _LOW
        k1 = (k1 + _W1) & _LOW
    return c0 | (c1 << _32), c2 | (c3 << _32)


@kernel
def uniform(seed: int, stream: int, node: int, event: int, draw: int) -> float:
    """A number in [0, 1) with 53 random bits."""
    word, _ = philox(seed, stream, node, event, draw)
    return np.float64(word >> _11) * (1.0 / 9007199254740992.0)


@kernel
def two(seed: int, stream: int, node: int, event: int, draw: int) -> tuple[float, float]:
    """Two independent numbers in [0, 1) for the price of one."""
    a, b = philox(seed, stream, node, event, draw)
    scale = 1.0 / 9007199254740992.0
    return np.float64(a >> _11) * scale, np.float64(b >> _11) * scale


@kernel
def below(seed: int, stream: int, node: int, event: int, draw: int, bound: int) -> int:
    """A whole number in 0 .. bound - 1 (bound at most 2^40: the unevenness is below 2^-13 of a draw's chance)."""
    return int(uniform(seed, stream, node, event, draw) * bound)


@kernel
def normal(seed: int, stream: int, node: int, event: int, draw: int) -> float:
    """A standard normal number (Box and Muller)."""
    a, b = philox(seed, stream, node, event, draw)
    u = (np.float64(a >> _11) + 0.5) * (1.0 / 9007199254740992.0)
    v = np.float64(b >> _11) * (1.0 / 9007199254740992.0)
    return float(np.sqrt(-2.0 * np.log(u)) * np.cos(2.0 * np.pi * v))


@kernel
def fill_words(
    seed: int, stream: int, node: int, event: int, first: int, out: npt.NDArray[np.uint64]
) -> None:
    """The words of `philox` from draw `first` on, two per draw: the compiler makes several draws at a time."""
    c1 = np.uint64(event) & _LOW
    c2 = np.uint64(node) & _LOW
    c3 = np.uint64(stream) & _LOW
    k0 = np.uint64(seed) & _LOW
    k1 = np.uint64(seed) >> _32
    for draw in range(len(out) // 2):
        a, b, c, d = np.uint64(first + draw) & _LOW, c1, c2, c3
        even, odd = k0, k1
        for _ in range(10):
            p0 = _M0 * a
            p1 = _M1 * c
            a = (p1 >> _32) ^ b ^ even
            b = p1 & _LOW
            c = (p0 >> _32) ^ d ^ odd
            d = p0 & _LOW
            even = (even + _W0) & _LOW
            odd = (odd + _W1) & _LOW
        out[2 * draw] = a | (b << _32)
        out[2 * draw + 1] = c | (d << _32)


@kernel
def sample(
    seed: int, stream: int, node: int, event: int, n: int, count: int, taken: npt.NDArray[np.bool_]
) -> None:
    """Mark `count` of 0 .. n-1 in `taken` (all False before), every subset equally likely (Floyd's algorithm)."""
    words = np.empty(count + count % 2, np.uint64)
    fill_words(seed, stream, node, event, 0, words)
    for step in range(count):
        last = n - count + step
        pick = below_word(words[step], last + 1)
        if taken[pick]:
            taken[last] = True
        else:
            taken[pick] = True


@kernel
def sample_bits(seed: int, stream: int, node: int, event: int, n: int, count: int) -> npt.NDArray[np.uint64]:
    """`sample` with marks that are bits, 64 in a word: the same numbers are chosen."""
    words = np.empty(count + count % 2, np.uint64)
    fill_words(seed, stream, node, event, 0, words)
    taken = np.zeros((n + 63) >> 6, np.uint64)
    for step in range(count):
        last = n - count + step
        pick = below_word(words[step], last + 1)
        bit = _1 << (np.uint64(pick) & _63)
        if taken[pick >> 6] & bit:
            taken[last >> 6] |= _1 << (np.uint64(last) & _63)
        else:
            taken[pick >> 6] |= bit
    return taken


@kernel
def below_word(word: np.uint64, bound: int) -> int:
    """What `below` makes of a word."""
    return np.int64(np.float64(word >> _11) * (1.0 / 9007199254740992.0) * bound)  # type: ignore[return-value]


@kernel
def permutation(seed: int, stream: int, node: int, event: int, n: int) -> npt.NDArray[np.int64]:
    """The numbers 0 .. n-1 in random order (Fisher and Yates)."""
    order = np.arange(n)
    for i in range(n - 1, 0, -1):
        j = below(seed, stream, node, event, i, i + 1)
        order[i], order[j] = order[j], order[i]
    return order


@kernel
def _fill(seed: int, stream: int, event: int, gaussian: bool, out: npt.NDArray[np.float64]) -> None:
    for node in range(out.shape[0]):
        for draw in range(out.shape[1]):
            if gaussian:
                out[node, draw] = normal(seed, stream, node, event, draw)
            else:
                out[node, draw] = uniform(seed, stream, node, event, draw)


def uniforms(seed: int, stream: int, event: int, nodes: int, draws: int) -> npt.NDArray[np.float64]:
    """`uniform` for all of nodes x draws at once: the same numbers as one by one."""
    out = np.empty((nodes, draws))
    _fill(seed, stream, event, False, out)
    return out


def normals(seed: int, stream: int, event: int, nodes: int, draws: int) -> npt.NDArray[np.float64]:
    """`normal` for all of nodes x draws at once."""
    out = np.empty((nodes, draws))
    _fill(seed, stream, event, True, out)
    return out
