"""What Equinox's ``tree_at`` gives: a copy of a tree with the nodes replaced that a function picks.

What the function picks is told by following it; where that stands in the tree by reading it: it
gives attributes of its only parameter, one or a tuple of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.library.registry import Call
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.packages.results import same_structure
from jitlint.absint.values.domain import NONE, Function, Ref, Value, members_of
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import join_all

_Path = tuple[str, ...]


def tree_at(it: Interpreter, call: Call) -> Value:
    """``eqx.tree_at(where, tree, replace)``, or ``replace_fn=f``, given what ``where`` picks."""
    return join_all(_replaced(it, call, tree) for tree in members_of(call.positional[1]))


def _replaced(it: Interpreter, call: Call, tree: Value) -> Value:
    where = call.positional[0]
    picked = it.call(where, Arguments([tree]), call.node)
    result = tree
    replacement, function = call.args.get(2, "replace"), call.args.get(3, "replace_fn")
    paths = _picked_by(it, where)
    # A node that is a list is one node.
    one = isinstance(paths, tuple)
    several = None if one else sequence_items(it, picked)
    new: Sequence[Value] | None = None
    if function is not None and function != NONE:
        nodes = [picked] if several is None else several[1] or [several[0]]
        new = [it.call(function, Arguments([node]), call.node) for node in nodes]
    elif replacement is not None:
        given = sequence_items(it, replacement)
        new = [replacement] if several is None else None if given is None else given[1]
    places = [paths] if isinstance(paths, tuple) else paths or []
    if new is None or len(places) != len(new) or not all(_leads(it, tree, p) for p in places):
        return _anywhere(it, call, tree)
    for path, value in zip(places, new, strict=True):
        result = _with(it, result, path, value, call.node)
    return result


def _leads(it: Interpreter, tree: Value, path: _Path) -> bool:
    """Whether a path leads to a node of a tree that is known."""
    for name in path:
        contents = it.contents(tree) if isinstance(tree, Ref) else None
        if not isinstance(contents, Instance) or name not in contents.attributes:
            return False
        tree = contents.attributes[name]
    return True


def _anywhere(it: Interpreter, call: Call, tree: Value) -> Value:
    """The tree with something else in a place that is not known."""
    return same_structure(it, "equinox.tree_at", [tree, *call.positional[2:]], call.node)


def _with(it: Interpreter, tree: Value, path: _Path, value: Value, node: cst.CSTNode) -> Value:
    """A tree with another value at a path; the same tree where the path leads nowhere known."""
    if not path:
        return value
    contents = it.contents(tree) if isinstance(tree, Ref) else None
    if not isinstance(contents, Instance) or not isinstance(tree, Ref):
        return tree
    name, *rest = path
    old = contents.attributes.get(name)
    if old is None:
        return tree
    new = _with(it, old, tuple(rest), value, node)
    copy = contents.with_attributes({**contents.attributes, name: new})
    return it.allocate(node, copy, f"tree_at {tree.id} {name}")


def _picked_by(it: Interpreter, where: Value) -> _Path | list[_Path] | None:
    """The attributes that a lambda gives of its parameter: one, or those of a tuple.

    None where it does anything else.
    """
    code = it.load(where.code) if isinstance(where, Function) else None
    if code is None or not isinstance(code.node, cst.Lambda) or len(code.parameters) != 1:
        return None
    body, name = code.node.body, code.parameters[0].name
    if not isinstance(body, cst.Tuple):
        return _path(body, name)
    paths = [_path(part.value, name) for part in body.elements]
    found = [path for path in paths if path is not None]
    return found if len(found) == len(paths) else None


def _path(node: cst.BaseExpression, name: str) -> _Path | None:
    names: list[str] = []
    while isinstance(node, cst.Attribute):
        names.append(node.attr.value)
        node = node.value
    return tuple(names[::-1]) if isinstance(node, cst.Name) and node.value == name else None
