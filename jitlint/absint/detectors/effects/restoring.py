"""What is set and set back, pushed and popped, counted up and down: it does not last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.paths import (
    in_order,
    is_skipped,
    most_on_one_path,
)
from jitlint.absint.detectors.surroundings.written import (
    asked_once,
    bindings,
    bound_values,
    method_calls,
)

if TYPE_CHECKING:
    from jitlint.absint.code.functions import Code
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter

#: methods after which an object is as new
_BEGINNING: Final = re.compile(r"^__(init|post_init|new)__$|^_?(setup|start|begin)|reset|clear")


@asked_once
def is_restored(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function, or ``__exit__`` after ``__enter__``, sets a target back."""
    code = frame.code
    if code is None or code.node is None:
        return False
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return _is_refilled(frame, code.node, frame.parsed.source(node.func.value))
    if not isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
        return False
    if isinstance(node, cst.Subscript):
        held = node.value
        if _is_refilled(frame, code.node, frame.parsed.source(held)) or _is_emptied_after(
            frame, code, node, held
        ):
            return True
    target = frame.parsed.source(node)
    if code.name in ("__enter__", "__exit__") and code.cls is not None:
        pattern = re.compile(rf"{re.escape(target)}\s*=(?!=)")
        return all(
            any(unit.finds(pattern) for unit in code.cls.methods.get(name, ()))
            for name in ("__enter__", "__exit__")
        )
    source = frame.parsed.source
    read = _properties(code, target)
    written = (
        (place, "" if value is None else source(value)) for place, value in bindings(code.node)
    )
    bound = [(place, source(place), target if value in read else value) for place, value in written]
    saved = {name for _, name, value in bound if value == target}
    copies: set[str] = set()
    if isinstance(node, cst.Subscript):
        # An element of a copy of the whole container.
        key = target.removeprefix(source(node.value))
        pairs = [(name, value) for _, name, value in bound]
        copies = {f"{name}{key}" for name in _copies(pairs, source(node.value))}
    restoring = [
        place
        for place, name, value in bound
        if name == target
        and (value in copies or (value in saved and _still_holds(code, node, place, bound)))
    ]
    if any(place is node for place in restoring):
        return True
    if restoring and not is_skipped(frame.parsed, code.node, node, restoring):
        return True
    if not isinstance(node, cst.Attribute):
        return False
    set_to = [(place, value) for place, name, value in bound if name == target]
    return _is_taken_back(code, node, set_to) or _is_emptied(frame, code.node, node, target)


def _properties(code: Code, target: str) -> set[str]:
    """What reads an attribute as well: properties of the class that return it."""
    owner = target.rpartition(".")[0]
    if code.cls is None or not owner:
        return set()
    returns = re.compile(rf"\breturn {re.escape(target)}\s*$")
    return {
        f"{owner}.{name}"
        for name, units in code.cls.methods.items()
        if any(unit.decorated and unit.finds(returns) for unit in units)
    }


def _still_holds(
    code: Code,
    node: cst.CSTNode,
    restoring: cst.CSTNode,
    bound: list[tuple[cst.CSTNode, str, str]],
) -> bool:
    """Whether a name has what was saved under it where that is put back.

    It is not bound to something else in between, nor saved anew in every turn of a loop in which
    the target is changed and not put back.
    """
    assert code.node is not None and code.parsed is not None
    target, kept = next((name, value) for place, name, value in bound if place is restoring)
    order = {id(inner): index for index, inner in enumerate(in_order(code.node))}
    end = order.get(id(restoring), 0)
    before = [
        (order.get(id(place), 0), place, value)
        for place, name, value in bound
        if name == kept and order.get(id(place), 0) < end
    ]
    if not before:
        # Put back by a nested function, or further up in the next turn of a loop.
        return True
    _, save, value = max(before, key=lambda found: found[0])
    if value != target:
        return False
    holds = code.parsed.holds
    return not any(
        isinstance(loop, (cst.For, cst.While))
        and holds(loop, save)
        and holds(loop, node)
        and not holds(loop, restoring)
        for loop in walk_own(code.node)
    )


def _copies(bound: list[tuple[str, str]], container: str) -> set[str]:
    """The names that a copy of a container is bound to."""
    written = re.escape(container)
    copying = re.compile(
        rf"(?:(?:dict|list|set|[\w.]*copy)\({written}\)|{written}\.copy\(\)|{written}\[:\]"
        rf"|\{{\*\*{written}\}}|[\[{{]\*{written}[\]}}])"
    )
    return {name for name, value in bound if copying.fullmatch(value)}


