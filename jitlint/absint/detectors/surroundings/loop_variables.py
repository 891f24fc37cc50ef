"""What changes from one iteration to the next of the loops around a point."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.paths import in_order, repeats
from jitlint.absint.detectors.surroundings.written import bindings, root_name, values_in
from jitlint.absint.values.domain import Ref, Tuple
from jitlint.absint.values.heap import ListObject

if TYPE_CHECKING:
    from jitlint.absint.machine.interpreter import Interpreter

#: what binds its one target
_BINDING: Final = frozenset({cst.For, cst.CompFor, cst.AugAssign, cst.NamedExpr})


def varies(it: Interpreter, node: cst.Call) -> bool:
    """Whether the arguments of a call change with the loops around it."""
    bound = bound_in_loops(it)
    return any(_mentions(arg, bound) for arg in node.args)


def varying_parameters(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters for which a call passes what changes with the loops around it."""
    if not isinstance(node, cst.Call):
        return frozenset()
    bound = bound_in_loops(it)
    names = _parameter_names(callee, node)
    found: set[str] = set()
    for index, arg in enumerate(node.args):
        if not _mentions(arg, bound):
            continue
        if arg.star:
            return frozenset(names)
        if arg.keyword is not None:
            found.add(arg.keyword.value)
        elif index < len(names):
            found.add(names[index])
    receiver = receiver_of(callee, node)
    if receiver is not None and not bound.isdisjoint(values_in(receiver)):
        found.add(callee.parameter_names[0])
    return frozenset(found) | _left_to_turns(it, callee, node, bound)


def _left_to_turns(
    it: Interpreter, callee: Code, node: cst.Call, bound: Collection[str]
) -> frozenset[str]:
    """The parameters that a call leaves to defaults which a loop around it makes.

    ``for size in sizes:``, ``def make(size=size): ...``, ``make()``: the turn makes the function.
    """
    around = it.frame.code
    prefix = "" if around is None else f"{around.qualname}."
    if callee.unit is not it.frame.parsed.unit or not callee.qualname.startswith(prefix):
        return frozenset()
    given = {name for name, _ in given_by_name(callee, node)}
    return frozenset(
        each.name
        for each in callee.parameters
        if each.default is not None
        and each.name not in given
        and not set(bound).isdisjoint(values_in(each.default))
    )


