"""`make_blend`: a weighted mean of 16 rows at a time, in vector instructions.

LLVM's loop vectorizer does not see that all numbers of a row share one weight: a loop over rows of six numbers stays
scalar. Here 16 weights are loaded once and spread over the rows' numbers by shuffles that are known when the kernel is
compiled. The arithmetic is that of the plain loop, so the bits are the same. `vectors_work` tries it once per process;
where it fails, as with another LLVM, plain loops do the work.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core.errors import TypingError
from numba.extending import intrinsic

from tacit.core.compiled.compiling import kernel

LANES = 16
WIDEST = 16
"""Wider rows are vectorized well by the compiler itself."""


@cache
def make_blend(width: int) -> Callable[..., None]:
    """blend(weight, i, own, theirs, out): out = (1 - weight) own + weight theirs for the rows i .. i + 16.

    `out` may be `own` or `theirs`. Weights are float32; rows are contiguous, `width` numbers each. Rows of uint16 hold
    half precision; they are blended in single precision.
    """

    @intrinsic
    def blend(typing_context: Any, weight: Any, i: Any, own: Any, theirs: Any, out: Any) -> Any:
        if not all(a.layout == "C" and a.dtype == own.dtype for a in (own, theirs, out)):
            raise TypingError("blend needs contiguous rows of one type")
        return types.void(weight, i, own, theirs, out), generate

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = context.get_value_type(signature.args[2].dtype)
        half = ir.VectorType(ir.HalfType(), LANES) if signature.args[2].dtype == types.uint16 else None
        single, stored = ir.VectorType(ir.FloatType(), LANES), ir.VectorType(number, LANES)
        vector = single if half else stored

        def at(n: int, where: Any) -> Any:
            data = context.make_array(signature.args[n])(context, builder, arguments[n]).data
            return builder.gep(data, [where])

        def whole(pointer: Any, kind: Any) -> Any:
            return builder.bitcast(pointer, kind.as_pointer())

        def load(n: int, where: Any) -> Any:
            found = builder.load(whole(at(n, where), stored), align=size)
            return builder.fpext(builder.bitcast(found, half), single) if half else found

        i = context.cast(builder, arguments[1], signature.args[1], types.intp)
        first = builder.mul(i, ir.Constant(i.type, width))
        weights = builder.load(whole(at(0, i), single), align=4)
        stays = builder.fsub(ir.Constant(single, [1.0] * LANES), weights)
        if vector != single:
            weights, stays = builder.fpext(weights, vector), builder.fpext(stays, vector)
        size = context.get_abi_sizeof(number)
        for part in range(width):
            places = [(LANES * part + lane) // width for lane in range(LANES)]
            spread = ir.Constant(ir.VectorType(ir.IntType(32), LANES), places)
            where = builder.add(first, ir.Constant(i.type, LANES * part))
            mine, other = load(2, where), load(3, where)
            stay = builder.shuffle_vector(stays, stays, spread)
            weight = builder.shuffle_vector(weights, weights, spread)
            mean = builder.fadd(builder.fmul(stay, mine), builder.fmul(weight, other))
            if half:
                mean = builder.bitcast(builder.fptrunc(mean, half), stored)
            builder.store(mean, whole(at(4, where), stored), align=size)
        return context.get_dummy_value()

    return blend


@cache
def vectors_work(halves: bool = False) -> bool:
    """Whether `make_blend` can be compiled here and gives the bits of plain arithmetic, or for `halves` too."""
    if halves and not get_host_cpu_features().get("f16c"):
        return False
    width = 3
    blend = make_blend(width)

    @kernel
    def tried(weight: Any, own: Any, theirs: Any) -> None:
        blend(weight, 0, own, theirs, own)

    steps = np.arange(LANES * width, dtype=np.float32).reshape(LANES, width)
    weight, own, theirs = np.float32(1) / (steps[:, 0] + 3), steps / 7, 5 - steps / 3
    stay = np.float32(1) - weight
    wanted = stay[:, None] * own + weight[:, None] * theirs
    if halves:
        own, theirs = own.astype(np.float16), theirs.astype(np.float16)
        wanted = (stay[:, None] * own + weight[:, None] * theirs).astype(np.float16).view(np.uint16)
        own, theirs = own.view(np.uint16), theirs.view(np.uint16)
    try:
        tried(weight, own, theirs)
    except Exception:  # whatever another version of the compiler objects to
        return False
    return bool((own == wanted).all())
