"""Reads and writes that other threads see in order, for kernels whose threads wait for each other."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

_ALIGNED = 8


@intrinsic
def load_acquire(typing_context: Any, array: Any, index: Any) -> Any:
    """array[index] of int64, and everything that was written before it was stored with `store_release`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, signature, arguments), "acquire", _ALIGNED)

    return types.int64(array, index), generate


@intrinsic
def store_release(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """array[index] = value, after everything that this thread wrote before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = context.cast(builder, arguments[2], signature.args[2], types.int64)
        builder.store_atomic(number, _pointer(context, builder, signature, arguments), "release", _ALIGNED)
        return context.get_dummy_value()

    return types.void(array, index, value), generate


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [context.cast(builder, arguments[1], signature.args[1], types.intp)])
