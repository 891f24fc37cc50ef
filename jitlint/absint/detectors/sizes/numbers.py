"""Whether a number that sizes are made of is a new one each time."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import called_name, dotted, walk_own
from jitlint.absint.detectors.sizes.bindings import Binding, part_of
from jitlint.absint.detectors.sizes.lengths import number_of
from jitlint.absint.detectors.sizes.listed import listed_names
from jitlint.absint.detectors.sizes.questions import (
    Change,
    How,
    Index,
    answers,
    change_of_number,
    change_of_size,
    changed,
)
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.sizes.texts import change_of_length
from jitlint.absint.detectors.surroundings.loop_counters import (
    counters,
    is_short,
    takes_new_values,
)


@answers("number")
def _new_number(scope: Scope, node: cst.BaseExpression, index: Index) -> Change | None:
    found: list[Change] = []
    if scope.listed:
        # Of sizes that are listed one may well give another number, however it is rounded.
        while isinstance(node, cst.Call) and len(node.args) == 1 and _rounds(node):
            node = node.args[0].value

    def is_new(leaf: cst.BaseExpression) -> bool:
        change = _of_leaf(scope, leaf)
        if change is not None:
            found.append(change)
        return change is not None

    return found[0] if takes_new_values(node, is_new) else None


def _rounds(call: cst.Call) -> bool:
    return called_name(call) in ("int", "round", "ceil", "floor")


def _of_leaf(scope: Scope, node: cst.BaseExpression) -> Change | None:
    """A number that is not reckoned here: a name, a length."""
    path = dotted(node)
    if path is not None:
        change = _of_path(scope, path, node)
        if change is None and isinstance(node, cst.Attribute) and node.attr.value == "size":
            return change_of_size(scope, node.value)
        return change
    if isinstance(node, cst.Call) and dotted(node.func) == "len" and len(node.args) == 1:
        return change_of_length(scope, node.args[0].value)
    if isinstance(node, cst.Call):
        return changed(scope, How.FOLLOWS, node) if _is_drawn(scope, node) else None
    if isinstance(node, cst.Subscript) and isinstance(node.value, cst.Attribute):
        shape = node.value
        return change_of_size(scope, shape.value) if shape.attr.value == "shape" else None
    return None


def _is_drawn(scope: Scope, call: cst.Call) -> bool:
    """Whether a call draws one whole number, another one each time."""
    if scope.library(call.func) not in _DRAWING:
        return False
    if len(call.args) > 2 or any(arg.keyword is not None or arg.star for arg in call.args):
        return False
    numbers = [number_of(scope, arg.value) for arg in call.args]
    known = [number for number in numbers if number is not None]
    few = len(known) == len(numbers) and abs(known[-1] - (known[0] if known[1:] else 0)) <= _FEW
    return not few and any(inner is call for inner in walk_own(scope.repeated))


#: of so few numbers each soon has its program
_FEW: Final = 3
#: draw a whole number between two others
_DRAWING: Final = frozenset(
    {"numpy.random.randint", "numpy.random.integers", "random.randint", "random.randrange"}
)


def _of_path(scope: Scope, path: str, node: cst.BaseExpression) -> Change | None:
    known = scope.parsed.fact(counters, scope.repeated)
    names = known.lasting | known.counting if scope.outermost else known.lasting
    if path in names and not (scope.is_function and "." not in path):
        short = scope.frame is not None and is_short(scope.it, known)
        return None if short else changed(scope, How.FOLLOWS, node, path)
    bound = scope.written.bindings.get(path, ())
    if bound:
        return _of_binding(scope, bound[0], node, path) if len(bound) == 1 else None
    head, dot, _ = path.partition(".")
    given = scope.given.get(head)
    if given is not None:
        if not dot:
            return change_of_number(*given)
        lifted = scope.lifted(path)
        return None if lifted is None else _of_path(lifted[0], lifted[1], given[1])
    if not dot and scope.frame is not None and scope.parameter(path):
        scope.asked.add(f"number {path}")
    return None


def _of_binding(
    scope: Scope, binding: Binding, node: cst.BaseExpression, path: str
) -> Change | None:
    if binding.value is None or binding.is_step:
        return None
    if not binding.is_loop:
        value, index = part_of(binding.value, binding.index)
        return None if index else change_of_number(scope, value)
    if binding.node is not scope.repeated:
        return None
    chosen = not binding.index and _is_any(scope, binding.value)
    if chosen or (scope.listed and path in listed_names(scope)):
        return changed(scope, How.FOLLOWS, node, path)
    return None


def _is_any(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether a caller chooses what a loop goes through: there may be any number of sizes.

    What the code itself lists are the sizes that it is about.
    """
    return isinstance(node, cst.Name) and scope.frame is not None and scope.parameter(node.value)
