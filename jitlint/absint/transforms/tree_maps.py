"""``jax.tree.map``: a function is called on leaves, of which one stands for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from jitlint.absint.library.pytrees import filled, leaf_of, tree_like
from jitlint.absint.limits import MAPPED_APART
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.program.evidence import of_parameter
from jitlint.absint.transforms.kinds import kind
from jitlint.absint.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    Function,
    Ref,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.lattice import join_all
from jitlint.jaxmodel.transforms import Transform


@kind("tree_map", "tree_map_with_path")
def _tree_map(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f")
    if function is None or len(args.positional) < 2:
        return UNKNOWN
    trees = args.positional[1:]
    return _map_trees(it, function, trees, node, row.kind == "tree_map_with_path", 4)


def _map_trees(
    it: Interpreter,
    function: Value,
    trees: Sequence[Value],
    node: cst.CSTNode,
    with_path: bool,
    depth: int,
    place: str = "",
) -> Value:
    first = trees[0]
    if first == NONE:
        return NONE
    if isinstance(first, Union) and all(isinstance(member, Const) for member in first.members):
        # A setting that is one of some numbers stays one of what they become.
        others = trees[1:]
        return join_all(
            _map_trees(it, function, [member, *others], node, with_path, depth, place)
            for member in members_of(first)
        )
    rows = _rows(it, trees) if depth else None
    if rows is not None:
        if isinstance(first, Tuple) and len(rows) > 1:
            # A function that asks the leaves of a tuple for their types tells them apart.
            rows = {key: list(map(_of_any_type, row)) for key, row in rows.items()}
        made = {
            key: _map_trees(it, function, row, node, with_path, depth - 1, f"{place}.{key}")
            for key, row in rows.items()
        }
        return _like(it, first, made, node, place)
    leaves = [_leaf_for(it, function, index, tree) for index, tree in enumerate(trees)]
    if with_path:
        leaves = [STATIC, *leaves]
    result = it.call(function, Arguments(list(leaves)), node)
    if isinstance(first, (Array, Const)):
        return result
    if isinstance(first, Ref):
        contents = it.contents(first)
        if isinstance(contents, DictObject) and depth:
            items = {key: filled(part, result) for key, part in contents.items.items()}
            rest = None if contents.rest is None else result
            return it.allocate(node, DictObject(items, rest), place)
        if isinstance(contents, ListObject) and contents.items is None:
            return it.allocate(node, ListObject(None, filled(contents.element, result)), place)
        if isinstance(contents, Instance) and sure_array(result) is not None:
            like = tree_like(
                it, first, lambda part: filled(part, result), node, keeps=False, place=place
            )
            if like is not None:
                return like
    traced = sure_array(result)
    if traced is not None:
        return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)
    return UNKNOWN


def _rows(it: Interpreter, trees: Sequence[Value]) -> dict[Any, list[Value]] | None:
    """The subtrees of some trees side by side, None where they are not all known.

    A dict or list whose leaves are alike is left to one call for all of them.
    """
    first = trees[0]
    parts = _subtrees(it, first)
    if parts is None:
        return None
    if isinstance(first, Ref) and (
        len(parts) > MAPPED_APART or not _are_unlike(leaf_of(it, first))
    ):
        return None
    rows: dict[Any, list[Value]] = {key: [part] for key, part in parts.items()}
    for other in trees[1:]:
        beside = _subtrees(it, other)
        if beside is None and (other == UNKNOWN or isinstance(other, Tree)):
            # Of the same structure, or JAX would refuse it.
            part = other.replace() if isinstance(other, Tree) else UNKNOWN
            beside = dict.fromkeys(parts, part)
        if beside is None or beside.keys() != parts.keys():
            return None
        for key, row in rows.items():
            row.append(beside[key])
    return rows


def _subtrees(it: Interpreter, tree: Value) -> dict[Any, Value] | None:
    """What a tuple, list or dict holds, None if that is not known."""
    if isinstance(tree, Tuple):
        return dict(enumerate(tree.items))
    contents = it.contents(tree) if isinstance(tree, Ref) else None
    if isinstance(contents, DictObject) and contents.rest is None:
        return contents.items
    if isinstance(contents, ListObject) and contents.items is not None:
        return dict(enumerate(contents.items))
    return None


def _are_unlike(leaf: Value) -> bool:
    """Whether what stands for the leaves of a tree stands for tracers and for other things."""
    return isinstance(leaf, Union) and sure_array(leaf) is None


def _like(
    it: Interpreter, tree: Value, parts: dict[Any, Value], node: cst.CSTNode, place: str
) -> Value:
    """A tuple, list or dict like another, of other parts."""
    if isinstance(tree, Tuple):
        return Tuple(tuple(parts.values()), tree.cls)
    if isinstance(it.contents(tree), DictObject):  # type: ignore[arg-type]
        return it.allocate(node, DictObject(parts, None), place)
    items = tuple(parts.values())
    return it.allocate(node, ListObject(items, join_all(items), mutable=True), place)


def _of_any_type(leaf: Value) -> Value:
    return leaf.replace(python_type=None) if isinstance(leaf, Array) else leaf


def _leaf_for(it: Interpreter, function: Value, index: int, tree: Value) -> Value:
    """A leaf as a function takes it: one that it writes to is a mutable reference."""
    leaf = leaf_of(it, tree)
    if not isinstance(tree, Tree) or not isinstance(function, Function):
        return leaf
    code = function.code
    if code.node is None or index >= len(code.parameters):
        return leaf
    used = of_parameter(it, code, code.parameters[index])
    return tree.replace(container=True) if used.used_as_reference else leaf
