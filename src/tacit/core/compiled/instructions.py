"""Machine instructions that kernels need and Numba has no name for.

`load_acquire` and `store_release`: reads and writes that other threads see in order. `give_way`: let another thread
run. `lowest_bit`: where it is. `touch`: read for nothing but the cache.
"""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

intrinsic: Any = numba_intrinsic
"""Numba's stub does not know that the typing context is not given by callers."""
_ALIGNED = 8


@intrinsic  # type: ignore[untyped-decorator]
def load_acquire(typing_context: Any, array: Any, index: Any) -> Any:
    """array[index] of int64, and everything that was written before it was stored with `store_release`."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load_atomic(_pointer(context, builder, signature, arguments), "acquire", _ALIGNED)

    return types.int64(array, index), generate


@intrinsic  # type: ignore[untyped-decorator]
def store_release(typing_context: Any, array: Any, index: Any, value: Any) -> Any:
    """array[index] = value, after everything that this thread wrote before."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        number = context.cast(builder, arguments[2], signature.args[2], types.int64)
        builder.store_atomic(number, _pointer(context, builder, signature, arguments), "release", _ALIGNED)
        return context.get_dummy_value()

    return types.void(array, index, value), generate


@intrinsic  # type: ignore[untyped-decorator]
def give_way(typing_context: Any) -> Any:
    """Let another thread have this core, where the system has POSIX's call for it; elsewhere nothing happens."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if sys.platform != "win32":
            kind = ir.FunctionType(ir.IntType(32), [])
            call = cgutils.get_or_insert_function(builder.module, kind, "sched_yield")  # type: ignore[no-untyped-call]
            builder.call(call, [])
        return context.get_dummy_value()

    return types.void(), generate


@intrinsic  # type: ignore[untyped-decorator]
def lowest_bit(typing_context: Any, word: Any) -> Any:
    """The place of the lowest bit that is set in a uint64 (not 0)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@intrinsic  # type: ignore[untyped-decorator]
def touch(typing_context: Any, array: Any, index: Any) -> Any:
    """Read array[index] for nothing but to have it in the cache: the compiler must not leave that out."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte = ir.IntType(8).as_pointer()
        builder.load_atomic(
            builder.bitcast(_pointer(context, builder, signature, arguments), byte), "monotonic", 1
        )
        return context.get_dummy_value()

    return types.void(array, index), generate


def _pointer(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = context.make_array(signature.args[0])(context, builder, arguments[0]).data
    return builder.gep(data, [context.cast(builder, arguments[1], signature.args[1], types.intp)])