def receiver_of(callee: Code, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The object that a call gives a method, which that has as its first parameter."""
    func = node.func if isinstance(node, cst.Call) else None
    is_method = callee.cls is not None and callee.parameter_names[:1] == ["self"]
    return func.value if is_method and isinstance(func, cst.Attribute) else None


def receiver_at(it: Interpreter, callee: Code, node: cst.CSTNode) -> str:
    """Which object a call gives a method: its name, with how often that was bound before.

    Args:
      it: the interpreter, in the code that calls the method.
      callee: the method.
      node: the call.

    Returns:
      As it is written if it has no name; nothing for what is no method of an object.
    """
    receiver = receiver_of(callee, node)
    if not isinstance(receiver, cst.Name):
        return "" if receiver is None else it.text(receiver)
    frame, name = it.frame, receiver.value
    code = frame.code
    if code is None or code.node is None:
        before = frame.parsed.unit.sides(name).count(-1)
    else:
        above = takewhile(lambda inner: inner is not node, in_order(code.node))
        assigns = (inner for inner in above if isinstance(inner, cst.Assign))
        before = sum(name in target_names(each.target) for one in assigns for each in one.targets)
    return f"{name} {before}"


def given_by_name(callee: Code, node: cst.Call) -> Iterator[tuple[str, cst.BaseExpression]]:
    """What a call gives which parameters, as far as that is written there."""
    names = _parameter_names(callee, node)
    for index, arg in enumerate(node.args):
        if arg.star:
            return
        if arg.keyword is not None:
            yield arg.keyword.value, arg.value
        elif index < len(names):
            yield names[index], arg.value


def _parameter_names(callee: Code, node: cst.Call) -> list[str]:
    """The parameters of a function for which a call passes something, in their order."""
    names = callee.parameter_names
    # A class is called by its name, and its constructor is given the object first.
    bound = isinstance(node.func, cst.Attribute) or callee.name == "__init__"
    return names[1 if callee.cls is not None and bound else 0 :]


def _mentions(arg: cst.Arg, names: set[str]) -> bool:
    return any(name in names for name in values_in(arg.value))


def loops_on_object(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a loop around a call calls it again, and if it is a method, of the same object.

    Each turn of ``for shape in shapes: shape.area()`` asks another one, as does each of
    ``for make in makers: make()`` and ``for name in names: MAKERS[name]()``; and each turn of
    ``for eqn in jaxpr.eqns`` is about another program, if any.
    """
    if it.frame.context.disabled:
        # `with jax.disable_jit():` nothing is compiled, however often it is called.
        return False
    loops = [
        loop
        for loop in it.frame.enclosing_loops
        if repeats(loop) and not it.written(_is_of_equations, loop) and not _has_one_turn(it, loop)
    ]
    function = node.func if isinstance(node, cst.Call) else None
    key = _looked_up_under(loops[0], function) if loops else None
    if key is not None:
        return any(key not in loop_targets(loop) for loop in loops)
    if not loops or not isinstance(function, (cst.Attribute, cst.Name)):
        return bool(loops)
    inside = list(walk_own(function.value if isinstance(function, cst.Attribute) else function))
    if any(isinstance(inner, cst.Call) for inner in inside):
        return True
    names = {inner.value for inner in inside if isinstance(inner, cst.Name)}
    return any(names.isdisjoint(loop_targets(loop)) for loop in loops)


def _has_one_turn(it: Interpreter, loop: cst.CSTNode) -> bool:
    """Whether what a loop goes through is seen to hold one thing."""
    if not isinstance(loop, (cst.For, cst.CompFor)) or not isinstance(loop.iter, cst.Name):
        return False
    value = it.look_up(loop.iter.value)
    contents = it.contents(value) if isinstance(value, Ref) else value
    items = contents.items if isinstance(contents, (ListObject, Tuple)) else None
    return items is not None and len(items) < 2


def _looked_up_under(loop: cst.CSTNode, function: cst.CSTNode | None) -> str | None:
    """The name under which a loop looks up what it calls: ``TABLE[name](x)``, at once or before."""
    if isinstance(function, cst.Name):
        values = [
            value
            for target, value in bindings(loop)
            if isinstance(target, cst.Name) and target.value == function.value
        ]
        function = values[0] if len(values) == 1 else None
    if not isinstance(function, cst.Subscript) or len(function.slice) != 1:
        return None
    part = function.slice[0].slice
    if isinstance(part, cst.Index) and isinstance(part.value, cst.Name):
        return part.value.value
    return None


def _is_of_equations(loop: cst.CSTNode) -> bool:
    """``for eqn in jaxpr.eqns``, and ``enumerate`` and its like of them."""
    return isinstance(loop, (cst.For, cst.CompFor)) and any(
        isinstance(inner, cst.Attribute) and inner.attr.value == "eqns"
        for inner in walk_own(loop.iter)
    )


def bound_in_loops(it: Interpreter) -> set[str]:
    """The names that loops around the current point bind, or of which they change the object."""
    bound: set[str] = set()
    for loop in it.frame.enclosing_loops:
        bound |= it.written(_bound_in, loop)
    return bound


def _bound_in(loop: cst.CSTNode) -> frozenset[str]:
    return frozenset(_bindings(loop))


def loop_targets(loop: cst.CSTNode) -> frozenset[str]:
    """The names that a loop or comprehension gives another value in each turn by itself."""
    if isinstance(loop, (cst.For, cst.CompFor)):
        return frozenset(target_names(loop.target))
    return frozenset()


def settings_of(loop: cst.CSTNode) -> frozenset[str]:
    """The name to which a loop gives one setting after the other: ``for flag in (False, True)``.

    Texts and flags are no arrays: what works with them is another program for each.
    """
    if not isinstance(loop, (cst.For, cst.CompFor)) or not isinstance(loop.target, cst.Name):
        return frozenset()
    listed = loop.iter.elements if isinstance(loop.iter, (cst.List, cst.Tuple)) else ()
    values = [_setting(element.value) for element in listed]
    distinct = None not in values and len(set(values)) == len(values) > 1
    return frozenset({loop.target.value}) if distinct else frozenset()


def _setting(node: cst.BaseExpression) -> str | None:
    """The text of a setting, None for what may be a number."""
    if isinstance(node, cst.SimpleString):
        return node.value
    is_flag = isinstance(node, cst.Name) and node.value in ("False", "None", "True")
    return node.value if is_flag else None  # type: ignore[attr-defined]


def _bindings(loop: cst.CSTNode) -> Iterator[str]:
    for inner in walk_own(loop):
        if type(inner) in _BINDING:
            yield from target_names(inner.target)  # type: ignore[attr-defined]
        elif type(inner) is cst.Assign:
            for target in inner.targets:
                yield from target_names(target.target)
                yield from changed_object(target.target)


def changed_object(target: cst.CSTNode) -> set[str]:
    """The object of which an assignment sets an attribute or an item."""
    if not isinstance(target, (cst.Attribute, cst.Subscript)):
        return set()
    while isinstance(target, cst.Subscript):
        target = target.value
    name = root_name(target)
    return set() if name is None else {name}
