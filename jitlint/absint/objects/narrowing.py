"""Variables and attributes whose values are known better on the paths at hand."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import SHARED, Ref, Static, Unknown, Value
from jitlint.absint.values.heap import Instance, Variables
from jitlint.absint.values.told import with_attribute_told

#: what was narrowed, by frame or object and name, with what it was before
Changes = list[tuple[int, str, Value]]


def narrow(it: Interpreter, node: cst.CSTNode, change: Callable[[Value], Value]) -> Changes:
    """Change the value of a name or attribute path in place; what it was before."""
    if type(node) is cst.Name:
        name = node.value
        for env in (it.frame.env, *it.frame.closure):
            variables = it.contents(env)
            if isinstance(variables, Variables) and name in variables:
                old = variables[name]
                new = change(old)
                if new is not old:
                    it.variables(env)[name] = new
                    return [(env, name, old), *_narrow_others(it, old, new)]
                return []
            if env == it.frame.env and it.frame.code and name in it.frame.code.bound_names:
                return []
        return []
    if type(node) is cst.Attribute and isinstance(node.value, (cst.Name, cst.Attribute)):
        receiver = it.ev(node.value)
        if isinstance(receiver, Ref) and isinstance(it.contents(receiver), Instance):
            name = node.attr.value
            old = it.contents(receiver).attributes.get(name)
            if old is None:
                return []
            new = change(old)
            if new is not old:
                it.edit(receiver).attributes[name] = new
                return [(receiver.id, name, old), *_narrow_others(it, old, new)]
        elif type(receiver) is Unknown:
            attribute = node.attr.value
            return narrow(
                it, node.value, lambda owner: with_attribute_told(owner, attribute, change)
            )
    return []


def _narrow_others(it: Interpreter, old: Value, new: Value) -> Changes:
    """Narrow what else the code at hand holds the same value in: ``self.mode = mode``."""
    variables = it.contents(it.frame.env)
    if not isinstance(variables, Variables) or not _is_one_value(old):
        return []
    changes: Changes = []
    for name, value in list(variables.items()):
        if value is old:
            it.variables(it.frame.env)[name] = new
            changes.append((it.frame.env, name, old))
        held = it.contents(value) if isinstance(value, Ref) else None
        if isinstance(value, Ref) and isinstance(held, Instance):
            for key in [key for key, one in held.attributes.items() if one is old]:
                it.edit(value).attributes[key] = new
                changes.append((value.id, key, old))
    return changes


def _is_one_value(value: Value) -> bool:
    """Whether what holds this holds one and the same value, as one that a caller passes."""
    if type(value) is Unknown:
        return bool(value.buffers)
    return type(value) is Static and not any(value is one for one in SHARED)
