"""Variables of Flax nnx: an array in an object, which operators and attributes reach through."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.operations.arithmetic import binary
from jitlint.absint.operations.comparison import compare
from jitlint.absint.operations.operators import METHODS, REFLECTED, UNARY, overloads
from jitlint.absint.values.domain import UNKNOWN, Array, External, ExternalInstance, Value

VARIABLES: Final = frozenset(
    f"flax.nnx.{name}"
    for name in "Param Variable BatchStat Cache Intermediate Perturbation RngState".split()
)
#: operators that compare, which no arithmetic is
_COMPARISONS: Final = frozenset(REFLECTED)


def boxed(value: Value) -> Value:
    """What a variable holds; of anything else the value itself."""
    if isinstance(value, ExternalInstance) and value.cls in VARIABLES:
        return dict(value.attributes).get("value", UNKNOWN)
    return value


def _operate(it: Interpreter, op: type, left: Value, right: Value, node: cst.CSTNode) -> Value:
    """What the arrays give; observed with Flax 0.12: `-v`, `2 * v`, `v @ w`, `v[0]`, `v == w`."""
    if isinstance(left, External) or isinstance(right, External):
        # The class: `nnx.Param | None`, `nnx.Param[jax.Array]`.
        return UNKNOWN
    mine, other = boxed(left), boxed(right)
    if op is cst.Subscript:
        return it.item(mine, other, node)
    if op in UNARY:
        return array_result(it, (mine,), node=node) if isinstance(mine, Array) else UNKNOWN
    if op in _COMPARISONS:
        return compare(it, op, mine, other, node)
    return binary(it, op, mine, other, node) if op in METHODS else UNKNOWN


for _name in VARIABLES:
    overloads(_name)(_operate)
