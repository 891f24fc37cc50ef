"""What a flag of an object has chosen, told again where the flag is asked once more.

``self.step = jax.jit(step) if self.compiled else step`` and, in another method,
``mode = 0.5 if self.compiled else "eager"``: on no path does the compiled step get the text.
"""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.conditions import atoms
from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Flag, Union, Value
from jitlint.absint.values.heap import Instance, State


def keep_chosen(
    it: Interpreter, node: cst.If, then: State | None, otherwise: State | None, merged: State
) -> None:
    """Keep with the attributes that a statement sets which of its branches has set what.

    Args:
      it: the interpreter, in the state before the statement.
      node: the statement.
      then: the state after its body, None if that does not end.
      otherwise: the same after its other branches.
      merged: both joined, which is changed.
    """
    if then is None or otherwise is None or not it.frame.parsed.fact(_sets_attributes, node):
        return
    flag = _flag_of(it, node.test)
    if flag is None:
        return
    for number in then.heap.keys() | otherwise.heap.keys():
        mine, other = then.get(number), otherwise.get(number)
        if mine is other or type(mine) is not Instance or type(other) is not Instance:
            continue
        told: dict[str, Value] = {}
        for name, value in merged.get(number).attributes.items():
            ways = mine.attributes.get(name), other.attributes.get(name)
            if type(value) is not Union or value.choice or None in ways or ways[0] == ways[1]:
                continue
            told[name] = _told(value, flag, ways[0], ways[1])  # type: ignore[arg-type]
        if told:
            merged.edit(number).attributes.update(told)


def chosen_by_flag(it: Interpreter, node: cst.IfExp, ways: list[Value], value: Value) -> Value:
    """The value of a conditional expression, with what it is on which way where a flag tells.

    Args:
      it: the interpreter.
      node: the expression.
      ways: what it is where its test is true, and where it is false.
      value: both joined.
    """
    if type(value) is not Union or len(ways) != 2 or ways[0] == ways[1]:
        return value
    flag = _flag_of(it, node.test)
    return value if flag is None else _told(value, flag, ways[0], ways[1])


def as_told(it: Interpreter, value: Union) -> Value:
    """What a value is on the path at hand, where a flag has chosen it that is known there."""
    if value.choice is None:
        return value
    flag, true, false = value.choice
    known = it.state.assumed.get(flag)
    return value if known is None else true if known else false


def chooses_what_is_called(it: Interpreter, code: Code, atom: cst.BaseExpression) -> bool:
    """Whether a condition is a flag that has chosen a function which this one calls.

    Args:
      it: the interpreter, in the function.
      code: the function.
      atom: the condition.
    """
    flag = _flag_of(it, atom)
    if flag is None:
        return False
    for called in it.frame.parsed.fact(_called_attributes, code):
        with it.speculating():
            value = it.ev(called)
        if type(value) is Union and value.choice is not None and value.choice[0] == flag[0]:
            return True
    return False


def flags_asked(code: Code) -> frozenset[str]:
    """The names and attributes that a function tests, if it calls attributes of objects."""
    if "if " not in code.unit.text or not _called_attributes(code):
        return frozenset()
    return frozenset(
        key
        for node in code.own_nodes
        if type(node) is cst.If or type(node) is cst.IfExp
        for key, atom in atoms(node.test)
        if type(atom) is cst.Name or type(atom) is cst.Attribute
    )


def _sets_attributes(node: cst.If) -> bool:
    """Whether both ways of a statement set attributes of something."""
    ways = (node.body, node.orelse) if node.orelse is not None else ()
    return bool(ways) and all(
        any(
            type(inner) is cst.AssignTarget and type(inner.target) is cst.Attribute
            for inner in walk_own(way)
        )
        for way in ways
    )


def _called_attributes(code: Code) -> tuple[cst.Attribute, ...]:
    """The attributes of names that a function calls: ``self.step`` of ``self.step(x)``."""
    return tuple(
        node.func
        for node in code.own_nodes
        if type(node) is cst.Call
        and type(node.func) is cst.Attribute
        and type(node.func.value) is cst.Name
    )


def _flag_of(it: Interpreter, test: cst.BaseExpression) -> tuple[str, bool] | None:
    """The flag that a test asks, and how it is where the test is true."""
    truth = True
    while type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        test, truth = test.expression, not truth
    if type(test) is not cst.Name and type(test) is not cst.Attribute:
        return None
    with it.speculating():
        value = it.ev(test)
    return (value.name, truth) if type(value) is Flag else None


def _told(value: Union, flag: tuple[str, bool], true: Value, false: Value) -> Value:
    name, truth = flag
    ways = (true, false) if truth else (false, true)
    return Union(value.members, exclusive=value.exclusive, choice=(name, *ways))
