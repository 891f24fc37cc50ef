"""``jax.tree.map``: a function is called on leaves, of which one stands for many."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.library.pytrees import leaf_of
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
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject
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
) -> Value:
    first = trees[0]
    if first == NONE:
        return NONE
    if (
        depth
        and isinstance(first, Tuple)
        and all(isinstance(t, Tuple) and len(t.items) == len(first.items) for t in trees)
    ):
        sides = [t.items for t in trees if isinstance(t, Tuple)]
        if len(first.items) > 1:
            # A function that asks the leaves of a tuple for their types tells them apart.
            sides = [tuple(map(_of_any_type, items)) for items in sides]
        rows = zip(*sides, strict=True)
        return Tuple(
            tuple(_map_trees(it, function, row, node, with_path, depth - 1) for row in rows),
            first.cls,
        )
    leaves = [_leaf_for(it, function, index, tree) for index, tree in enumerate(trees)]
    if with_path:
        leaves = [STATIC, *leaves]
    result = it.call(function, Arguments(list(leaves)), node)
    if isinstance(first, Array):
        return result
    if isinstance(first, Ref):
        contents = it.contents(first)
        if isinstance(contents, DictObject) and depth:
            items = {key: _filled(part, result) for key, part in contents.items.items()}
            rest = None if contents.rest is None else result
            return it.allocate(node, DictObject(items, rest))
        if isinstance(contents, ListObject) and contents.items is None:
            return it.allocate(node, ListObject(None, _filled(contents.element, result)))
    traced = sure_array(result)
    if traced is not None and first != UNKNOWN:
        return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)
    return UNKNOWN


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


def _filled(part: Value, result: Value) -> Value:
    """A mapped subtree: the result itself where the subtree is a leaf."""
    if isinstance(part, (Array, Const, Static)):
        return result
    traced = sure_array(result)
    return UNKNOWN if traced is None else Tree(traced.level, certainty=traced.certainty)
