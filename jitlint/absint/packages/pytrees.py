"""``jax.tree`` but for its maps, which are transforms, and what describes arrays without values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import libcst as cst

from jitlint.absint.library.concretization import compares
from jitlint.absint.library.functional import fold
from jitlint.absint.library.registry import Call, gives, model
from jitlint.absint.limits import VALUE_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced, sure_array
from jitlint.absint.program.buffers import leaves_of
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.buffers import NO_BUFFERS, Buffers, new_buffer
from jitlint.absint.values.domain import (
    BOOL,
    NONE,
    SHAPE_STRUCT,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    ExternalInstance,
    Level,
    Ref,
    Static,
    Tree,
    TreeStructure,
    Tuple,
    Union,
    Value,
    known_bool,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.traversal import elements, rebuilt_object
from jitlint.jaxmodel.frameworks import base_class

#: how an array is split over devices; ``axes`` has a name, names or None for each dimension
PARTITION: Final = "jax.sharding.PartitionSpec"

model("jax.tree.structure", "jax.tree_util.tree_structure")(gives(STATIC))
model("jax.ShapeDtypeStruct")(gives(SHAPE_STRUCT))


def with_new_containers(it: Interpreter, value: Value, depth: int = VALUE_LEVELS) -> Value:
    """A pytree as JAX puts it together again: the same leaves, in new dicts, lists and nodes."""
    if depth == 0:
        return value
    if isinstance(value, Tuple):
        items = tuple(with_new_containers(it, item, depth - 1) for item in value.items)
        return Tuple(items, value.cls)
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, Instance) and class_info(it, contents.cls).pytree != "leaves":
        return value
    if not isinstance(value, Ref) or not isinstance(contents, (Instance, ListObject, DictObject)):
        return value
    if value.id in it.resolving:
        return value
    it.resolving.add(value.id)
    made = rebuilt_object(contents, lambda part: with_new_containers(it, part, depth - 1))
    it.resolving.discard(value.id)
    id_ = it.new_id("rebuilt", value.id, it.frame.env)
    it.state.put(id_, made)
    return Ref(id_)


def leaf_of(it: Interpreter, value: Value, depth: int = VALUE_LEVELS) -> Value:
    """One value that stands for every leaf of a pytree."""
    if isinstance(value, Tree):
        return Array(
            value.level, certainty=value.certainty, origin=value.origin, buffers=value.buffers
        )
    if depth == 0:
        return UNKNOWN
    if isinstance(value, Union):
        return join_all(leaf_of(it, member, depth) for member in value.members if member != NONE)
    children = _children(it, value)
    if children is None:
        return UNKNOWN if isinstance(value, Ref) else value
    return join_all(
        leaf_of(it, child, depth - 1) for child in children if not _is_empty(it, child, depth - 1)
    )


def _is_empty(it: Interpreter, value: Value, depth: int) -> bool:
    """Whether a pytree certainly has no leaves: None, ``{}``."""
    children = _children(it, value) if depth else None
    return value == NONE or (
        children is not None and all(_is_empty(it, child, depth - 1) for child in children)
    )


def fields_of(value: ExternalInstance) -> dict[str, Value] | None:
    """What an object of a library's class was given for its children, None if it is no pytree."""
    fact = base_class(value.cls)
    if fact is None or not fact.pytree:
        return None
    given = dict(value.attributes)
    return {name: given[name] for name in fact.traced_fields if name in given} or None


def _children(it: Interpreter, value: Value) -> Iterable[Value] | None:
    """The subtrees of a pytree, None if it is a leaf or its structure is not known."""
    if isinstance(value, ExternalInstance):
        fields = fields_of(value)
        return None if fields is None else fields.values()
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(contents, Instance):
        info = class_info(it, contents.cls)
        if info.pytree != "leaves":
            return None
        return [part for name, part in contents.attributes.items() if name not in info.static]
    return None if isinstance(contents, SetObject) else elements(value, it.contents)


@model("jax.tree.leaves", "jax.tree_util.tree_leaves", "jax.tree_leaves")
def _leaves(it: Interpreter, call: Call) -> Value:
    predicate = call.args.get(1, "is_leaf")
    leaf = (
        leaf_of(it, call.first)
        if predicate is None or predicate == NONE
        else _leaf_by(it, predicate, call.first, call.node)
    )
    return it.allocate(call.node, ListObject(None, leaf))


def is_leaf(it: Interpreter, predicate: Value, value: Value, node: cst.CSTNode) -> bool | None:
    """Whether a function says that a subtree is a leaf, None if that is not known.

    Args:
      it: the interpreter.
      predicate: what ``is_leaf`` is given.
      value: the subtree.
      node: the call.
    """
    try:
        return known_bool(it.call(predicate, Arguments([value]), node))
    except Terminated:
        return None


def _leaf_by(
    it: Interpreter,
    predicate: Value,
    value: Value,
    node: cst.CSTNode,
    depth: int = VALUE_LEVELS,
) -> Value:
    """One value that stands for every leaf of a pytree, where a function says what is one."""
    if is_leaf(it, predicate, value, node):
        return value
    children = _children(it, value) if depth else None
    if children is None:
        leaf = leaf_of(it, value)
        if leaf != value:
            # Each node of the tree is asked about, and so is each leaf.
            is_leaf(it, predicate, leaf, node)
        return leaf
    parts = [child for child in children if not _is_empty(it, child, depth - 1)]
    return join_all(_leaf_by(it, predicate, part, node, depth - 1) for part in parts)


@model("jax.tree.flatten", "jax.tree_util.tree_flatten", "jax.tree_flatten")
def _flatten(it: Interpreter, call: Call) -> Value:
    leaves = _leaves(it, call)
    return Tuple((leaves, TreeStructure(call.first, leaves)))


