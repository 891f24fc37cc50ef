"""Whether a write into an array would be seen under another name, as NumPy has it.

A copy that takes the place of an array is only the same where nothing else holds the array: no
second name, no view of it, no object that it was put into.
"""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import dotted, walk
from jitlint.fixes.making.draft import Draft

#: NumPy's functions and methods of these names may give a view of what they are given
_VIEWS: Final = frozenset(
    """asarray asanyarray array_split astype atleast_1d atleast_2d atleast_3d broadcast_arrays
    broadcast_to diag diagonal dsplit expand_dims flat flip fliplr flipud hsplit imag meshgrid
    moveaxis nan_to_num permute_dims ravel real reshape rollaxis rot90 split squeeze swapaxes T mT
    transpose tree_map map view vsplit unstack""".split()
)
#: attributes that are no part of the array's memory
_ABOUT: Final = frozenset({"shape", "ndim", "dtype", "size", "itemsize", "nbytes"})
_NUMERIC: Final = ("jnp", "np", "numpy", "jax.numpy", "lax", "jax.lax", "jax.nn", "jax.random")
_CONSUMERS: Final = (
    cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.FormattedStringExpression,
    cst.Return, cst.Expr, cst.If, cst.While, cst.Assert, cst.AugAssign, cst.Del,
)  # fmt: skip
#: displays among them: where one is assigned, the assignment is what keeps the array
_PASSES_ON: Final = (
    cst.Subscript, cst.SubscriptElement, cst.IfExp, cst.BooleanOperation, cst.Tuple, cst.List,
    cst.Element,
)  # fmt: skip


def may_be_seen_elsewhere(draft: Draft, function: Code, name: str) -> bool:
    """Whether a write into the array of a local name may be seen through something else.

    Args:
      draft: the fix.
      function: the function whose name it is.
      name: the name.
    """
    assert function.node is not None
    for node in walk(function.node.body):
        if isinstance(node, cst.Name) and node.value == name and _escapes(draft, node):
            return True
        if isinstance(node, (cst.For, cst.CompFor)) and name in target_names(node.target):
            return True
        if isinstance(node, cst.NamedExpr) and name in target_names(node.target):
            return True
        if isinstance(node, (cst.Assign, cst.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, cst.Assign) else [node]
            bound = [target.target for target in targets if name in target_names(target.target)]
            if bound and not (isinstance(bound[0], cst.Name) and _is_fresh(node.value)):
                return True
    return False


def _is_fresh(value: cst.BaseExpression) -> bool:
    """Whether an expression makes a new array."""
    if isinstance(value, (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison)):
        return True
    if not isinstance(value, cst.Call):
        return False
    return _is_numeric_call(value) or _method(value) in ("copy", "set", "add", "multiply")


def _escapes(draft: Draft, name: cst.Name) -> bool:
    """Whether the array gets to somewhere else by this use of its name."""
    node: cst.CSTNode = name
    for outer in draft.around(name):
        if isinstance(outer, (cst.AssignTarget, *_CONSUMERS)):
            # Of a store into one of its elements, the array is what is changed.
            return False
        if isinstance(outer, cst.Attribute):
            if node is outer.attr or outer.attr.value in _ABOUT:
                return False
        elif isinstance(outer, cst.Call):
            of_method = node is outer.func
            if of_method and _method(outer) not in (*_VIEWS, ""):
                return False
            if not of_method:
                return not _is_numeric_call(outer)
        elif isinstance(outer, cst.Arg):
            if node is outer.keyword:
                return False
        elif isinstance(outer, cst.Slice):
            return False
        elif isinstance(outer, cst.Index):
            if node is name and isinstance(draft.parent(outer), cst.SubscriptElement):
                # As an index it only says where.
                return False
        elif not isinstance(outer, _PASSES_ON):
            return True
        node = outer
    return True


def _is_numeric_call(call: cst.Call) -> bool:
    """Whether a function of NumPy or JAX computes something new of its arguments."""
    name = dotted(call.func)
    if name is None:
        return False
    module, _, function = name.rpartition(".")
    return module in _NUMERIC and function not in _VIEWS


def _method(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
