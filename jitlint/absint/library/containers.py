"""Methods of lists, dicts, sets, tuples, strings and NumPy arrays."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import libcst as cst

from jitlint.absint.library.builtin_models import compare_objects
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import (
    BuiltinComparison,
    Conversion,
    Hash,
    NumpyCall,
    PythonIndex,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArrayChanged, ContentsChanged, Kept
from jitlint.absint.machine.tracers import find_traced, sure_array
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.python.comparison import sorted_tracer
from jitlint.absint.python.hashing import hashed_tracer, hashes_element
from jitlint.absint.python.iteration import extend_in_place
from jitlint.absint.python.strings import shown
from jitlint.absint.python.subscripts import check_key, key_node
from jitlint.absint.values.domain import (
    BOOL,
    INT,
    MADE_ROWS,
    NDARRAY,
    NONE,
    STATIC,
    STR,
    UNKNOWN,
    Const,
    ContainerMethod,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all, type_name
from jitlint.jaxmodel.concretization import ARRAY_ERRORS, BOOL_ERRORS, HASH_ERRORS, INDEX_ERRORS


@calls_of(ContainerMethod)
def call_container_method(
    it: Interpreter, method: ContainerMethod, args: Arguments, node: cst.CSTNode
) -> Value:
    """``receiver.name(*args)`` for a builtin container or string."""
    receiver = method.receiver
    if isinstance(receiver, Ref):
        if method.name in _SUBSCRIPTS and args.positional and args.star is None:
            return _subscript_method(it, receiver, method.name, args, node)
        contents = it.contents(receiver)
        if isinstance(contents, ListObject):
            return _list_method(it, receiver, method.name, args, node)
        if isinstance(contents, DictObject):
            return _dict_method(it, receiver, method.name, args, node)
        if isinstance(contents, SetObject):
            return _set_method(it, receiver, method.name, args, node)
        return UNKNOWN
    if isinstance(receiver, Tree):
        return _tree_method(it, receiver, method.name, args, node)
    if isinstance(receiver, Tuple):
        return _search(it, receiver.items, method.name, args, node)
    if isinstance(receiver, (Const, Static)):
        return _static_method(it, receiver, method.name, args, node)
    return UNKNOWN


_SUBSCRIPTS = frozenset({"__getitem__", "__setitem__"})


def _subscript_method(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``values.__getitem__(i)``, which programs hand on as a function."""
    from jitlint.absint.python.assignment import store

    index = args.positional[0]
    if name == "__getitem__":
        return it.item(receiver, index, node)
    if len(args.positional) > 1:
        written: cst.CSTNode = node
        if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
            written = node.func.value
            if isinstance(written, cst.Name) and written.value == "dict":
                written = node.args[0].value
        it.signal(Kept(args.positional[1]))
        store(it, receiver, index, args.positional[1], node, written)
    return NONE


_LIST_CHANGES = frozenset(
    """append appendleft add extend extendleft insert pop popleft remove sort reverse rotate
    clear""".split()
)
_DICT_CHANGES = frozenset({"pop", "setdefault", "update", "clear", "popitem", "move_to_end"})
_ARRAY_CHANGES = frozenset({"fill", "sort", "put", "partition", "itemset", "resize"})
_KEEPS_ROWS = frozenset({"copy", "astype", "ravel", "flatten", "round", "clip", "repeat"})
_SET_CHANGES = frozenset(
    """add discard remove pop clear update difference_update intersection_update
    symmetric_difference_update""".split()
)


def changed_by_method(
    it: Interpreter, ref: Ref, value: Value | None, node: cst.CSTNode, name: str
) -> None:
    """Tell that a method of a container changes it; ``value`` is what it puts into it."""
    it.signal(Kept(value))
    receiver: cst.CSTNode | str = name
    if isinstance(node, cst.Call):
        receiver = node.func.value if isinstance(node.func, cst.Attribute) else node.func
        if isinstance(receiver, cst.Name) and receiver.value in _TYPES and node.args:
            # `list.append(values, x)`
            receiver = node.args[0].value
    it.signal(ContentsChanged(ref, value, node, receiver, f".{name}()"))


_TYPES = frozenset({"list", "dict", "set", "deque", "OrderedDict"})


