"""How a class is registered as a pytree: decorators, calls and flatten functions of its module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from jitlint.absint.code.declarations import (
    EACH_OF,
    EVERY_FIELD,
    Call,
    Name,
    call_of,
    decorators_of,
    flattened_by,
    flattened_by_lambda,
    is_constant,
    listed_by,
    returned_attributes,
)
from jitlint.foundation.records import Record

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import ClassDefinition


class Registration(Record):
    """What one registration says: how instances flatten, their static fields and their children.

    ``pytree`` is as in ``ClassInfo``, empty for a decorator that makes a dataclass only;
    ``children`` are the attributes that a flatten function puts there, None if it cannot be read.
    """

    pytree: str
    static: frozenset[str] = frozenset()
    children: set[str] | None = None


def registrations(definition: ClassDefinition) -> list[Registration]:
    """What the decorators of a class and the calls of its module that name it register."""
    module = definition.module
    calls = [call for _, call in decorators_of(definition)]
    calls += map(call_of, module.calls_with(definition.name))
    found = [_registration(module, call) for call in calls if call is not None]
    return [each for each in found if each is not None]


def _registration(module: ModuleIndex, call: Call) -> Registration | None:
    name = call.name
    if name.endswith("partial"):
        first = call.arguments[0] if call.arguments else None
        name = first.text if isinstance(first, Name) else ""
    match name.rpartition(".")[2]:
        case "register_dataclass":
            third = call.arguments[2:3]
            return Registration("leaves", _static_fields(call) | _texts(third[0] if third else ()))
        case "dataclass":
            return Registration("", _static_fields(call))
        case "register_pytree_node" | "register_pytree_with_keys":
            return Registration("custom", children=_children(module, call))
        case "register_static":
            return Registration("static")
    return None


def _static_fields(call: Call) -> frozenset[str]:
    options = ("meta_fields", "static_fields")
    return _texts(*(call.keywords[option] for option in options if option in call.keywords))


def _texts(*listed: Any) -> frozenset[str]:
    """The constants in tuples that are written out."""
    rows = (each for each in listed if isinstance(each, tuple))
    return frozenset(str(item) for row in rows for item in row if is_constant(item))


def _children(module: ModuleIndex, call: Call) -> set[str] | None:
    """What the flatten function of ``register_pytree_node(Cls, flatten, unflatten)`` reads."""
    flatten = call.arguments[1] if len(call.arguments) > 1 else None
    if isinstance(flatten, Name):
        units = (binding.unit for binding in module.bound(flatten.text))
        pair = next(filter(None, map(flattened_by, units)), None)
        return None if pair is None else pair[0]
    return flattened_by_lambda(call.node.args[1]) if flatten is not None else None


def flattened_fields(order: Sequence[ClassDefinition]) -> tuple[set[str] | None, set[str]]:
    """What ``tree_flatten`` puts into the children and into the auxiliary data.

    Args:
      order: the classes that may define it, in the order of method resolution.

    Returns:
      The attributes in each, ``EVERY_FIELD`` for all fields; None if the children cannot be read.
    """
    units = (unit for each in order for unit in each.methods.get("tree_flatten", ()))
    children, auxiliary = next(filter(None, map(flattened_by, units)), (None, set()))
    auxiliary = _written_out(order, auxiliary) or auxiliary
    if children is not None:
        for name in [*children]:
            methods = (each.methods.get(name) for each in order)
            for unit in next(filter(None, methods), ()):
                # A property, or a method that is called.
                children |= returned_attributes(unit)
        children = _written_out(order, children)
    return children, auxiliary


def _written_out(order: Sequence[ClassDefinition], names: set[str]) -> set[str] | None:
    """Some attributes, with those that a class or its module lists; None if a list is not there."""
    found: set[str] = set()
    for name in names:
        listed = name.removeprefix(EACH_OF.format("")) if name != EVERY_FIELD else ""
        each = {name} if listed in ("", name) else _listed(order, listed)
        if each is None:
            return None
        found |= each
    return found


def _listed(order: Sequence[ClassDefinition], name: str) -> set[str] | None:
    """The names that an attribute of a class, or a variable of its module, lists."""
    if any(name in each.assigned_attributes for each in order):
        return None
    own = next((each.attributes[name] for each in order if name in each.attributes), None)
    if own is not None:
        return listed_by(own)
    units = [binding.unit for each in order for binding in each.module.bound(name)]
    return listed_by(units[0]) if len(units) == 1 else None
