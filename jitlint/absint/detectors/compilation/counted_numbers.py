"""Numbers that loops count, around a place or around the calls of the function it stands in."""

from __future__ import annotations

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.detectors.compilation.eager_calls import is_sweep
from jitlint.absint.detectors.surroundings.loop_counters import (
    IsNew,
    bound_within,
    counters,
    is_fraction,
    is_list,
    is_short,
    length_called,
    one_of,
    takes_new_values,
)
from jitlint.absint.detectors.surroundings.loop_variables import given_by_name
from jitlint.absint.detectors.surroundings.written import meanings
from jitlint.absint.limits import FEW_SIZES, FEW_VALUES
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import Function


def makes_new(
    it: Interpreter, loop: cst.CSTNode, node: cst.BaseExpression, *, outermost: bool
) -> bool:
    """Whether an expression is another number in every turn of a loop, however often it begins.

    Args:
      it: the interpreter.
      loop: the loop.
      node: the expression.
      outermost: whether no loop around begins it anew.
    """
    known = it.written(counters, loop)
    scaled = frozenset(name for name in known.scaled if is_fraction(it, name))
    lengths = frozenset(length_called(name) for name in known.grows if is_list(it, name))
    lasting = known.lasting | scaled | lengths
    return _is_new(it, node, one_of(lasting | known.counting if outermost else lasting))


def _is_new(it: Interpreter, node: cst.BaseExpression, is_new: IsNew) -> bool:
    """Whether an expression is another number where names in it are other numbers."""
    return takes_new_values(node, is_new) or _computes_new(it, node, is_new)


def _computes_new(it: Interpreter, node: cst.BaseExpression, is_new: IsNew) -> bool:
    """Whether a function of the project gives another number for another one: ``rate(step)``.

    It does so in one expression, ``0.1 * 0.99**step``.
    """
    if not isinstance(node, cst.Call) or dotted(node.func) is None:
        return False
    with it.speculating():
        function = it.ev(node.func)
    code = function.code if type(function) is Function and not function.closure else None
    if code is None or code.unit.decorated or it.load(code) is None:
        return False
    given = [name for name, value in given_by_name(code, node) if takes_new_values(value, is_new)]
    result = it.frame.parsed.fact(_only_result, code)
    return bool(given) and result is not None and takes_new_values(result, one_of({*given}))


def _only_result(code: Code) -> cst.BaseExpression | None:
    """What a function returns that does nothing else."""
    if isinstance(code.node, cst.Lambda):
        return code.node.body
    assert isinstance(code.node, cst.FunctionDef)
    lines = [
        part
        for line in code.node.body.body
        for part in (line.body if isinstance(line, cst.SimpleStatementLine) else [line])
        if not (isinstance(part, cst.Expr) and isinstance(part.value, cst.SimpleString))
    ]
    only = lines[0] if len(lines) == 1 else None
    return only.value if isinstance(only, cst.Return) else None


def is_few(it: Interpreter, loop: cst.CSTNode, *, sizes: bool = False) -> bool:
    """Whether a loop is known to have few turns, or to go through few sizes."""
    return is_short(it, it.written(counters, loop), FEW_SIZES if sizes else FEW_VALUES)


def is_display(loop: cst.CSTNode) -> bool:
    """Whether a loop runs over elements that stand there."""
    return isinstance(loop, (cst.For, cst.CompFor)) and isinstance(loop.iter, (cst.List, cst.Tuple))


def chosen_by_callers(it: Interpreter, node: cst.BaseExpression) -> frozenset[str] | None:
    """Which parameters of the running function make an expression a number of its own.

    Returns:
      ``counts x`` for each, nothing where it counts the calls by itself, in an attribute, and
      None if no number is known to be counted.
    """
    code = it.frame.code
    if code is None or code.node is None:
        return None
    names = {p.name for p in code.parameters if p.kind[0] != "*"}
    names -= it.written(bound_within, code.node)
    counting = {path for path in it.written(counters, code.node).lasting if "." in path}
    if _is_new(it, node, one_of(counting)):
        return frozenset()
    if not _is_new(it, node, one_of(names)):
        return None
    found = {name for name in names if _is_new(it, node, one_of({name}))}
    return frozenset(f"counts {name}" for name in found) or None


def counted_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters that a call gives another number in every turn of the loops around it.

    Returns:
      ``counts x`` for each of them.
    """
    loops = it.frame.enclosing_loops
    if not isinstance(node, cst.Call):
        return frozenset()
    return frozenset(
        f"counts {name}"
        for name, value in given_by_name(callee, node)
        for depth, loop in enumerate(loops)
        for made in meanings(it.frame, value)
        if makes_new(it, loop, made, outermost=not depth)
        and not is_few(it, loop)
        and not is_sweep(it, loops[0], made)
    )
