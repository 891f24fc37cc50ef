"""What functions set on classes that they are given: decorators, hooks of bases, metaclasses.

``cls.__init__ = wrapped`` in a decorator is why an object is not made as its class says.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from jitlint.project.walks import walk

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import ClassDefinition, Unit

#: functions that set a member by its name, with the positions of owner and name
_SETTERS: Final = {"setattr": (0, 1), "delattr": (0, 1), "__setattr__": (0, 1)}
#: functions that give all members of what they are given
_LISTS: Final = frozenset({"dir", "vars", "getmembers", "getmembers_static"})


class ClassChanges(Struct, frozen=True):
    """What code sets on classes.

    Args:
      members: the names of what it sets.
      computed: whether it sets something under a name that it computes.
      makes: whether it makes a class of its own, which may be there instead.
      every: whether it goes over the members that there are, and sets some of them.
    """

    members: frozenset[str] = frozenset()
    computed: bool = False
    makes: bool = False
    every: bool = False

    def __or__(self, other: ClassChanges) -> ClassChanges:
        """What both set."""
        return ClassChanges(
            self.members | other.members,
            self.computed or other.computed,
            self.makes or other.makes,
            self.every or other.every,
        )


def class_changes(unit: Unit) -> ClassChanges:
    """What a function sets on what it is given, objects that methods in it are called on aside."""
    root = unit.node
    owners = {name for name in _parameters(root) if name != "self"}
    members: set[str] = set()
    computed = makes = listed = False
    for node in walk(root):
        listed = listed or _lists_members(node, owners)
        if isinstance(node, ast.ClassDef):
            makes = True
        elif isinstance(node, ast.Call):
            makes = makes or _makes_class(node)
            name = _set_by_call(node, owners)
            computed = computed or name == ""
            members.update((name,) if name else ())
        for target in _targets(node):
            if isinstance(target, ast.Attribute) and _is_one_of(target.value, owners):
                if not _wraps(node, target.attr):
                    members.add(target.attr)
            elif isinstance(target, ast.Subscript) and _is_one_of(target.value, owners):
                key = target.slice
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    members.add(key.value)
                else:
                    computed = True
    return ClassChanges(frozenset(members), computed, makes, computed and listed)


def changed_by_itself(definition: ClassDefinition) -> frozenset[str]:
    """What methods of a class set on the class: ``cls.backend = module``."""
    return frozenset(
        target.attr
        for units in definition.methods.values()
        for unit in units
        for node in walk(unit.node)
        for target in _targets(node)
        if isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id in ("cls", "__class__", definition.name)
        and not _wraps(node, target.attr)
    )


def set_members(unit: Unit, name: str) -> tuple[str, ...]:
    """What a function or statement sets on a class of a name; an empty text where it computes that.

    Args:
      unit: the function, or a statement of a module.
      name: how it writes the class, or the last part of that.
    """
    found: dict[str, None] = {}
    if not re.search(rf"\b{name}\.\w+\s*(?:\S{{1,2}}|)=(?!=)|attr(?:__)?\(|\bdel\b", unit.text):
        return ()
    for node in walk(unit.node):
        if isinstance(node, ast.Call):
            by_call = _set_by_call(node, {name})
            if by_call is not None:
                found[by_call] = None
        for target in _targets(node):
            if not isinstance(target, ast.Attribute) or _wraps(node, target.attr):
                continue
            if _is_one_of(target.value, {name}):
                found[target.attr] = None
    return tuple(found)


def set_by_module(module: ModuleIndex, name: str) -> frozenset[str]:
    """The same for all functions and statements of a module, but for methods."""
    units = [unit for unit in module.units_with(name) if unit.cls is None]
    return frozenset(member for unit in units for member in set_members(unit, name))


def _parameters(root: ast.AST) -> Iterator[str]:
    for node in walk(root):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
            yield from (parameter.arg for parameter in every)


def _targets(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    if isinstance(node, (ast.AugAssign, ast.AnnAssign)):
        return [node.target]
    return node.targets if isinstance(node, ast.Delete) else []


def _wraps(node: ast.AST, name: str) -> bool:
    """Whether a member is made of what it was: ``cls.step = jax.jit(cls.step)``."""
    value = node.value if isinstance(node, ast.Assign) else None
    return value is not None and any(
        isinstance(inner, ast.Attribute) and inner.attr == name for inner in walk(value)
    )


def _is_one_of(node: ast.expr, names: set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in names
    return isinstance(node, ast.Name) and node.id in names


def _set_by_call(node: ast.Call, owners: set[str]) -> str | None:
    """The member that ``setattr(cls, name, value)`` sets, empty if its name is computed."""
    places = _SETTERS.get(_called(node))
    if places is None or len(node.args) <= places[1]:
        return None
    owner, name = (node.args[place] for place in places)
    if not _is_one_of(owner, owners):
        return None
    known = isinstance(name, ast.Constant) and isinstance(name.value, str)
    return str(name.value) if known else ""  # type: ignore[attr-defined]


def _lists_members(node: ast.AST, owners: set[str]) -> bool:
    """Whether something asks what members a class has: ``dir(cls)``, ``cls.__dict__``."""
    if isinstance(node, ast.Attribute):
        return node.attr == "__dict__" and _is_one_of(node.value, owners)
    if not isinstance(node, ast.Call) or not node.args:
        return False
    return _called(node) in _LISTS and _is_one_of(node.args[0], owners)


def _called(node: ast.Call) -> str:
    """The last part of the name of what is called, empty where that has none."""
    function = node.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _makes_class(node: ast.Call) -> bool:
    """Whether a call makes a class: ``type(name, bases, namespace)``."""
    function = node.func
    if isinstance(function, ast.Name):
        return function.id == "type" and len(node.args) == 3
    return isinstance(function, ast.Attribute) and function.attr in ("new_class", "make_dataclass")


def passes_on(unit: Unit) -> bool:
    """Whether a metaclass' ``__call__`` hands on ``*args, **kwargs`` as they came."""
    node = unit.node
    if not isinstance(node, ast.FunctionDef):
        return False
    args = node.args
    star = None if args.vararg is None else args.vararg.arg
    keywords = None if args.kwarg is None else args.kwarg.arg
    calls = [
        call
        for call in walk(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "__call__"
    ]
    given = [*calls[0].args] if len(calls) == 1 else []
    starred = [each.value for each in given if isinstance(each, ast.Starred)]
    named = [keyword.value for call in calls for keyword in call.keywords if keyword.arg is None]
    handed = [each.id for each in (*starred, *named) if isinstance(each, ast.Name)]
    return len(calls) == 1 and handed == [name for name in (star, keywords) if name is not None]