def _note_dict_change(
    it: Interpreter,
    receiver: Ref,
    contents: DictObject,
    name: str,
    args: Arguments,
    node: cst.CSTNode,
) -> None:
    """Tell of a changed dict, with what is stored in it."""
    first = args.positional[0] if args.positional else None
    stored: Value | None = None
    if name == "setdefault":
        if isinstance(first, Const) and first.value in contents.items:
            return
        stored = args.positional[1] if len(args.positional) > 1 else None
    elif name == "update":
        stored = Tuple((*args.positional, *args.keywords.values()))
    changed_by_method(it, receiver, stored, node, name)


def _search(
    it: Interpreter, items: Sequence[Value], name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``index`` and ``count`` compare element by element."""
    if name in ("index", "count", "remove") and args.positional:
        wanted = sure_array(args.positional[0])
        found = wanted if _hold_numbers(items) or _any_array(items) else None
        if found is None and wanted is None:
            found = next((a for a in map(sure_array, items) if a is not None), None)
        if found is not None:
            it.emit(
                BuiltinComparison,
                node,
                found,
                exceptions=BOOL_ERRORS,
                builtin=f".{name}()",
            )
            return UNKNOWN
    return INT if name in ("index", "count") else NONE


def _hold_numbers(items: Sequence[Value]) -> bool:
    """Whether all items are static and a number is among them."""
    kinds = [type_name(item) for item in items if isinstance(item, (Const, Static))]
    return len(kinds) == len(items) and any(kind in ("int", "float", "bool") for kind in kinds)


def _any_array(items: Sequence[Value]) -> bool:
    return any(sure_array(item) is not None for item in items)


def _list_method(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    contents = it.contents(receiver)
    first = args.positional[0] if args.positional else UNKNOWN
    if name in _LIST_CHANGES:
        changed_by_method(
            it, receiver, args.positional[-1] if args.positional else None, node, name
        )
    if name in ("append", "appendleft", "add"):
        contents = it.edit(receiver)
        _append(it, contents, first, left=name == "appendleft")
        return NONE
    if name == "extend":
        extend_in_place(it, receiver, first)
        return NONE
    if name == "insert" and len(args.positional) > 1:
        contents = it.edit(receiver)
        contents.element = (
            args.positional[1]
            if contents.items == ()
            else join(contents.element, args.positional[1])
        )
        contents.items = None
        return NONE
    if name in ("pop", "popleft"):
        contents = it.edit(receiver)
        result: Value = contents.element
        if contents.items:
            if not args.positional:
                left = name == "popleft"
                result = contents.items[0 if left else -1]
                contents.items = contents.items[1:] if left else contents.items[:-1]
                contents.element = join_all(contents.items or (result,))
            else:
                index = sure_array(first)
                if index is not None:
                    it.emit(
                        PythonIndex,
                        node,
                        index,
                        exceptions=INDEX_ERRORS,
                        construct="list index",
                    )
                    return UNKNOWN
                contents.items = None
        return result
    if name in ("index", "count", "remove"):
        items = contents.items if contents.items is not None else (contents.element,)
        result = _search(it, items, name, args, node)
        if name == "remove":
            it.edit(receiver).items = None
        return result
    if name == "copy":
        return it.allocate(node, contents.copy())
    if name == "sort":
        _sorts(it, contents, args, node)
        it.edit(receiver).items = None
        return NONE
    if name == "reverse":
        edited = it.edit(receiver)
        if edited.items is not None:
            edited.items = edited.items[::-1]
        return NONE
    if name == "clear":
        edited = it.edit(receiver)
        edited.items = ()
        return NONE
    return UNKNOWN


def _sorts(it: Interpreter, contents: ListObject, args: Arguments, node: cst.CSTNode) -> None:
    if contents.items is not None and len(contents.items) < 2:
        return
    key = args.keywords.get("key", NONE)
    if key == NONE:
        traced = sorted_tracer(contents.element, contents.items)
    else:
        ranked = it.call(key, Arguments([contents.element]), node)
        traced = sure_array(ranked)
    if traced is None and key == NONE:
        compare_objects(it, contents.items or (contents.element,) * 2, node, ".sort()")
    if traced is not None:
        it.emit(BuiltinComparison, node, traced, exceptions=BOOL_ERRORS, builtin=".sort()")


def _append(it: Interpreter, contents: ListObject, value: Value, *, left: bool = False) -> None:
    if contents.items is not None and len(contents.items) < it.limits.items:
        contents.items = (value, *contents.items) if left else (*contents.items, value)
        contents.element = join_all(contents.items)
    else:
        contents.items = None
        contents.element = join(contents.element, value)


def _dict_method(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    contents = it.contents(receiver)
    first = args.positional[0] if args.positional else None
    values = [*contents.items.values(), *([contents.rest] if contents.rest else [])]
    known = contents.rest is None and len(contents.items) <= it.limits.items
    if name in ("items", "keys", "values"):
        keys = [Const(key) for key in contents.items]
        if name == "keys":
            parts: list[Value] = list(keys)
        elif name == "values":
            parts = list(contents.items.values())
        else:
            parts = [
                Tuple((key, value))
                for key, value in zip(keys, contents.items.values(), strict=True)
            ]
        rest = {"keys": STATIC, "values": contents.rest or UNKNOWN}.get(
            name, Tuple((STATIC, contents.rest or UNKNOWN))
        )
        if known:
            return it.allocate(node, ListObject(tuple(parts), join_all(parts)), name)
        return it.allocate(node, ListObject(None, join_all([*parts, rest])), name)
    if name in _DICT_CHANGES:
        _note_dict_change(it, receiver, contents, name, args, node)
    if name == "setdefault" and len(args.positional) > 1 and isinstance(args.positional[1], Ref):
        # What the dict keeps lives as long as the dict.
        it.made_in[args.positional[1].id] = it.made_in.get(receiver.id, 0)
    if name in ("get", "pop", "setdefault") and first is not None:
        if check_key(it, receiver, first, node):
            return UNKNOWN
        default = args.positional[1] if len(args.positional) > 1 else None
        if isinstance(first, Const) and first.value in contents.items:
            result: Value = contents.items[first.value]
            if name == "pop":
                del it.edit(receiver).items[first.value]
            return result
        fallback = default if default is not None else (NONE if name == "get" else UNKNOWN)
        if isinstance(first, Const) and contents.rest is None:
            if name == "setdefault":
                it.edit(receiver).items[first.value] = default or NONE
                return default or NONE
            return fallback
        if isinstance(first, Const):
            return join(contents.rest, fallback)
        return join_all([*values, fallback])
    if name == "update":
        edited = it.edit(receiver)
        for key, value in args.keywords.items():
            edited.items[key] = value
        if first is not None:
            other = it.contents(first) if isinstance(first, Ref) else None
            if isinstance(other, DictObject):
                edited.items.update(other.items)
                if other.rest is not None:
                    _add_rest(edited, other.rest)
            else:
                _add_rest(edited, first if isinstance(first, Tree) else UNKNOWN)
        return NONE
    if name == "copy":
        return it.allocate(node, contents.copy())
    if name == "clear":
        edited = it.edit(receiver)
        edited.items, edited.rest = {}, None
        return NONE
    if name == "popitem":
        return UNKNOWN
    return UNKNOWN


def _add_rest(contents: DictObject, value: Value) -> None:
    contents.rest = value if contents.rest is None else join(contents.rest, value)


def _set_method(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    if args.positional:
        traced = hashed_tracer(it, args.positional[0])
        if traced is not None and name in ("add", "discard", "remove"):
            it.emit(
                Hash,
                node,
                traced,
                operand=key_node(node),
                exceptions=HASH_ERRORS,
                construct="set element",
            )
            return NONE
        if name == "update":
            where = key_node(node)
            for value in args.positional:
                element, items = it.iterate(value, node)
                if hashes_element(it, element, items, node, where):
                    return NONE
        if name in _SET_CHANGES:
            changed_by_method(it, receiver, args.positional[0], node, name)
        if name == "add":
            edited = it.edit(receiver)
            edited.element = join(edited.element, args.positional[0])
            return NONE
    return UNKNOWN


def _tree_method(
    it: Interpreter, receiver: Tree, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """A dict method of a pytree of unknown structure: keys are static, values are subtrees."""
    inner = receiver.replace(container=False, keyed=False)
    if name == "items":
        return it.allocate(node, ListObject(None, Tuple((STATIC, inner))), name)
    if name == "values":
        return it.allocate(node, ListObject(None, inner), name)
    if name == "keys":
        return it.allocate(node, ListObject(None, STATIC), name)
    if name in ("get", "pop", "setdefault"):
        # Without a default it may be None, as any pytree may.
        return join(inner, args.positional[1]) if len(args.positional) > 1 else inner
    if name == "copy":
        return receiver
    return NONE if name == "update" else UNKNOWN


def _static_method(
    it: Interpreter, receiver: Const | Static, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    kind = type_name(receiver)
    if kind == "ndarray":
        for value in args.positional:
            traced = find_traced(it, value, 2)
            if traced is not None and name in ("dot", "searchsorted", "take", "compress", "choose"):
                it.emit(
                    NumpyCall,
                    node,
                    traced,
                    exceptions=ARRAY_ERRORS,
                    callee=f"NumPy array method .{name}",
                )
                return UNKNOWN
        if name in _ARRAY_CHANGES and isinstance(node, cst.Call):
            if isinstance(node.func, cst.Attribute):
                it.signal(ArrayChanged(node, node.func.value, f".{name}()"))
            return NONE
        if name == "tolist":
            made = receiver == MADE_ROWS
            return it.allocate(node, ListObject(None, STATIC, mutable=made), "tolist")
        if receiver == MADE_ROWS and name in _KEEPS_ROWS:
            return MADE_ROWS
        return STATIC if name == "item" else NDARRAY
    if kind == "str":
        if name == "format":
            if _check_format(it, receiver, args, node):
                return STR
            return shown(it, *args.positional, *args.keywords.values())
        if name == "join":
            return shown(it, *args.positional)
        if isinstance(receiver, Const) and not args.keywords:
            folded = _fold_string(receiver.value, name, args)
            if folded is not None:
                return folded
        if name in ("startswith", "endswith", "isdigit", "isidentifier", "isalpha", "isupper"):
            return BOOL
        if name in ("index", "find", "count", "rfind"):
            return INT
        if name in ("split", "rsplit", "splitlines"):
            return it.allocate(node, ListObject(None, STR))
        if name in ("partition", "rpartition"):
            return Tuple((STR, STR, STR))
        return STR
    if kind == "shape":
        traced = sure_array(args.positional[0]) if args.positional else None
        if traced is not None:
            it.emit(
                BuiltinComparison,
                node,
                traced,
                exceptions=BOOL_ERRORS,
                builtin=f".{name}()",
            )
        return INT
    if kind in ("int", "float", "bool"):
        return BOOL if name.startswith("is_") else Static("int" if kind == "int" else None)
    return STATIC


_FOLDED = frozenset({"startswith", "endswith", "lower", "upper", "strip", "replace"})


def _fold_string(text: Any, name: str, args: Arguments) -> Value | None:
    if name not in _FOLDED or not isinstance(text, str):
        return None
    values = [a.value for a in args.positional if isinstance(a, Const)]
    if len(values) != len(args.positional):
        return None
    try:
        return Const(getattr(text, name)(*values))
    except (TypeError, ValueError):
        return None


def _check_format(
    it: Interpreter, receiver: Const | Static, args: Arguments, node: cst.CSTNode
) -> bool:
    """``"{:.2f}".format(x)`` asks the tracer to format itself; True where it does."""
    if not isinstance(receiver, Const) or not isinstance(receiver.value, str):
        return False
    position = 0
    for match in re.finditer(r"\{([^{}:!]*)(![rsa])?(:[^{}]*)?\}", receiver.value):
        name, conversion, spec = match.groups()
        if name.isdigit():
            value = args.get(int(name), "")
        elif name:
            value = args.keywords.get(name.split(".")[0].split("[")[0])
        else:
            value = args.get(position, "")
            position += 1
        if value is None or conversion or not spec or spec == ":":
            continue
        traced = sure_array(value)
        if traced is not None:
            it.emit(
                Conversion,
                node,
                traced,
                exceptions=("TypeError",),
                callee="format specification",
            )
            return True
    return False
