"""Names, displays, subscripts: how the size of what expressions give changes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import libcst as cst

from jitlint.absint.code.syntax import called_name, dotted, is_none
from jitlint.absint.detectors.sizes.bindings import Binding
from jitlint.absint.detectors.sizes.contents import changes_in_content
from jitlint.absint.detectors.sizes.growth import growing_methods, growth
from jitlint.absint.detectors.sizes.questions import (
    Change,
    How,
    Index,
    change_of_element,
    change_of_number,
    change_of_size,
    changed,
    first_of,
    size_of,
)
from jitlint.absint.detectors.sizes.scopes import Scope
from jitlint.absint.detectors.sizes.texts import (
    change_of_joined,
    change_of_length,
)
from jitlint.absint.detectors.sizes.windows import change_of_window
from jitlint.jaxmodel.sizes import plain_name


@size_of(cst.Name, cst.Attribute)
def _of_path(scope: Scope, node: cst.Name | cst.Attribute, index: Index) -> Change | None:
    path = dotted(node)
    if path is None:
        assert isinstance(node, cst.Attribute)
        return change_of_size(scope, node.value) if node.attr.value == "T" else None
    return _size_at(scope, path, node, index)


def _size_at(scope: Scope, path: str, node: cst.CSTNode, index: Index) -> Change | None:
    grown = growth(scope, path)
    if grown is not None:
        return changed(scope, How.GROWS, grown, path)
    bound = scope.written.bindings.get(path, ())
    if bound:
        return _size_bound(scope, path, bound[0], index) if len(bound) == 1 else None
    head, _, rest = path.partition(".")
    given = scope.given.get(head)
    if given is not None:
        if not rest:
            return change_of_size(given[0], given[1], index)
        lifted = scope.lifted(path)
        return None if lifted is None else _size_at(lifted[0], lifted[1], given[1], index)
    if scope.frame is not None and scope.parameter(head):
        if not rest:
            scope.asked.add(f"size {path}")
        elif scope.is_function:
            # It is another one where a loop calls one of these besides.
            scope.asked.update(f"beside {name}" for name in growing_methods(scope, path))
    base, _, last = path.rpartition(".")
    return _size_at(scope, base, node, index) if base and last == "T" else None


def _size_bound(scope: Scope, path: str, binding: Binding, index: Index) -> Change | None:
    if binding.value is None or binding.is_step:
        return None
    if not binding.is_loop:
        return change_of_size(scope, binding.value, (*binding.index, *index))
    if binding.node is not scope.repeated:
        return None
    return change_of_element(scope, binding.value, (*binding.index, *index))


# -- expressions ----------------------------------------------------------------------------------


@size_of(cst.BinaryOperation)
def _of_operation(scope: Scope, node: cst.BinaryOperation, index: Index) -> Change | None:
    if isinstance(node.operator, cst.MatrixMultiply):
        # The inner dimension is gone.
        return None
    repeated = isinstance(node.operator, cst.Multiply)
    for one, other in ((node.left, node.right), (node.right, node.left)):
        if repeated and isinstance(one, cst.List):
            return change_of_number(scope, other)
    parts = list(_summands(node))
    if isinstance(node.operator, cst.Add) and any(_is_list(scope, part) for part in parts):
        return change_of_joined(scope, parts)
    return first_of(change_of_size(scope, side) for side in (node.left, node.right))


def _summands(node: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Add):
        yield from _summands(node.left)
        yield from _summands(node.right)
    else:
        yield node


def _is_list(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether an expression plainly gives a list: `[0] * n`, or a name for that."""
    node = scope.meant(node)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Multiply):
        return isinstance(node.left, cst.List) or isinstance(node.right, cst.List)
    return isinstance(node, (cst.List, cst.ListComp))


@size_of(cst.UnaryOperation)
def _of_sign(scope: Scope, node: cst.UnaryOperation, index: Index) -> Change | None:
    return change_of_size(scope, node.expression)


@size_of(cst.List, cst.Tuple)
def _of_display(scope: Scope, node: cst.List | cst.Tuple, index: Index) -> Change | None:
    return first_of(change_of_size(scope, element.value) for element in node.elements)


@size_of(cst.Dict)
def _of_dict(scope: Scope, node: cst.Dict, index: Index) -> Change | None:
    return first_of(change_of_size(scope, element.value) for element in node.elements)


@size_of(cst.IfExp)
def _of_choice(scope: Scope, node: cst.IfExp, index: Index) -> Change | None:
    ways = [change_of_size(scope, way, index) for way in (node.body, node.orelse)]
    return ways[0] if None not in ways else None


