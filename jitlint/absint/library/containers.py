"""Methods of lists, dicts, sets and tuples, and those of pytrees that may be one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.library.comparisons import compare_objects, compares
from jitlint.absint.library.registry import ANY, MethodModel, first, method
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import Hash, PythonIndex
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ContentsChanged, Kept
from jitlint.absint.machine.tracers import sure_array
from jitlint.absint.python.assignment import store
from jitlint.absint.python.operations import (
    HASH_ERRORS,
    INDEX_ERRORS,
    check_key,
    extend_in_place,
    get_item,
    hashed_tracer,
    hashes_element,
    iterate,
    key_node,
    sorted_tracer,
)
from jitlint.absint.values.domain import (
    INT,
    NONE,
    STATIC,
    UNKNOWN,
    Const,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject
from jitlint.absint.values.lattice import join, join_all, type_name

#: types whose methods programs call by name: `list.append(values, x)`
_TYPE_NAMES: Final = frozenset({"list", "dict", "set", "deque", "OrderedDict"})


def _changes(it: Interpreter, ref: Ref, value: Value | None, node: cst.CSTNode, name: str) -> None:
    """Tell that a method of a container changes it; ``value`` is what it puts into it."""
    it.signal(Kept(value))
    receiver: cst.CSTNode | str = name
    if isinstance(node, cst.Call):
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else node.func
        if isinstance(receiver, cst.Name) and receiver.value in _TYPE_NAMES and node.args:
            receiver = node.args[0].value
    it.signal(ContentsChanged(ref, value, node, receiver, f".{name}()"))


def _second(args: Arguments) -> Value | None:
    return args.positional[1] if len(args.positional) > 1 else None


@method("list", "__getitem__")
@method("dict", "__getitem__")
@method("set", "__getitem__")
def _get_item(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``values.__getitem__(i)``, which programs pass on as a function."""
    if not args.positional or args.star is not None:
        return UNKNOWN
    return get_item(it, receiver, args.positional[0], node)


