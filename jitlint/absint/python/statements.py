"""Statements: blocks, and the statements that hold no other."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import libcst as cst

from jitlint.absint.code.conditions import is_choice
from jitlint.absint.events import Assertion
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ContentsChanged, ResultDropped, ResultKept
from jitlint.absint.machine.verbs import STATEMENTS, executes, verb
from jitlint.absint.operations.arithmetic import binary
from jitlint.absint.operations.iteration import extend_in_place
from jitlint.absint.operations.operators import AUGMENTED, METHODS
from jitlint.absint.program.members import class_attribute
from jitlint.absint.program.scopes import import_statement
from jitlint.absint.program.setting import delete
from jitlint.absint.python.assignment import assign, bind, delete_item
from jitlint.absint.python.branches import doubts
from jitlint.absint.python.narrowing import assume, assuming
from jitlint.absint.python.partitions import run_partitioned, split_on
from jitlint.absint.values.domain import NONE, UNKNOWN, Ref, Value
from jitlint.absint.values.heap import DictObject, SetObject
from jitlint.absint.values.lattice import join_states, update_dict
from jitlint.foundation.interruption import checkpoint


@verb("run")
def _run(it: Interpreter, statements: Sequence[cst.CSTNode]) -> None:
    for index, statement in enumerate(statements):
        if type(statement) is cst.If or is_choice(statement):
            split = split_on(it, statement)
            if split is not None:
                run_partitioned(it, *split, statements[index:])
                return
        checkpoint()
        STATEMENTS[type(statement)](it, statement)
        it.frame.ending = None


@executes(cst.CSTNode)
def _nothing(it: Interpreter, node: cst.CSTNode) -> None:
    """What has no effect here: ``pass``, type aliases, an empty line."""


@executes(cst.SimpleStatementLine, cst.SimpleStatementSuite)
def _line(it: Interpreter, node: cst.SimpleStatementLine) -> None:
    for small in node.body:
        STATEMENTS[type(small)](it, small)


@executes(cst.Expr)
def _expression(it: Interpreter, node: cst.Expr) -> None:
    if type(node.value) is not cst.SimpleString and type(node.value) is not cst.ConcatenatedString:
        it.ev(node.value)
        it.signal(ResultDropped(node.value))


@executes(cst.Assign)
def _assign(it: Interpreter, node: cst.Assign) -> None:
    value = it.ev(node.value)
    for target in node.targets:
        assign(it, target.target, value, node.value)


@executes(cst.AnnAssign)
def _annotated(it: Interpreter, node: cst.AnnAssign) -> None:
    if node.value is not None:
        assign(it, node.target, it.ev(node.value), node.value)


@executes(cst.AugAssign)
def _augmented(it: Interpreter, node: cst.AugAssign) -> None:
    left = it.ev(node.target)
    right = it.ev(node.value)
    if type(node.operator) is cst.AddAssign and extend_in_place(it, left, right):
        assert isinstance(left, Ref)
        it.signal(ContentsChanged(left, right, node.target, node.target, "+="))
        return
    if _in_place(it, node, left, right):
        return
    value = binary(it, AUGMENTED[type(node.operator)], left, right, node)
    assign(it, node.target, value, node)


def _in_place(it: Interpreter, node: cst.AugAssign, left: Value, right: Value) -> bool:
    """Whether the object on the left changes itself: ``dict |= other``, ``__iadd__``."""
    if not isinstance(left, Ref):
        return False
    contents = it.contents(left)
    if isinstance(contents, (DictObject, SetObject)) and type(node.operator) is cst.BitOrAssign:
        it.signal(ContentsChanged(left, right, node.target, node.target, "|="))
        other = it.contents(right) if isinstance(right, Ref) else None
        edited = it.edit(left)
        if isinstance(edited, SetObject):
            edited.element = UNKNOWN
            edited.filled = edited.filled or None
        elif isinstance(other, DictObject):
            update_dict(edited, other)
        else:
            edited.rest = UNKNOWN
        return True
    method = class_attribute(it, left, f"__i{METHODS[AUGMENTED[type(node.operator)]]}__")
    if method is None:
        return False
    assign(it, node.target, it.call(method, Arguments([right]), node), node)
    return True


@executes(cst.Return)
def _return(it: Interpreter, node: cst.Return) -> None:
    if node.value is None:
        it.returns(NONE)
    else:
        value = it.ev(node.value)
        it.returns(value)
        if it.keeping and it.keeping[-1] is it.frame.code:
            it.signal(ResultKept(value, node.value))
    raise Terminated


@executes(cst.Raise)
def _raise(it: Interpreter, node: cst.Raise) -> None:
    if node.exc is not None:
        with it.wording_only():
            it.ev(node.exc)
    raise Terminated


@executes(cst.Break)
def _break(it: Interpreter, node: cst.Break) -> None:
    if it.frame.loops:
        loop = it.frame.loops[-1]
        loop.breaks = join_states(loop.breaks, it.state)
    raise Terminated


@executes(cst.Continue)
def _continue(it: Interpreter, node: cst.Continue) -> None:
    if it.frame.loops:
        loop = it.frame.loops[-1]
        loop.continues = join_states(loop.continues, it.state)
    raise Terminated


@executes(cst.Assert)
def _assert(it: Interpreter, node: cst.Assert) -> None:
    truth = it.condition(node.test, Assertion)
    if node.msg is not None and truth is not True:
        with it.branch(assuming(it, node.test, False)), suppress(Terminated), it.wording_only():
            it.ev(node.msg)
    if truth is False and not doubts(it, node.test, it.frame.exits):
        raise Terminated
    assume(it, node.test, True)


@executes(cst.Del)
def _del(it: Interpreter, node: cst.Del) -> None:
    targets = (
        [element.value for element in node.target.elements]
        if type(node.target) is cst.Tuple
        else [node.target]
    )
    for target in targets:
        if type(target) is cst.Name:
            it.variables(it.frame.env).pop(target.value, None)
        elif type(target) is cst.Attribute:
            delete(it, it.ev(target.value), target.attr.value)
        elif type(target) is cst.Subscript:
            delete_item(it, target)


@executes(cst.Global)
def _global(it: Interpreter, node: cst.Global) -> None:
    it.frame.globals.update(item.name.value for item in node.names)


@executes(cst.Nonlocal)
def _nonlocal(it: Interpreter, node: cst.Nonlocal) -> None:
    it.frame.outer.update(item.name.value for item in node.names)


@executes(cst.Import, cst.ImportFrom)
def _import(it: Interpreter, node: cst.Import | cst.ImportFrom) -> None:
    for name, value in import_statement(it, node):
        bind(it, name, value)