@model("jax.tree.leaves_with_path", "jax.tree_util.tree_leaves_with_path")
def _leaves_with_path(it: Interpreter, call: Call) -> Value:
    pair = Tuple((STATIC, leaf_of(it, call.first)))
    return it.allocate(call.node, ListObject(None, pair, mutable=True))


@model("jax.tree.flatten_with_path", "jax.tree_util.tree_flatten_with_path")
def _flatten_with_path(it: Interpreter, call: Call) -> Value:
    return Tuple((_leaves_with_path(it, call), STATIC))


@model("jax.tree.unflatten", "jax.tree_util.tree_unflatten", "jax.tree_unflatten")
def _unflatten(it: Interpreter, call: Call) -> Value:
    leaves = call.second or UNKNOWN
    if isinstance(call.first, TreeStructure):
        made = _put_together(it, call.first, leaves, call.node)
        if made is not None:
            return made
    traced = find_traced(it, leaves, 2)
    if traced is None:
        return UNKNOWN
    return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)


def _put_together(
    it: Interpreter, structure: TreeStructure, leaves: Value, node: cst.CSTNode
) -> Value | None:
    """A tree like the one that was taken apart, None where it is not known what that makes."""
    leaf, tree = leaf_of(it, leaves), structure.tree
    if leaves == structure.leaves and leaf == leaf_of(it, tree):
        made = tree_like(it, tree, lambda part: part, node)
        return tree if made is None and isinstance(tree, Array) else made
    if sure_array(leaf) is None:
        return None
    if isinstance(tree, Array):
        return filled(it, tree, leaf)
    return tree_like(it, tree, lambda part: filled(it, part, leaf), node, keeps=False)


def filled(it: Interpreter, part: Value, leaf: Value) -> Value:
    """A part of a tree whose leaves become others: the leaf itself where the part is one too."""
    traced = sure_array(leaf)
    if isinstance(part, (Array, Const, Static)):
        return leaf if traced is not leaf else traced.replace(buffers=_of_part(it, part, traced))
    if traced is None:
        return UNKNOWN
    contents = it.contents(part) if isinstance(part, Ref) else None
    return Tree(
        traced.level,
        certainty=traced.certainty,
        container=isinstance(part, (Ref, Tuple)) or (isinstance(part, Tree) and part.container),
        keyed=isinstance(contents, (DictObject, Instance))
        or (isinstance(part, Tree) and part.keyed),
        buffers=_of_part(it, part, traced),
    )


def _of_part(it: Interpreter, part: Value, leaf: Array) -> Buffers:
    """The buffers of a part that becomes a leaf which stands for the leaves of all parts."""
    if leaf.level is Level.CONCRETE:
        return new_buffer()
    return leaf.buffers & NO_BUFFERS.union(*(held.buffers for held in leaves_of(it, part)))


def tree_like(
    it: Interpreter,
    tree: Value,
    change: Callable[[Value], Value],
    node: cst.CSTNode,
    *,
    keeps: bool = True,
    depth: int = VALUE_LEVELS,
    place: str = "",
) -> Value | None:
    """A pytree of the structure of another.

    Args:
      it: the interpreter.
      tree: the other.
      change: what becomes of a part that is a leaf, or of which nothing is known.
      node: what makes it.
      keeps: whether the leaves are those of the other.
      depth: levels that are looked into.
      place: where it is in a larger tree.

    Returns:
      None for what is no tree whose structure is known.
    """

    def part(name: object, value: Value) -> Value:
        inner = f"{place}.{name}"
        made = tree_like(it, value, change, node, keeps=keeps, depth=depth - 1, place=inner)
        return value if value == NONE else change(value) if made is None else made

    contents = it.contents(tree) if isinstance(tree, Ref) else None
    if depth == 0:
        return None
    if isinstance(tree, Tuple):
        return Tuple(tuple(part(*item) for item in enumerate(tree.items)), tree.cls)
    if isinstance(contents, ListObject):
        element = part("", contents.element)
        items = contents.items and tuple(part(*item) for item in enumerate(contents.items))
        return it.allocate(node, ListObject(items, element, mutable=contents.mutable), place)
    if isinstance(contents, DictObject):
        rest = None if contents.rest is None else part("", contents.rest)
        made = {name: part(name, value) for name, value in contents.items.items()}
        return it.allocate(node, DictObject(made, rest), place)
    if isinstance(contents, Instance):
        info = class_info(it, contents.cls)
        # What `tree_flatten` and `tree_unflatten` of the project make of other leaves is not asked.
        if info.pytree == "leaves" or (keeps and info.pytree == "custom"):
            made = {
                name: value if name in info.static else part(name, value)
                for name, value in contents.attributes.items()
            }
            return it.allocate(node, contents.with_attributes(made), place)
    return None


@model("jax.tree.reduce", "jax.tree_util.tree_reduce", "jax.tree_reduce")
def _reduce(it: Interpreter, call: Call) -> Value:
    if len(call.positional) < 2:
        return UNKNOWN
    function, tree, *start = call.positional
    leaf = leaf_of(it, tree)
    return fold(it, function, start[0] if start else leaf, leaf, call.node)


@model("jax.tree.all", "jax.tree_util.tree_all")
def _all(it: Interpreter, call: Call) -> Value:
    traced = sure_array(leaf_of(it, call.first))
    if traced is None:
        return BOOL
    return compares(it, call, traced, call.place(), "jax.tree.all")


@model(PARTITION, "jax.P", "jax.experimental.PartitionSpec", "jax.experimental.pjit.PartitionSpec")
def _partition(it: Interpreter, call: Call) -> Value:
    if call.args.star is not None:
        return ExternalInstance(PARTITION)
    return ExternalInstance(PARTITION, (("axes", Tuple(tuple(call.positional))),))
