"""Expressions in the header of a definition: the defaults of parameters."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.machine.frames import HOST, Frame, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import UNKNOWN, Ref, Value
from jitlint.absint.values.heap import DictObject, ListObject, SetObject, Variables


def default_value(it: Interpreter, code: Code, parameter: Parameter) -> Value:
    """The default of a parameter of a module-level function or method."""
    assert parameter.default is not None
    key = ("default", id(parameter.default))
    it.reads.read(code.module)
    known: Value | None = it.facts.get(key)
    if known is None:
        with it.reads.of(it, code.module, key[0]):
            known = it.facts[key] = evaluate_in_module(it, code, parameter.default)
        note_default(it, parameter.name, known)
    return known


def note_default(it: Interpreter, name: str, value: Value) -> None:
    """Remember that an object is the default of a parameter: it lives as long as the function."""
    if isinstance(value, Ref) and isinstance(
        it.contents(value), (ListObject, DictObject, SetObject)
    ):
        it.defaults[value.id] = name


def evaluate_in_module(it: Interpreter, code: Code, node: cst.BaseExpression) -> Value:
    """Evaluate an expression of a definition's header where the definition stands."""
    assert code.parsed is not None
    frame = Frame(
        module=code.module,
        parsed=code.parsed,
        code=None,
        qualname=code.qualname,
        context=HOST,
        env=it.standing_id("header", id(code)),
    )
    try:
        with it.at_module_level(), it.entered(frame):
            it.state.put(frame.env, Variables())
            return it.ev(node)
    except Terminated:
        return UNKNOWN