def _is_refilled(frame: Frame, node: cst.CSTNode, target: str) -> bool:
    """Whether a container is emptied and filled with a copy of what it held before.

    So it is where a ``finally`` empties and fills it, with whatever was handed over before.
    """
    if any(
        isinstance(inner, cst.Finally)
        and {"clear", "update"} <= {name for _, name, _ in method_calls(frame, inner, target)}
        for inner in walk_own(node)
    ):
        return True
    bound = list(bound_values(frame, node))
    saved = _copies(bound, target)
    if not saved:
        return False
    calls = list(method_calls(frame, node, target))
    filled = any(
        name in ("update", "extend") and len(given) == 1 and given[0] in saved
        for _, name, given in calls
    )
    if filled and any(name == "clear" for _, name, _ in calls):
        return True
    return any(name == f"{target}[:]" and value in saved for name, value in bound)


def is_refilled_above(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a call that led here stands in a function that fills a container of the module again.

    Args:
      it: the interpreter, in the trace that changes it.
      node: the change: a call of a method of the container, or the entry that is set.
    """
    held = node.func if isinstance(node, cst.Call) else node
    if not isinstance(held, (cst.Attribute, cst.Subscript)) or not isinstance(held.value, cst.Name):
        return False
    frame = it.frame
    if frame.code is None or held.value.value in frame.code.bound_names:
        return False
    module = frame.module
    while frame.parent is not None and frame.parent.context.cached:
        frame = frame.parent
        code = frame.code
        if code is None or code.node is None or frame.module is not module:
            return False
        name = held.value.value
        if name not in code.bound_names and _is_refilled(frame, code.node, name):
            return True
    return False


def _is_taken_back(
    code: Code, node: cst.CSTNode, set_to: Sequence[tuple[cst.CSTNode, str]]
) -> bool:
    """Whether an attribute is set to None again, or is that where it was set before.

    ``self.scale = scale``, calls that read it, and ``self.scale = None``: it hands something on.
    """
    assert code.node is not None and code.parsed is not None
    order = {id(inner): index for index, inner in enumerate(in_order(code.node))}
    here = order.get(id(node), 0)
    nothing = [place for place, value in set_to if value == "None"]
    if any(place is node for place in nothing):
        something = (place for place, value in set_to if value != "None")
        return any(order.get(id(place), here) < here for place in something)
    later = [place for place in nothing if order.get(id(place), -1) > here]
    return bool(later) and not is_skipped(code.parsed, code.node, node, later)


@asked_once
def is_handed_on(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether of two methods one sets an attribute and one sets it to None: ``self.index = None``.

    One puts something there for another, which takes it away; that it does so in the same
    trace is up to whoever calls the two, as with ``__enter__`` and ``__exit__``.  A constructor, or
    what its name calls a reset, begins anew instead.
    """
    code = frame.code
    if code is None or code.node is None or code.cls is None:
        return False
    if not isinstance(node, cst.Attribute):
        return False
    source = frame.parsed.source
    taken = any(
        place is node and value is not None and source(value) == "None"
        for place, value in bindings(code.node)
    )
    if taken and _BEGINNING.search(code.name):
        return False
    # The other half: what puts something there, or takes it away.
    value = r"(?!None\s*$)" if taken else r"None\s*$"
    other = re.compile(rf"^\s*{re.escape(source(node))}\s*=(?!=)\s*{value}", re.MULTILINE)
    return any(
        unit.finds(other)
        for name, units in code.cls.methods.items()
        if name != code.name and not _BEGINNING.search(name)
        for unit in units
    )


def _is_emptied(frame: Frame, node: cst.CSTNode, place: cst.CSTNode, target: str) -> bool:
    """Whether what an attribute is set to is emptied by its name further down."""
    order = {id(inner): index for index, inner in enumerate(in_order(node))}
    start = order.get(id(place), 0)
    return any(
        name == "clear" and order.get(id(call), -1) > start
        for call, name, _ in method_calls(frame, node, target)
    )


def _is_emptied_after(frame: Frame, code: Code, place: cst.CSTNode, container: cst.CSTNode) -> bool:
    """Whether a container is emptied in any case once something was put into it.

    The function does so itself, or by a method of its class: ``self.cleanup()``.
    """
    if code.node is None or not isinstance(container, cst.Attribute):
        return False
    target = frame.parsed.source(container)
    owner = target.rpartition(".")[0]
    emptying = re.compile(rf"^\s*{re.escape(target)}(?:\.clear\(\)| = \{{\}})\s*$", re.MULTILINE)
    methods = {} if code.cls is None else code.cls.methods
    cleaning = {
        name
        for name, units in methods.items()
        if units and all(unit.finds(emptying) for unit in units)
    }
    calls = [call for call, name, _ in method_calls(frame, code.node, target) if name == "clear"]
    calls += [call for call, name, _ in method_calls(frame, code.node, owner) if name in cleaning]
    order = {id(inner): index for index, inner in enumerate(in_order(code.node))}
    start = order.get(id(place), 0)
    after = [call for call in calls if order.get(id(call), -1) > start]
    return bool(after) and not is_skipped(frame.parsed, code.node, place, after)


def is_counted_back(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function takes away from a counter what it adds to it."""
    code = frame.code
    if code is None or code.node is None:
        return False
    source = frame.parsed.source
    target = source(node)
    added: list[str] = []
    taken: list[str] = []
    for inner in walk_own(code.node):
        if isinstance(inner, cst.AugAssign) and source(inner.target) == target:
            if isinstance(inner.operator, cst.AddAssign):
                added.append(source(inner.value))
            elif isinstance(inner.operator, cst.SubtractAssign):
                taken.append(source(inner.value))
            else:
                return False
        elif isinstance(inner, cst.Assign) and any(
            source(each.target) == target for each in inner.targets
        ):
            return False
    return bool(added) and sorted(added) == sorted(taken)


def may_be_skipped(frame: Frame, push: cst.CSTNode, pop: cst.CSTNode) -> bool:
    """Whether the running function may return after it pushed and before it pops."""
    function = None if frame.code is None else frame.code.node
    holds = frame.parsed.holds
    if function is None or not (holds(function, push) and holds(function, pop)):
        return False
    text = frame.parsed.source(pop)
    pops = [
        inner
        for inner in walk_own(function)
        if isinstance(inner, cst.Call) and frame.parsed.source(inner) == text
    ]
    return is_skipped(frame.parsed, function, push, pops)


def may_be_left_out(frame: Frame, place: cst.CSTNode, later: cst.CSTNode) -> bool:
    """Whether the running function may return after it was at a place, and before it gets later."""
    function = None if frame.code is None else frame.code.node
    holds = frame.parsed.holds
    if function is None or not (holds(function, place) and holds(function, later)):
        return False
    return is_skipped(frame.parsed, function, place, [later])


def is_undone(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether a function sets a target to something else when it is left: no value is kept."""
    code = frame.code
    if code is None or code.node is None:
        return False
    if code.name in ("__enter__", "__exit__"):
        return _taken_back(frame, node)
    if not isinstance(node, (cst.Name, cst.Attribute, cst.Subscript)):
        return False
    target = frame.parsed.source(node)
    for inner in walk_own(code.node):
        if isinstance(inner, (cst.Try, cst.TryStar)) and inner.finalbody is not None:
            final = inner.finalbody.body
            if any(name == target for name, _ in bound_values(frame, final)):
                return True
    times = sum(name == target for name, _ in bound_values(frame, code.node))
    return code.is_generator and times > 1


def _taken_back(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether the other half of a context manager may take back what one half does.

    It does not where it calls nothing and never mentions what was changed.
    """
    code = frame.code
    other = "__exit__" if code is not None and code.name == "__enter__" else "__enter__"
    units = [] if code is None or code.cls is None else code.cls.methods.get(other, [])
    place: cst.CSTNode = node
    if isinstance(place, cst.Call) and isinstance(place.func, cst.Attribute):
        place = place.func.value
    while isinstance(place, cst.Subscript):
        place = place.value
    name = frame.parsed.source(place).rpartition(".")[2]
    if not units or not name.isidentifier():
        return True
    return any(unit.finds(rf"\b{name}\b") or unit.finds(r"\b(?!__\w+__)\w+\(") for unit in units)


def leaves_some(frame: Frame, node: cst.CSTNode, pushes: set[int]) -> bool:
    """Whether a function visibly puts more on a stack than the removals beside it take away."""
    code = frame.code
    if code is None or code.node is None or frame.enclosing_loops or not isinstance(node, cst.Call):
        return False
    if not isinstance(node.func, cst.Attribute):
        return False
    function, stack = code.node, frame.parsed.source(node.func.value)

    def leaves() -> bool:
        removals = {
            id(call)
            for call, name, _ in method_calls(frame, function, stack)
            if name in ("pop", "popleft", "remove", "discard")
        }
        put = most_on_one_path(function, pushes)
        return put > 1 and put > most_on_one_path(function, removals)

    return frame.parsed.answer((leaves_some, code, stack, frozenset(pushes)), leaves)
