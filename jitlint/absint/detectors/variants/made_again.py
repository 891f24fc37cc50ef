"""What each turn of a loop makes in the same way as the one before."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import libcst as cst

from jitlint.absint.code.functions import bindings_of, target_names
from jitlint.absint.code.syntax import dotted, walk, walk_own
from jitlint.absint.detectors.surroundings.following import CONSUMING
from jitlint.absint.detectors.surroundings.loop_variables import changed_object
from jitlint.absint.detectors.surroundings.written import ABOUT, values_in
from jitlint.absint.values.domain import Function, ModuleValue

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter


def made_again(loop: cst.CSTNode) -> frozenset[str]:
    """The names that a loop binds to what functions make of nothing else that it changes.

    What is made of what it was before is of its kind: ``params = update(params)``.
    """
    made, others = _bound(loop)
    again = {name for name, values in made.items() if all(map(_is_plain, values))} - others
    while True:
        changing = others.union(made) - again
        kept = {n for n in again if changing.isdisjoint(u for v in made[n] for u in values_in(v))}
        if kept == again:
            return frozenset(again)
        again = kept


def is_made_alike(it: Interpreter, name: str) -> bool:
    """Whether functions of the project give a name the same in each turn of the loops around.

    ``init, update = get_optimizer(kind, rate)``: what is called with nothing may give what it
    likes, as may what a library draws, reads or counts.

    Args:
      it: the interpreter, where the name is bound.
      name: the name.
    """
    loops = it.frame.enclosing_loops
    if not loops:
        return False
    values = it.written(_made_of_nothing_new, loops[0]).get(name, ())
    return bool(values) and all(
        bool(inner.args) and (dotted(inner.func) in ABOUT or _is_own(it, inner.func))
        for value in values
        for inner in walk(value)
        if isinstance(inner, cst.Call)
    )


def _is_own(it: Interpreter, function: cst.BaseExpression) -> bool:
    """Whether a name, or an attribute of a module, is a function of the project."""
    if isinstance(function, cst.Name):
        return isinstance(it.look_up(function.value), Function)
    if not isinstance(function, cst.Attribute) or not isinstance(function.value, cst.Name):
        return False
    module = it.look_up(function.value.value)
    if not isinstance(module, ModuleValue):
        return False
    return isinstance(it.attribute(module, function.attr.value, function), Function)


def _made_of_nothing_new(loop: cst.CSTNode) -> dict[str, list[cst.BaseExpression]]:
    """By name, what a loop makes anew in each turn of nothing that it changes, itself included."""
    made, others = _bound(loop)
    bound = others.union(made)
    again: dict[str, list[cst.BaseExpression]] = {}
    while True:
        new = {
            name: values
            for name, values in made.items()
            if name not in again and name not in others
            if all(dotted(called) is not None for value in values for called in _called(value))
            if all(again.keys() >= bound.intersection(values_in(value)) for value in values)
        }
        if not new:
            return again
        again.update(new)


def _bound(loop: cst.CSTNode) -> tuple[dict[str, list[cst.BaseExpression]], set[str]]:
    """What assignments in a loop give which names, and the names that it binds otherwise."""
    made: dict[str, list[cst.BaseExpression]] = defaultdict(list)
    others: set[str] = set()
    for inner in walk_own(loop):
        if isinstance(inner, cst.Assign):
            for assigned in inner.targets:
                for name in target_names(assigned.target):
                    made[name].append(inner.value)
                others.update(changed_object(assigned.target))
        elif not isinstance(inner, cst.AssignTarget):
            others.update(bindings_of(inner))
    return made, others


def _is_plain(value: cst.BaseExpression) -> bool:
    """Whether an expression calls nothing but functions, none of which takes the next of many."""
    return all(isinstance(f, cst.Name) and f.value not in CONSUMING for f in _called(value))


def _called(value: cst.BaseExpression) -> list[cst.BaseExpression]:
    return [inner.func for inner in walk(value) if isinstance(inner, cst.Call)]
