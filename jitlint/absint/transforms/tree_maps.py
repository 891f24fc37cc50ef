"""``jax.tree.map``: a function is called on leaves, of which one stands for many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from jitlint.absint.limits import MAPPED_APART
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.modules.evidence import of_parameter
from jitlint.absint.packages.pytrees import fields_of, filled, is_leaf, leaf_of, tree_like
from jitlint.absint.program.classes import class_info
from jitlint.absint.traces.kinds import kind
from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
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
from jitlint.foundation.records import Record
from jitlint.jaxmodel.transforms import Transform


@kind("tree_map", "tree_map_with_path")
def _tree_map(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f")
    more = args.star is not None
    trees = [*args.positional[1:], *([] if args.star is None else [args.star])]
    if function is None or not trees:
        return UNKNOWN
    predicate = args.keywords.get("is_leaf", NONE)
    mapping = _Mapping(function, predicate, row.kind == "tree_map_with_path", more, node)
    return _map_trees(it, mapping, trees, 4)


class _Mapping(Record):
    """A call of ``jax.tree.map``.

    Args:
      function: what is called on the leaves.
      predicate: says what is a leaf, ``NONE`` if nothing does.
      with_path: whether the function is given the path of the leaf, too.
      more: whether the last tree stands for an unknown number of them: ``*trees``.
      node: the call.
    """

    function: Value
    predicate: Value
    with_path: bool
    more: bool
    node: cst.CSTNode


def _map_trees(
    it: Interpreter, mapping: _Mapping, trees: Sequence[Value], depth: int, place: str = ""
) -> Value:
    first, node = trees[0], mapping.node
    if mapping.predicate != NONE and is_leaf(it, mapping.predicate, first, node):
        return _mapped(it, mapping, list(trees))
    if first == NONE:
        return NONE
    if isinstance(first, Union) and all(isinstance(member, Const) for member in first.members):
        # A setting that is one of some numbers stays one of what they become.
        others = trees[1:]
        return join_all(
            _map_trees(it, mapping, [member, *others], depth, place) for member in members_of(first)
        )
    rows = _rows(it, trees) if depth else None
    if rows is not None:
        if isinstance(first, Tuple) and len(rows) > 1:
            # A function that asks the leaves of a tuple for their types tells them apart.
            rows = {key: list(map(_of_any_type, row)) for key, row in rows.items()}
        made: dict[Any, Value] = {}
        for index, (key, row) in enumerate(rows.items()):
            with it.frame.turn(index):
                made[key] = _map_trees(it, mapping, row, depth - 1, f"{place}.{key}")
        return _like(it, first, made, node, place)
    function = mapping.function
    whole = first == UNKNOWN and _takes_trees(it, mapping)
    leaves = [
        tree if whole else _leaf_for(it, function, index, tree) for index, tree in enumerate(trees)
    ]
    if mapping.predicate != NONE and leaves[0] != first:
        # Each node of the tree is asked about, and so is each leaf.
        is_leaf(it, mapping.predicate, leaves[0], node)
    result = _mapped(it, mapping, leaves)
    if isinstance(first, (Array, Const)):
        return result
    if isinstance(first, Ref):
        contents = it.contents(first)
        if isinstance(contents, DictObject) and depth:
            items = {key: filled(it, part, result) for key, part in contents.items.items()}
            # What is not known by its key may be a tree of its own: a dict of dicts.
            rest = None if contents.rest is None else filled(it, contents.rest, result)
            return it.allocate(node, DictObject(items, rest), place)
        if isinstance(contents, ListObject) and contents.items is None:
            return it.allocate(node, ListObject(None, filled(it, contents.element, result)), place)
        if isinstance(contents, Instance) and sure_array(result) is not None:
            like = tree_like(
                it, first, lambda part: filled(it, part, result), node, keeps=False, place=place
            )
            if like is not None:
                return like
    traced = sure_array(result)
    if traced is not None:
        return Tree(
            traced.level, certainty=traced.certainty, origin=traced.origin, buffers=traced.buffers
        )
    return UNKNOWN


def _takes_trees(it: Interpreter, mapping: _Mapping) -> bool:
    """Whether the leaves of an unknown tree may stand beside whole trees: not only beside None."""
    predicate = mapping.predicate
    return predicate != NONE and is_leaf(it, predicate, NONE, mapping.node) is not True


def _mapped(it: Interpreter, mapping: _Mapping, leaves: list[Value]) -> Value:
    """What the function gives for leaves side by side."""
    star = leaves[-1] if mapping.more else None
    # Of those that one leaf stands for, there is one at least where it is the first.
    given = leaves[:-1] if star is not None and len(leaves) > 1 else leaves
    given = [STATIC, *given] if mapping.with_path else given
    return it.call(mapping.function, Arguments(given, star=star), mapping.node)


def _rows(it: Interpreter, trees: Sequence[Value]) -> dict[Any, list[Value]] | None:
    """The subtrees of some trees side by side, None where they are not all known.

    A dict or list whose leaves are alike is left to one call for all of them.
    """
    first = trees[0]
    parts = _subtrees(it, first)
    if parts is None:
        return None
    if isinstance(first, Ref) and (
        len(parts) > MAPPED_APART
        or not (isinstance(it.contents(first), Instance) or _are_unlike(leaf_of(it, first)))
    ):
        return None
    rows: dict[Any, list[Value]] = {key: [part] for key, part in parts.items()}
    for other in trees[1:]:
        beside = _subtrees(it, other)
        if beside is None and (other == UNKNOWN or isinstance(other, Tree)):
            # Of the same structure, or JAX would refuse it.
            part = (
                other.replace(buffers=part_of(other.buffers))
                if isinstance(other, Tree)
                else UNKNOWN
            )
            beside = dict.fromkeys(parts, part)
        if beside is None or beside.keys() != parts.keys():
            return None
        for key, row in rows.items():
            row.append(beside[key])
    return rows


def _subtrees(it: Interpreter, tree: Value) -> dict[Any, Value] | None:
    """What a tuple, list, dict or object holds, None if that is not known."""
    if isinstance(tree, Tuple):
        return dict(enumerate(tree.items))
    if isinstance(tree, ExternalInstance):
        return fields_of(tree)
    contents = it.contents(tree) if isinstance(tree, Ref) else None
    if isinstance(contents, DictObject) and contents.rest is None:
        return contents.items
    if isinstance(contents, ListObject) and contents.items is not None:
        return dict(enumerate(contents.items))
    if isinstance(contents, Instance):
        info = class_info(it, contents.cls)
        if info.pytree == "leaves":
            held = contents.attributes.items()
            return {name: part for name, part in held if name not in info.static}
    return None


def _are_unlike(leaf: Value) -> bool:
    """Whether what stands for the leaves of a tree stands for tracers and for other things."""
    return isinstance(leaf, Union) and sure_array(leaf) is None


def _like(
    it: Interpreter, tree: Value, parts: dict[Any, Value], node: cst.CSTNode, place: str
) -> Value:
    """A tuple, list, dict or object like another, of other parts."""
    if isinstance(tree, Tuple):
        return Tuple(tuple(parts.values()), tree.cls)
    if isinstance(tree, ExternalInstance):
        return ExternalInstance(tree.cls, tuple(sorted({**dict(tree.attributes), **parts}.items())))
    assert isinstance(tree, Ref)
    contents = it.contents(tree)
    if isinstance(contents, DictObject):
        return it.allocate(node, DictObject(parts, None), place)
    if isinstance(contents, Instance):
        held = {**contents.attributes, **parts}
        return it.allocate(node, contents.with_attributes(held), place)
    items = tuple(parts.values())
    return it.allocate(node, ListObject(items, join_all(items), mutable=True), place)


def _of_any_type(leaf: Value) -> Value:
    if isinstance(leaf, Array):
        return leaf.replace(python_type=None, buffers=leaf.buffers)
    return leaf


def _leaf_for(it: Interpreter, function: Value, index: int, tree: Value) -> Value:
    """A leaf as a function takes it: one that it writes to is a mutable reference."""
    leaf = leaf_of(it, tree)
    if not isinstance(tree, Tree) or not isinstance(function, Function):
        return leaf
    code = it.load(function.code)
    if code is None or index >= len(code.parameters):
        return leaf
    used = of_parameter(it, code, code.parameters[index])
    return tree.replace(container=True) if used.used_as_reference else leaf
