"""Dtypes that are known without a value, and what code asks of them: ``jnp.issubdtype``."""

from __future__ import annotations

from jitlint.absint.library.registry import Call, Model, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import (
    DTYPE,
    STATIC,
    Array,
    Certainty,
    Const,
    Dtype,
    External,
    Value,
)
from jitlint.jaxmodel.dtypes import ASK_KIND, is_of_kind


def dtype_of(value: Array) -> Value:
    """The ``dtype`` of an array, of which the sort is known where every caller passes the same."""
    if value.dtype is None or value.dtype == "key" or value.certainty is not Certainty.SURE:
        return DTYPE
    return Dtype(value.dtype)


def _asking(name: str) -> Model:
    def ask(it: Interpreter, call: Call) -> Value:
        asked, kind = call.args.get(0, "arg1"), call.args.get(1, "arg2")
        if isinstance(asked, Array):
            # The functions look at its dtype.
            asked = dtype_of(asked)
        if call.starred or not isinstance(asked, Dtype) or not isinstance(kind, External):
            return STATIC
        answer = is_of_kind(name, asked.sort, kind.name)
        return STATIC if answer is None else Const(answer)

    return ask


for _name in ASK_KIND:
    model(_name)(_asking(_name))


@model("jax.numpy.result_type")
def _result_type(it: Interpreter, call: Call) -> Value:
    alone = len(call.positional) == 1 and not call.starred
    return dtype_of(call.first) if alone and isinstance(call.first, Array) else STATIC
