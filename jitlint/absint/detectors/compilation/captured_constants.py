"""Arrays from outside that a jitted function takes up: its program holds each of their elements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.events import CapturedConstant
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ConstantStaged, observes
from jitlint.absint.values.domain import Array, Static
from jitlint.jaxmodel.transforms import ASSUMED

#: elements from which on an array is worth a thought: a megabyte of 32 bits
_LARGE: Final = 1 << 18


class Told:
    """The arrays that each function was found to read."""

    def __init__(self) -> None:
        self.arrays: set[tuple[str, int]] = set()

    def fork(self) -> Told:
        """What a run knows that goes on from this one: nothing."""
        return Told()


@observes(ConstantStaged)
def _staged(it: Interpreter, staged: ConstantStaged) -> None:
    extent = staged.value.extent
    assert extent is not None
    if extent.size < _LARGE or extent.uniform or not extent.outside or not _is_compiled(it):
        return
    told = it.observations(Told).arrays
    key = it.frame.qualname, id(extent)
    if key in told:
        # Its program has it already.
        return
    it.keep(extent)
    place = _place_of(it, staged)
    it.note(CapturedConstant, place, shape=extent.shape)
    if not it.is_speculating:
        told.add(key)


def _is_compiled(it: Interpreter) -> bool:
    """Whether jit is among the transforms around: eager control flow passes what it captures."""
    transforms = (trace.transform for trace in it.traces())
    return any(
        "jit" in name.rpartition(".")[2] or name.endswith(".pmap") or name == ASSUMED
        for name in transforms
    )


def _place_of(it: Interpreter, staged: ConstantStaged) -> cst.CSTNode:
    """Where the array stands in an operation, which itself if that is not seen."""
    with it.speculating():
        for node in _operands(staged.node):
            value = it.ev(node)
            if isinstance(value, (Array, Static)) and value.extent is staged.value.extent:
                return node
    return staged.node


def _operands(node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The names and attributes that an operation is written with."""
    found: list[cst.BaseExpression] = []
    if isinstance(node, cst.BinaryOperation):
        found = [node.left, node.right]
    elif isinstance(node, cst.Subscript):
        found = [node.value]
    elif isinstance(node, cst.Call):
        found = [arg.value for arg in node.args]
        if isinstance(node.func, cst.Attribute):
            found.append(node.func.value)
    return (one for one in found if isinstance(one, (cst.Name, cst.Attribute)))