@method("list", "__setitem__")
@method("dict", "__setitem__")
@method("set", "__setitem__")
def _set_item(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    if not args.positional or args.star is not None:
        return UNKNOWN
    value = _second(args)
    if value is not None:
        written: cst.CSTNode = node
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            written = node.func.value
            if isinstance(written, cst.Name) and written.value == "dict":
                written = node.args[0].value
        it.signal(Kept(value))
        store(it, receiver, args.positional[0], value, node, written)
    return NONE


# -- lists ----------------------------------------------------------------------------------------


def _list_change(*names: str) -> Callable[[MethodModel], MethodModel]:
    """Register methods that change a list, by what they are given last if by anything."""

    def register(function: MethodModel) -> MethodModel:
        @method("list", *names)
        def change(
            it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
        ) -> Value:
            _changes(it, receiver, args.positional[-1] if args.positional else None, node, name)
            return function(it, receiver, name, args, node)

        return change

    return register


@_list_change("append", "appendleft", "add")
def _append(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    contents = it.edit(receiver)
    value = first(args)
    if contents.items is not None and len(contents.items) < it.limits.items:
        items = contents.items
        contents.items = (value, *items) if name == "appendleft" else (*items, value)
        contents.element = join_all(contents.items)
    else:
        contents.items = None
        contents.element = join(contents.element, value)
    return NONE


@_list_change("extend")
def _extend(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    extend_in_place(it, receiver, first(args))
    return NONE


@_list_change("extendleft", "rotate")
def _rearrange(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    return UNKNOWN


@_list_change("insert")
def _insert(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    value = _second(args)
    if value is None:
        return UNKNOWN
    contents = it.edit(receiver)
    contents.element = value if contents.items == () else join(contents.element, value)
    contents.items = None
    return NONE


@_list_change("pop", "popleft")
def _pop(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    contents = it.edit(receiver)
    result: Value = contents.element
    if not contents.items:
        return result
    if not args.positional:
        if name == "popleft":
            result, *left = contents.items
        else:
            *left, result = contents.items
        contents.items = tuple(left)
        contents.element = join_all(left or (result,))
        return result
    index = sure_array(args.positional[0])
    if index is not None:
        it.emit(PythonIndex, node, index, exceptions=INDEX_ERRORS, construct="list index")
        return UNKNOWN
    contents.items = None
    return result


@_list_change("remove")
def _remove(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    result = _search_list(it, receiver, name, args, node)
    it.edit(receiver).items = None
    return result


@_list_change("sort")
def _sort(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    contents = it.contents(receiver)
    if contents.items is None or len(contents.items) > 1:
        key = args.keywords.get("key", NONE)
        if key != NONE:
            traced = sure_array(it.call(key, Arguments([contents.element]), node))
        else:
            traced = sorted_tracer(contents.element, contents.items)
            if traced is None:
                compare_objects(it, contents.items or (contents.element,) * 2, node, ".sort()")
        if traced is not None:
            compares(it, node, traced, ".sort()")
    it.edit(receiver).items = None
    return NONE


@_list_change("reverse")
def _reverse(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    contents = it.edit(receiver)
    if contents.items is not None:
        contents.items = contents.items[::-1]
    return NONE


@_list_change("clear")
def _clear_list(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    it.edit(receiver).items = ()
    return NONE


@method("list", "index", "count")
def _search_list(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    contents = it.contents(receiver)
    items = (contents.element,) if contents.items is None else contents.items
    return _search(it, items, name, args, node)


@method("tuple", ANY)
def _search_tuple(
    it: Interpreter, receiver: Tuple, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    return _search(it, receiver.items, name, args, node)


def _search(
    it: Interpreter, items: Sequence[Value], name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``index`` and ``count`` compare element by element."""
    searches = name in ("index", "count")
    if (searches or name == "remove") and args.positional:
        wanted = sure_array(args.positional[0])
        arrays = [array for array in map(sure_array, items) if array is not None]
        if wanted is None:
            found = arrays[0] if arrays else None
        else:
            found = wanted if arrays or _hold_numbers(items) else None
        if found is not None:
            return compares(it, node, found, f".{name}()")
    return INT if searches else NONE


def _hold_numbers(items: Sequence[Value]) -> bool:
    """Whether all items are static and a number is among them."""
    kinds = [type_name(item) for item in items if isinstance(item, (Const, Static))]
    return len(kinds) == len(items) and any(kind in ("int", "float", "bool") for kind in kinds)


@method("list", "copy")
@method("dict", "copy")
def _copy(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    return it.allocate(node, it.contents(receiver).copy())


# -- dicts ----------------------------------------------------------------------------------------


def _entry(name: str, key: Value, value: Value) -> Value:
    """An element of ``keys()``, ``values()`` or ``items()``."""
    return Tuple((key, value)) if name == "items" else key if name == "keys" else value


@method("dict", "keys", "values", "items")
def _view(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    contents = it.contents(receiver)
    parts = tuple(_entry(name, Const(key), value) for key, value in contents.items.items())
    if contents.rest is None and len(parts) <= it.limits.items:
        return it.allocate(node, ListObject(parts, join_all(parts)), name)
    rest = _entry(name, STATIC, contents.rest or UNKNOWN)
    return it.allocate(node, ListObject(None, join_all([*parts, rest])), name)


@method("dict", "get", "pop", "setdefault")
def _look_up(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    contents = it.contents(receiver)
    key, default = first(args), _second(args)
    known = isinstance(key, Const) and key.value in contents.items
    if name == "pop" or (name == "setdefault" and not known):
        _changes(it, receiver, default if name == "setdefault" else None, node, name)
    if name == "setdefault" and isinstance(default, Ref):
        # What the dict keeps lives as long as the dict.
        it.made_in[default.id] = it.made_in.get(receiver.id, 0)
    if not args.positional or check_key(it, receiver, key, node):
        return UNKNOWN
    fallback = default or (NONE if name == "get" else UNKNOWN)
    if not isinstance(key, Const):
        rest = [] if contents.rest is None else [contents.rest]
        return join_all([*contents.items.values(), *rest, fallback])
    if known:
        result: Value = contents.items[key.value]
        if name == "pop":
            del it.edit(receiver).items[key.value]
        return result
    if contents.rest is not None:
        return join(contents.rest, fallback)
    if name == "setdefault":
        fallback = default or NONE
        it.edit(receiver).items[key.value] = fallback
    return fallback


@method("dict", "update")
def _update(it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    _changes(it, receiver, Tuple((*args.positional, *args.keywords.values())), node, name)
    contents = it.edit(receiver)
    contents.items.update(args.keywords)
    for value in args.positional[:1]:
        other = it.contents(value) if isinstance(value, Ref) else None
        rest: Value | None = value if isinstance(value, Tree) else UNKNOWN
        if isinstance(other, DictObject):
            contents.items.update(other.items)
            rest = other.rest
        if rest is not None:
            contents.rest = rest if contents.rest is None else join(contents.rest, rest)
    return NONE


@method("dict", "clear", "popitem", "move_to_end")
def _change_dict(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    _changes(it, receiver, None, node, name)
    if name != "clear":
        return UNKNOWN
    contents = it.edit(receiver)
    contents.items, contents.rest = {}, None
    return NONE


@method("tree", ANY)
def _tree_method(
    it: Interpreter, receiver: Tree, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """A dict method of a pytree of unknown structure: keys are static, values are subtrees."""
    inner = receiver.replace(container=False, keyed=False)
    if name in ("keys", "values", "items"):
        return it.allocate(node, ListObject(None, _entry(name, STATIC, inner)), name)
    if name in ("get", "pop", "setdefault"):
        # Without a default it may be None, as any pytree may.
        default = _second(args)
        return inner if default is None else join(inner, default)
    if name == "copy":
        return receiver
    return NONE if name == "update" else UNKNOWN


# -- sets -----------------------------------------------------------------------------------------


@method(
    "set", "add", "discard", "remove", "pop", "clear", "update", "difference_update",
    "intersection_update", "symmetric_difference_update",
)  # fmt: skip
def _change_set(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    if not args.positional:
        return UNKNOWN
    value = args.positional[0]
    where = key_node(node)
    if name in ("add", "discard", "remove"):
        traced = hashed_tracer(it, value)
        if traced is not None:
            it.emit(
                Hash, node, traced, operand=where, exceptions=HASH_ERRORS, construct="set element"
            )
            return NONE
    for iterable in args.positional if name == "update" else ():
        element, items = iterate(it, iterable, node)
        if hashes_element(it, element, items, node, where):
            return NONE
    _changes(it, receiver, value, node, name)
    if name != "add":
        return UNKNOWN
    contents = it.edit(receiver)
    contents.element = join(contents.element, value)
    return NONE
