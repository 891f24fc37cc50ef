"""What code puts into containers that it names: pushed on stacks, entered in registries."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from jitlint.project.walks import FunctionNode, dotted, walk

if TYPE_CHECKING:
    from jitlint.project.units import Unit

#: methods that put their last argument into a container, by how many they take
PUTS: Final = {"append": 1, "appendleft": 1, "add": 1, "insert": 2, "setdefault": 2}
#: methods that put in what another container holds
POURS: Final = frozenset({"extend", "extendleft", "update"})


class Push(Struct, frozen=True):
    """Something is put into a container.

    Args:
      owner: what the container is an attribute of, as it is written; empty for a name.
      made: what is called to make it there, as it is written; empty for anything else.
      declared: the annotation of the parameter that it is.
      is_receiver: whether it is the object of the method that runs.
    """

    owner: str
    made: str = ""
    declared: ast.expr | None = None
    is_receiver: bool = False


def pushes(unit: Unit) -> dict[str, list[Push]]:
    """What the code of a unit puts into containers, by the last name of the container."""
    found: dict[str, list[Push]] = {}
    parameters = _parameters(unit.node)
    for container, value in _pushes(unit.node):
        written = dotted(container)
        if written is None:
            continue
        owner, _, name = written.rpartition(".")
        push = Push(owner)
        if isinstance(value, ast.Call):
            push = Push(owner, dotted(value.func) or "")
        elif isinstance(value, ast.Name) and value.id in parameters:
            first = value.id == next(iter(parameters))
            is_receiver = first and unit.cls is not None and not unit.decorated
            push = Push(owner, "", parameters[value.id], is_receiver)
        found.setdefault(name, []).append(push)
    return found


def _parameters(node: ast.stmt) -> dict[str, ast.expr | None]:
    """The parameters of a function, with their annotations."""
    if not isinstance(node, FunctionNode):
        return {}
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {parameter.arg: parameter.annotation for parameter in every}


def _pushes(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Containers and what is put into them."""
    for inner in walk(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Attribute):
            method, count = inner.func.attr, len(inner.args)
            if method in POURS:
                yield inner.func.value, None
            elif PUTS.get(method) == count:
                yield inner.func.value, inner.args[-1]
        elif isinstance(inner, ast.Assign):
            for target in inner.targets:
                if isinstance(target, ast.Subscript):
                    yield target.value, inner.value
        elif isinstance(inner, ast.AugAssign):
            yield inner.target, None