@size_of(cst.ListComp, cst.GeneratorExp)
def _of_comprehension(
    scope: Scope, node: cst.ListComp | cst.GeneratorExp, index: Index
) -> Change | None:
    """A list that is made has as many elements as what it goes through, and passes its tests."""
    part = node.for_in
    selects = [test.test for test in part.ifs if _is_ordering(test.test)]
    for test in selects:
        if changes_in_content(scope, test) or changes_in_content(scope, part.iter):
            return changed(scope, How.SELECTED, test)
    if part.ifs or part.inner_for_in is not None:
        return None
    return change_of_length(scope, part.iter)


@size_of(cst.Subscript)
def _of_subscript(scope: Scope, node: cst.Subscript, index: Index) -> Change | None:
    parts = [element.slice for element in node.slice]
    if len(parts) == 1 and isinstance(node.value, cst.Call) and _is_number(parts[0]):
        # `jnp.nonzero(x)[0]`
        tuples = plain_name(scope.library(node.value.func)) in _GIVING_TUPLES
        return change_of_size(scope, node.value) if tuples else None
    whole = True
    for number, each in enumerate(parts):
        part = _as_slice(scope, each)
        if not isinstance(part, cst.Index):
            assert isinstance(part, cst.Slice)
            if part.lower is None and part.upper is None:
                continue
            change = change_of_window(scope, node.value, part, of_rows=number == 0)
            if change is not None:
                return change
            whole = whole and (number > 0 or _leaves_most(part))
            continue
        if isinstance(part.value, cst.Ellipsis) or dotted(part.value) in _NEW_AXES:
            continue
        selected = _selected(scope, part.value)
        if selected is not None and (
            changes_in_content(scope, selected) or changes_in_content(scope, node.value)
        ):
            return changed(scope, How.SELECTED, selected)
        change = change_of_size(scope, part.value)
        if change is not None:
            return change
        whole = whole and number > 0
    return change_of_size(scope, node.value, index) if whole else None


def _as_slice(scope: Scope, part: cst.BaseSlice) -> cst.BaseSlice:
    """``x[slice(start, stop)]`` as ``x[start:stop]``."""
    call = scope.meant(part.value) if isinstance(part, cst.Index) else None
    if not isinstance(call, cst.Call) or scope.library(call.func) != "builtins.slice":
        return part
    bounds = [None if is_none(arg.value) else arg.value for arg in call.args]
    if len(bounds) not in (1, 2) or any(arg.star or arg.keyword for arg in call.args):
        return part
    lower, upper = bounds if len(bounds) == 2 else (None, bounds[0])
    return cst.Slice(lower, upper)


def _is_number(part: cst.BaseSlice) -> bool:
    return isinstance(part, cst.Index) and isinstance(part.value, cst.Integer)


_GIVING_TUPLES: Final = frozenset({"nonzero", "where"})
_NEW_AXES: Final = frozenset({"None", "np.newaxis", "jnp.newaxis"})


def _leaves_most(part: cst.Slice) -> bool:
    """``x[1:]``, ``x[:-1]``: as long as ``x`` is, but for a few."""
    if part.step is not None:
        return False
    plain = part.upper is None and isinstance(part.lower, cst.Integer)
    return plain or (part.lower is None and isinstance(part.upper, cst.UnaryOperation))


def _selected(scope: Scope, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The test by which a mask selects, None if an index is no mask of which that is known."""
    node = scope.meant(node)
    return node if _is_ordering(node) or _picks_group(scope, node) else None


def _picks_group(scope: Scope, node: cst.BaseExpression) -> bool:
    """``labels == label``, where a loop goes through what labels there are: ``np.unique(labels)``.

    Groups are as large as they happen to be.
    """
    if not isinstance(node, cst.Comparison) or len(node.comparisons) != 1:
        return False
    if not isinstance(node.comparisons[0].operator, cst.Equal):
        return False
    loop = scope.repeated
    if not isinstance(loop, (cst.For, cst.CompFor)) or not isinstance(loop.iter, cst.Call):
        return False
    sides = {dotted(side) for side in (node.left, node.comparisons[0].comparator)}
    unique = plain_name(scope.library(loop.iter.func)) == "unique"
    return unique and dotted(loop.target) in sides - {None}


def _is_ordering(node: cst.BaseExpression) -> bool:
    """Whether a test selects by size, so that nobody knows how many pass it.

    All but one are left by ``ids != k``, and folds are of one size.
    """
    if isinstance(node, cst.Comparison):
        return all(isinstance(target.operator, _ORDERS) for target in node.comparisons)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.BitAnd, cst.BitOr)):
        return _is_ordering(node.left) or _is_ordering(node.right)
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.BitInvert) and _is_ordering(node.expression)
    return isinstance(node, cst.Call) and called_name(node) in ("isfinite", "isnan")


_ORDERS: Final = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)
