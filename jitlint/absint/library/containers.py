"""Methods of lists, dicts, sets and tuples, and those of pytrees that may be one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import libcst as cst

from jitlint.absint.events import Hash, PythonIndex
from jitlint.absint.library.concretization import compare_objects, compares
from jitlint.absint.library.registry import ANY, Call, method
from jitlint.absint.limits import APART
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ContentsChanged, Kept
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.operations.hashing import hashed_tracer, hashes_element
from jitlint.absint.operations.iteration import extend_in_place, sequence_items
from jitlint.absint.operations.ordering import sorted_tracer, traced_key
from jitlint.absint.operations.subscripts import check_key, is_guess, key_node
from jitlint.absint.program.captures import note_entry
from jitlint.absint.python.assignment import store
from jitlint.absint.python.namespaces import update_by_method
from jitlint.absint.values.buffers import part_of
from jitlint.absint.values.domain import (
    INT,
    NDARRAY,
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject
from jitlint.absint.values.lattice import guessed, join, join_all, loosen, set_key, type_name
from jitlint.absint.values.statics import constant, is_number
from jitlint.jaxmodel.concretization import HASH_ERRORS, INDEX_ERRORS

#: types whose methods programs call by name: `list.append(values, x)`
_TYPE_NAMES: Final = frozenset({"list", "dict", "set", "deque", "OrderedDict"})


def _changes(it: Interpreter, call: Call, value: Value | None) -> None:
    """Tell that a method changes a container; ``value`` is what it puts into it."""
    it.signal(Kept(value))
    node = call.node
    receiver: cst.CSTNode | str = call.name
    if isinstance(node, cst.Call):
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else node.func
        if isinstance(receiver, cst.Name) and receiver.value in _TYPE_NAMES and node.args:
            receiver = node.args[0].value
    it.signal(ContentsChanged(call.receiver, value, node, receiver, f".{call.name}()"))


@method("list dict set", "__getitem__")
def _get_item(it: Interpreter, call: Call) -> Value:
    """``values.__getitem__(i)``, which programs pass on as a function."""
    if not call.positional or call.args.star is not None:
        return UNKNOWN
    return it.item(call.receiver, call.positional[0], call.node)


@method("list dict set", "__setitem__")
def _set_item(it: Interpreter, call: Call) -> Value:
    node, value = call.node, call.second
    if not call.positional or call.args.star is not None:
        return UNKNOWN
    if value is not None:
        written: cst.CSTNode = node
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            written = node.func.value
            if isinstance(written, cst.Name) and written.value == "dict":
                written = node.args[0].value
        it.signal(Kept(value))
        store(it, call.receiver, call.first, value, node, written)
    return NONE


# -- lists ----------------------------------------------------------------------------------------


@method("list", "append", "appendleft", "add")
def _append(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    contents = it.edit(call.receiver)
    value = call.first
    if contents.items is not None and len(contents.items) < it.limits.items:
        items = contents.items
        contents.items = (value, *items) if call.name == "appendleft" else (*items, value)
        contents.element = join_all(contents.items)
    else:
        is_stack = contents.items is None and call.name == "append"
        if not is_stack or len(contents.pushed) == APART:
            contents.lose_order()
        before = contents.element
        if is_stack or not contents.open:
            contents.element = join(before, value)
        contents.items = None
        if is_stack:
            contents.pushed = (*contents.pushed, (before, value))
    return NONE


@method("list", "extend")
def _extend(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    extend_in_place(it, call.receiver, call.first)
    return NONE


@method("list", "extendleft", "rotate")
def _rearrange(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    return UNKNOWN


@method("list", "insert")
def _insert(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    value = call.second
    if value is None:
        return UNKNOWN
    contents = it.edit(call.receiver)
    contents.lose_order()
    if not contents.open:
        contents.element = value if contents.items == () else join(contents.element, value)
    contents.items = None
    return NONE


@method("list", "pop", "popleft")
def _pop(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    contents = it.edit(call.receiver)
    result: Value = contents.element
    if not contents.items:
        pushed = contents.pushed
        contents.lose_order()
        if pushed and call.name == "pop" and _is_last(call):
            *left, (contents.element, result) = pushed
            contents.pushed = tuple(left)
        return result
    if not call.positional:
        if call.name == "popleft":
            result, *left = contents.items
        else:
            *left, result = contents.items
        contents.items = tuple(left)
        contents.element = join_all(left or (result,))
        return result
    index = sure_array(call.positional[0])
    if index is not None:
        return call.report(it, PythonIndex, index, INDEX_ERRORS, construct="list index")
    contents.items = None
    return result


def _is_last(call: Call) -> bool:
    """Whether a call of ``pop`` takes the last element."""
    return not call.positional or call.positional[0] == Const(-1)


@method("list", "remove")
def _remove(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    result = _search(it, call)
    contents = it.edit(call.receiver)
    contents.lose_order()
    contents.items = None
    return result


@method("list", "sort")
def _sort(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    contents = it.contents(call.receiver)
    element, items = contents.element, contents.items
    if items is None or len(items) > 1:
        key = call.keywords.get("key", NONE)
        traced: Array | Tree | None
        if key != NONE:
            traced = traced_key(it, key, element, items, call.node)
        else:
            traced = sorted_tracer(element, items)
            if traced is None:
                compare_objects(it, call, items or (element, element), cst.LessThan, ".sort()")
        if traced is not None:
            compares(it, call, traced, None, ".sort()", entries=(element, *(items or ())))
    contents = it.edit(call.receiver)
    contents.lose_order()
    contents.items = None
    return NONE


@method("list", "reverse")
def _reverse(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    contents = it.edit(call.receiver)
    if contents.items is not None:
        contents.items = contents.items[::-1]
    contents.lose_order()
    return NONE


@method("list", "clear")
def _clear_list(it: Interpreter, call: Call) -> Value:
    _changes(it, call, call.last)
    contents = it.edit(call.receiver)
    contents.items, contents.pushed = (), ()
    return NONE


@method("list", "index", "count")
@method("tuple", ANY)
def _search(it: Interpreter, call: Call) -> Value:
    """``index`` and ``count`` compare element by element."""
    element, items = sequence_items(it, call.receiver) or (UNKNOWN, None)
    items = (element,) if items is None else items
    if call.name in ("index", "count", "remove") and call.positional:
        wanted = sure_array(call.first)
        arrays = [array for array in map(sure_array, items) if array is not None]
        if wanted is None:
            # None, a text and most other things JAX does not even compare with an array.
            compared = arrays and (is_number(call.first) or call.first == NDARRAY)
            found = arrays[0] if compared else None
        else:
            found = wanted if arrays or _hold_numbers(items) else None
        if found is not None:
            return compares(it, call, found, None, f".{call.name}()")
        if call.name == "index" and all(isinstance(constant(item), str) for item in items):
            # Of an unknown number of equal items the first is found.
            return Const(items.index(call.first)) if call.first in items else INT
    return INT if call.name in ("index", "count") else NONE


def _hold_numbers(items: Sequence[Value]) -> bool:
    """Whether all items are static and a number is among them."""
    kinds = [type_name(item) for item in items if isinstance(item, (Const, Static))]
    return len(kinds) == len(items) and any(kind in ("int", "float", "bool") for kind in kinds)


@method("list dict", "copy")
def _copy(it: Interpreter, call: Call) -> Value:
    return it.allocate(call.node, it.contents(call.receiver).copy())


# -- dicts ----------------------------------------------------------------------------------------


def _entry(name: str, key: Value, value: Value) -> Value:
    """An element of ``keys()``, ``values()`` or ``items()``."""
    return Tuple((key, value)) if name == "items" else key if name == "keys" else value


@method("dict", "keys", "values", "items")
def _view(it: Interpreter, call: Call) -> Value:
    contents = it.contents(call.receiver)
    parts = tuple(_entry(call.name, Const(key), value) for key, value in contents.items.items())
    if contents.rest is None and len(parts) <= it.limits.items:
        return it.allocate(call.node, ListObject(parts, join_all(parts)), call.name)
    rest = _entry(call.name, STATIC, contents.rest or UNKNOWN)
    return it.allocate(call.node, ListObject(None, join_all([*parts, rest])), call.name)


@method("dict", "get", "pop", "setdefault")
def _look_up(it: Interpreter, call: Call) -> Value:
    contents = it.contents(call.receiver)
    key, default = call.first, call.second
    known = isinstance(key, Const) and key.value in contents.items
    if call.name != "get" and isinstance(call.node, cst.Call):
        update_by_method(it, call.args, call.node)
    if call.name == "pop" or (call.name == "setdefault" and not known):
        _changes(it, call, default if call.name == "setdefault" else None)
    elif call.name == "get":
        note_entry(it, call.receiver, key, UNKNOWN, call.node)
    if call.name == "setdefault" and isinstance(default, Ref):
        # What the dict keeps lives as long as the dict.
        it.made_in[default.id] = it.made_in.get(call.receiver.id, 0)
    if not call.positional or check_key(it, call.receiver, key, call.node):
        return UNKNOWN
    if call.name == "setdefault" and contents.rest == UNKNOWN and isinstance(default, Ref):
        # What others have put there is like what is put there now.
        contents = DictObject(contents.items, None)
    fallback = default or (NONE if call.name == "get" else UNKNOWN)
    if not isinstance(key, Const):
        rest = [] if contents.rest is None else [contents.rest]
        entry = join_all([*contents.items.values(), *rest, fallback])
        if call.name == "pop":
            loosen(it.edit(call.receiver))
        guess = is_guess(key, call.node, contents)
        return guessed(entry, others=contents.registry) if guess else entry
    if known:
        result: Value = contents.items[key.value]
        if call.name == "pop":
            left = it.edit(call.receiver)
            del left.items[key.value]
            left.filled = False
        return result
    if contents.elsewhere is not None:
        return join(contents.elsewhere, fallback)
    if call.name == "setdefault":
        fallback = default or NONE
        set_key(it.edit(call.receiver), key, fallback)
    return fallback


@method("dict", "update")
def _update(it: Interpreter, call: Call) -> Value:
    if isinstance(call.node, cst.Call):
        update_by_method(it, call.args, call.node)
    _changes(it, call, Tuple((*call.positional, *call.keywords.values())))
    contents = it.edit(call.receiver)
    contents.items.update(call.keywords)
    contents.filled = contents.filled or bool(call.keywords)
    for value in call.positional[:1]:
        other = it.contents(value) if isinstance(value, Ref) else None
        rest: Value | None = value if isinstance(value, Tree) else UNKNOWN
        if isinstance(other, DictObject):
            contents.items.update(other.items)
            contents.filled = contents.filled or other.filled
            rest = other.rest
        if rest is not None:
            contents.rest = rest if contents.rest is None else join(contents.rest, rest)
    return NONE


@method("dict", "move_to_end")
def _reorder_dict(it: Interpreter, call: Call) -> Value:
    """What a cache notes of its use: the entries stay what they are."""
    return NONE


@method("dict", "clear", "popitem")
def _change_dict(it: Interpreter, call: Call) -> Value:
    if isinstance(call.node, cst.Call):
        update_by_method(it, call.args, call.node)
    _changes(it, call, None)
    contents = it.edit(call.receiver)
    if call.name != "clear":
        loosen(contents)
        return UNKNOWN
    contents.items, contents.rest, contents.filled = {}, None, False
    return NONE


@method("tree", ANY)
def _tree_method(it: Interpreter, call: Call) -> Value:
    """A dict method of a pytree of unknown structure: keys are static, values are subtrees."""
    receiver: Tree = call.receiver
    inner = receiver.replace(
        container=False, keyed=False, present=False, buffers=part_of(receiver.buffers)
    )
    if call.name in ("keys", "values", "items"):
        return it.allocate(call.node, ListObject(None, _entry(call.name, STATIC, inner)), call.name)
    if call.name in ("get", "pop", "setdefault"):
        # Without a default it may be None, as any pytree may.
        default = call.second
        return inner if default is None else join(inner, default)
    if call.name == "copy":
        return receiver
    return NONE if call.name == "update" else UNKNOWN


# -- sets -----------------------------------------------------------------------------------------


@method(
    "set", "add", "discard", "remove", "pop", "clear", "update", "difference_update",
    "intersection_update", "symmetric_difference_update",
)  # fmt: skip
def _change_set(it: Interpreter, call: Call) -> Value:
    if not call.positional:
        return UNKNOWN
    value = call.positional[0]
    place = key_node(call.node)
    if call.name in ("add", "discard", "remove"):
        traced = hashed_tracer(it, value)
        if traced is not None:
            call.report(it, Hash, traced, HASH_ERRORS, place, construct="set element")
            return NONE
    for iterable in call.positional if call.name == "update" else ():
        element, items = it.iterate(iterable, call.node)
        if hashes_element(it, element, items, call.node, place):
            return NONE
    _changes(it, call, value)
    contents = it.edit(call.receiver)
    if call.name == "add":
        contents.element = join(contents.element, value) if contents.filled is not False else value
        contents.filled = True
        return NONE
    contents.filled = contents.filled or None if call.name == "update" else None
    return UNKNOWN
