"""What follows from an object alone, and is set on it while one of its methods is traced.

``self.optimizer = optax.adam(self.rate)``: a static object has traces of its own, and the first of
them sets what every other call would set again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, bindings_of, parameters_of, target_names
from jitlint.absint.code.syntax import children, walk, walk_own
from jitlint.absint.detectors.surroundings.written import root_name
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
)
from jitlint.absint.values.heap import Instance

_BEHAVIOUR: Final = (BoundMethod, ExternalInstance, Function, Partial, Transformed)
#: builtins that give something else in every call
_CONSUMING: Final = frozenset({"id", "input", "next", "object", "open"})


@dataclass(frozen=True, slots=True)
class _Binding:
    """What a statement binds.

    Args:
      bound: the names that it binds.
      targets: what it assigns to.
      value: what it binds them to, None where that is not known.
      names: the names in that value, and in the tests that the statement is under.
    """

    bound: frozenset[str]
    targets: tuple[cst.CSTNode, ...] = ()
    value: cst.CSTNode | None = None
    names: frozenset[str] = frozenset()


def follows_from_object(it: Interpreter, owner: Ref, node: cst.CSTNode, value: Value) -> bool:
    """Whether an attribute is set to a function or object that follows from its own object alone.

    Nothing but this method and ``__init__`` sets it, and no other object has the same traces.

    Args:
      it: the interpreter.
      owner: the object.
      node: the target, in the function that runs.
      value: what it is set to.
    """
    code = it.frame.code
    if code is None or code.cls is None or not isinstance(node, cst.Attribute):
        return False
    is_object = isinstance(value, Ref) and isinstance(it.contents(value), Instance)
    if not is_object and value is not UNKNOWN and not isinstance(value, _BEHAVIOUR):
        return False
    if id(node) not in it.written(_following, code) or _is_like_others(it, owner):
        return False
    return not _is_set_elsewhere(it, owner, node.attr.value)


def _is_set_elsewhere(it: Interpreter, owner: Ref, name: str) -> bool:
    """Whether other code than the method that runs sets an attribute of an object again."""
    contents = it.contents(owner)
    if not isinstance(contents, Instance) or it.frame.code is None:
        return True
    family = [each.definition for each in class_info(it, contents.cls).mro]
    written = rf"\.{name}\b\s*(:[^=\n]+)?=(?!=)|[\"']{name}[\"']"
    return any(
        # Another class sets it on objects of its own.
        unit.finds(written if unit.cls in (None, *family) else rf"(?<!\bself){written}")
        for module in it.modules_with(name)
        for unit in module.units_with(name)
        if unit is not it.frame.code.unit and unit.name != "__init__"
    )


def _is_like_others(it: Interpreter, owner: Ref) -> bool:
    """Whether the class of an object says which objects are taken for the same one."""
    contents = it.contents(owner)
    return isinstance(contents, Instance) and any(
        find_in_class(it, contents.cls, name) is not None for name in ("__eq__", "__hash__")
    )


def _following(code: Code) -> frozenset[int]:
    """Which targets of a method, attributes of its object, are set to what follows from that."""
    if code.node is None or not code.parameters:
        return frozenset()
    this = code.parameters[0].name
    bindings = list(_bindings(code.node.body, ()))
    known = {name for binding in bindings if binding.value is not None for name in binding.bound}
    others = {parameter.name for parameter in code.parameters} - {this}
    unknown = others | (code.bound_names - known - {this}) | _CONSUMING
    grown = True
    while grown:
        grown = False
        for binding in bindings:
            if not binding.bound <= unknown and (binding.value is None or binding.names & unknown):
                unknown |= binding.bound
                grown = True
    return frozenset(
        id(target)
        for binding in bindings
        if binding.value is not None and not binding.names & unknown
        for target in binding.targets
        if isinstance(target, cst.Attribute)
        and root_name(target.value) == this
        and not any(target.deep_equals(inner) for inner in walk(binding.value))
    )


def _bindings(node: cst.CSTNode, tests: tuple[cst.CSTNode, ...]) -> Iterator[_Binding]:
    """The bindings of a piece of code; what runs in a loop and its kin has no known value."""
    if isinstance(node, (cst.FunctionDef, cst.ClassDef)):
        yield _Binding(frozenset({node.name.value}), (), node, _names(node, *tests))
    elif isinstance(node, cst.Assign):
        targets = tuple(each.target for each in node.targets)
        bound = frozenset(name for target in targets for name in target_names(target))
        yield _Binding(bound, targets, node.value, _names(node.value, *tests))
    elif isinstance(node, cst.If):
        for branch in children(node):
            yield from _bindings(branch, (*tests, node.test))
    elif isinstance(node, (cst.BaseSuite, cst.Else, cst.SimpleStatementLine)):
        for child in children(node):
            yield from _bindings(child, tests)
    else:
        for inner in walk_own(node):
            yield _Binding(frozenset(bindings_of(inner)))


def _names(*nodes: cst.CSTNode) -> frozenset[str]:
    """The names from outside in expressions and definitions."""
    return frozenset(name for node in nodes for name in _free(node))


def _free(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, (cst.FunctionDef, cst.Lambda)):
        own = {parameter.name for parameter in parameters_of(node)}
        for child in children(node):
            yield from (name for name in _free(child) if name not in own)
    elif isinstance(node, (cst.Attribute, cst.Arg)):
        yield from _free(node.value)
    else:
        for child in children(node):
            yield from _free(child)
