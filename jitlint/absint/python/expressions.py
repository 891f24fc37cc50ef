"""Expressions that no other module of this room has: numbers, ``yield`` and the like."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.machine.clock_signals import Yielded
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.verbs import evaluates
from jitlint.absint.objects.traced_values import held_object
from jitlint.absint.operations.arithmetic import unary
from jitlint.absint.program.captures import note_attribute
from jitlint.absint.program.members import class_attribute
from jitlint.absint.python.assignment import assign
from jitlint.absint.python.contexts import eager_block
from jitlint.absint.python.truth import negation
from jitlint.absint.values.buffers import new_buffer
from jitlint.absint.values.domain import (
    UNKNOWN,
    Class,
    Const,
    ModuleValue,
    Ref,
    Tree,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import join_with


@evaluates(cst.CSTNode)
def _unknown(it: Interpreter, node: cst.CSTNode) -> Value:
    return UNKNOWN


@evaluates(cst.Integer)
def _integer(it: Interpreter, node: cst.Integer) -> Value:
    return Const(int(node.value.replace("_", ""), 0) if len(node.value) < 40 else 10**39)


@evaluates(cst.Float)
def _float(it: Interpreter, node: cst.Float) -> Value:
    return Const(float(node.value))


@evaluates(cst.Imaginary)
def _imaginary(it: Interpreter, node: cst.Imaginary) -> Value:
    return Const(complex(node.value))


@evaluates(cst.Ellipsis)
def _ellipsis(it: Interpreter, node: cst.Ellipsis) -> Value:
    return Const(...)


@evaluates(cst.UnaryOperation)
def _unary(it: Interpreter, node: cst.UnaryOperation) -> Value:
    return negation(it, node) if type(node.operator) is cst.Not else unary(it, node)


@evaluates(cst.NamedExpr)
def _walrus(it: Interpreter, node: cst.NamedExpr) -> Value:
    value = it.ev(node.value)
    assign(it, node.target, value, node.value)
    return value


@evaluates(cst.Attribute)
def _attribute(it: Interpreter, node: cst.Attribute) -> Value:
    holder = it.ev(node.value)
    value = it.attribute(holder, node.attr.value, node)
    if it.trace is not None and type(holder) in (Ref, ModuleValue, Class):
        note_attribute(it, holder, node.attr.value, value, node)
    if type(holder) is Ref and type(value) in (Unknown, Tree):
        value = held_object(it, holder, node.attr.value, value)
        if it.trace is None and it.frame.module.has_any(_DONATING):
            return _held(it, holder, node.attr.value, value, node)
    return value


#: where it matters that an attribute is the same thing each time
_DONATING: Final = frozenset({"donate", "donate_argnames", "donate_argnums"})


def _held(it: Interpreter, holder: Ref, name: str, value: Value, node: cst.CSTNode) -> Value:
    """An attribute of which nothing is known: the same thing until it is set.

    What a property gives is what it finds now, whoever has put it there; and one object stands for
    all that are of a class as far as their uses tell.
    """
    contents = it.contents(holder)
    made = value
    if type(value) is Ref and isinstance(it.contents(value), Instance):
        made = it.allocate(node, it.contents(value).copy(), "held")
    elif type(value) is not Unknown or value.buffers:
        return value
    if not isinstance(contents, Instance) or class_attribute(it, holder, name) is not None:
        return made
    if type(made) is Unknown:
        made = made.replace(buffers=new_buffer())
    it.edit(holder).attributes[name] = made
    return made


@evaluates(cst.Await)
def _await(it: Interpreter, node: cst.Await) -> Value:
    it.ev(node.expression)
    return UNKNOWN


@evaluates(cst.Yield)
def _yield(it: Interpreter, node: cst.Yield) -> Value:
    value: Value = UNKNOWN
    if type(node.value) is cst.From:
        value, _ = it.iterate(it.ev(node.value.item), node.value.item)
    elif node.value is not None:
        value = it.ev(node.value)
    frame = it.frame
    frame.yielded = join_with(frame.yielded, value)
    if frame.eager is not None and frame.code is not None:
        it.registered[eager_block(frame.code)] = frame.eager
    if it.trace is None:
        it.signal(Yielded(node))
    if frame.block is not None:
        frame.block.run(value)
    return UNKNOWN
