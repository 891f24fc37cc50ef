"""Binding of names and of the other targets of assignments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import libcst as cst

from jitlint.absint.code.conditions import names_in
from jitlint.absint.events import ArrayStore, NumpyCall
from jitlint.absint.machine.always import facts_of_store
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.bound_globals import bind_global
from jitlint.absint.machine.clock_signals import Asked
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArrayChanged,
    AttributeSet,
    ContentsChanged,
    Kept,
    OuterNameBound,
    Received,
)
from jitlint.absint.machine.tracers import find_traced, sure_array
from jitlint.absint.modules.bound_names import is_made_by_jax
from jitlint.absint.objects.narrowing import narrow
from jitlint.absint.operations.iteration import unpacked
from jitlint.absint.operations.operators import AUGMENTED, SYMBOLS
from jitlint.absint.operations.subscripts import check_key, slice_tracer, subscript_index
from jitlint.absint.program.dict_classes import entries_of
from jitlint.absint.program.members import class_attribute
from jitlint.absint.program.setting import call_setter, set_on, set_plainly, set_within, setter_of
from jitlint.absint.python.namespaces import owner_of, set_variable
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Class,
    Const,
    ExternalInstance,
    Function,
    Level,
    Ref,
    Slice,
    Static,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject, Variables
from jitlint.absint.values.lattice import join, join_all, loosen, set_key
from jitlint.absint.values.told import with_key
from jitlint.jaxmodel.concretization import ARRAY_ERRORS, INDEX_ERRORS


def bind(it: Interpreter, name: str, value: Value, node: cst.CSTNode | None = None) -> None:
    """Give a name of the current function its value; ``node`` is where that is written."""
    frame = it.frame
    env = frame.env
    if name in frame.outer:
        for outer in frame.closure:
            variables = it.contents(outer)
            if isinstance(variables, Variables) and name in variables:
                env = outer
                break
        it.signal(OuterNameBound(name, env, value, node))
    elif name in frame.globals:
        it.signal(OuterNameBound(name, None, value, node))
        bind_global(it, name)
        return
    variables = it.variables(env)
    if it.state.assumed and variables.get(name) != value:
        _forget(it, name)
    variables[name] = value


def _forget(it: Interpreter, name: str) -> None:
    """Drop what was assumed of conditions that mention a name that changes."""
    stale = [key for key in it.state.assumed if name in names_in(key)]
    for key in stale:
        del it.state.assumed[key]


def assign(it: Interpreter, target: cst.CSTNode, value: Value, source: cst.CSTNode) -> None:
    """Assign a value to any kind of target."""
    kind = type(target)
    if kind is cst.Name:
        name = target.value  # type: ignore[attr-defined]
        bind(it, name, _named(it, value, target, name), target)
        it.signal(Received(value, target))
    elif kind in (cst.Tuple, cst.List):
        _unpack(it, target, value, source)
    elif kind is cst.Attribute:
        _set_attribute(it, target, value)
    elif kind is cst.Subscript:
        _set_item(it, target, value, source)
    elif kind is cst.StarredElement:
        assign(it, target.value, value, source)  # type: ignore[attr-defined]


def _named(it: Interpreter, value: Value, target: cst.CSTNode, name: str) -> Value:
    if isinstance(value, (Array, Tree)) and value.level is Level.ABSTRACT:
        previous = value.origin
        if previous is not None and previous.note.startswith(f"`{name}`"):
            return value
        origin = it.origin(target, f"`{name}` is traced", previous)
        return value.replace(origin=origin, operand=value.operand, buffers=value.buffers)
    return value


def _unpack(it: Interpreter, target: cst.CSTNode, value: Value, source: cst.CSTNode) -> None:
    targets = target.elements  # type: ignore[attr-defined]
    star = next((i for i, part in enumerate(targets) if type(part) is cst.StarredElement), None)
    count = len(targets)
    whole = star is None
    element, items = unpacked(it, value, source, count) if whole else it.iterate(value, source)
    parts: Sequence[Value] = [element] * count
    rest: tuple[Value, ...] | None = None
    if items is not None and star is None and len(items) == count:
        parts = items
    elif items is not None and star is not None and len(items) >= count - 1:
        end = len(items) - (count - star - 1)
        rest = tuple(items[star:end])
        element = join_all(rest)
        parts = [*items[:star], element, *items[end:]]
    for part, item in zip(targets, parts, strict=True):
        starred = type(part) is cst.StarredElement
        value = it.allocate(part, ListObject(rest, element)) if starred else item
        assign(it, part.value, value, source)


def _set_attribute(it: Interpreter, target: cst.CSTNode, value: Value) -> None:
    assert isinstance(target, cst.Attribute)
    receiver = it.ev(target.value)
    name = target.attr.value
    if it.state.assumed:
        _forget(it, name)
    it.signal(Kept(value, receiver))
    objects = receiver.members if isinstance(receiver, Union) else (receiver,)
    setters = [setter_of(it, o, name) if isinstance(o, Ref) else None for o in objects]
    if None not in setters:
        for owner, setter in zip(objects, setters, strict=True):
            assert setter is not None and isinstance(owner, Ref)
            with it.running_setter(target):
                call_setter(it, setter, owner, name, value, target)
        return
    if not isinstance(receiver, Union) and it.signal(AttributeSet(receiver, value, target)):
        # Told once: who reads it later is not told again.
        value = UNKNOWN
    for member in objects:
        if isinstance(member, Ref):
            contents = it.contents(member)
            if isinstance(contents, Instance):
                old = contents.attributes.get(name)
                weak = isinstance(receiver, Union) and old is not None
                set_plainly(it, member, name, join(old, value) if weak and old else value)
        else:
            set_on(it, member, name, value)
            if isinstance(member, ExternalInstance) and member is receiver:
                set_within(it, target.value, member, name, value)


#: Kernels of Pallas assign to items of references, which are annotated as arrays, sliced and handed
#: on like them; in a module that mentions it nothing tells what is one (JAX 0.10.2).
_PALLAS: Final = "pallas"


def _set_item(it: Interpreter, target: cst.CSTNode, value: Value, source: cst.CSTNode) -> None:
    assert isinstance(target, cst.Subscript)
    owner = owner_of(it, target.value)
    if owner is not None:
        set_variable(it, owner, subscript_index(it, target), value, target)
        return
    receiver = it.ev(target.value)
    index = subscript_index(it, target)
    it.signal(Kept(value))
    if isinstance(receiver, Static) and receiver.type == "ndarray":
        if not _refused_by_numpy(it, target, index, value, source):
            if it.trace is None:
                # NumPy copies it, and waits for that.
                it.signal(Asked((value,), (source,)))
            it.signal(ArrayChanged(target, target.value))
        return
    if _is_array(receiver, index) and (it.trace is not None or isinstance(receiver, Array)):
        assert isinstance(receiver, (Array, Tree))
        _refused_by_jax(it, target, receiver, index, value, source)
        return
    if isinstance(receiver, Ref):
        setter = class_attribute(it, receiver, "__setitem__")
        if setter is not None:
            it.call(setter, Arguments([index, value]), target)
        else:
            held = entries_of(it, receiver) or receiver
            store(it, held, index, value, target, target.value)
    elif isinstance(receiver, Union):
        for member in receiver.members:
            if isinstance(member, Ref):
                store(it, member, UNKNOWN, value, target, target.value)
    elif type(receiver) is Unknown and isinstance(index, Const) and not _takes_away(it):
        narrow(it, target.value, lambda held: with_key(held, index, True))


def delete_item(it: Interpreter, target: cst.Subscript) -> None:
    """``del owner[index]``: what may be gone is not known to be there any more."""
    owner = it.ev(target.value)
    if not isinstance(owner, Ref):
        return
    it.signal(ContentsChanged(owner, None, target, target.value, "deletion"))
    index = subscript_index(it, target)
    contents = it.contents(owner)
    if isinstance(contents, DictObject):
        changed = it.edit(owner)
        if isinstance(index, Const):
            changed.items.pop(index.value, None)
            changed.filled = False
        else:
            loosen(changed)
    elif isinstance(contents, ListObject) and contents.mutable:
        changed = it.edit(owner)
        items, number = changed.items, index.value if isinstance(index, Const) else None
        if items is not None and isinstance(number, int) and -len(items) <= number < len(items):
            left = list(items)
            del left[number]
            changed.items = tuple(left)
        else:
            changed.items = None
            changed.lose_order()


def _takes_away(it: Interpreter) -> bool:
    """Whether the function at hand takes keys away from something."""
    return any(word in it.frame.parsed.unit.text for word in ("pop(", "del ", "clear(", "popitem("))


def _refused_by_jax(
    it: Interpreter,
    target: cst.Subscript,
    receiver: Array | Tree,
    index: Value,
    value: Value,
    source: cst.CSTNode,
) -> None:
    """``x[i] = y`` on an array of JAX, traced or not."""
    if it.frame.module.has_word(_PALLAS):
        return
    symbol = ""
    if isinstance(source, cst.AugAssign):
        symbol = SYMBOLS[AUGMENTED[type(source.operator)]]
    told = partial(
        it.emit if it.trace is not None else it.note,
        ArrayStore,
        target,
        operand=target.value,
        exceptions=("TypeError",),
        statement=it.text(target),
        operator=f"{symbol}=",
        always=facts_of_store(index, value),
    )
    if it.trace is not None:
        told(value=receiver.replace(level=Level.ABSTRACT))
    elif receiver.level is Level.CONCRETE and is_made_by_jax(it, target.value):
        # A tracer that a trace has left behind is told of there.
        told(value=receiver)


def _refused_by_numpy(
    it: Interpreter,
    target: cst.Subscript,
    index: Value,
    value: Value,
    source: cst.CSTNode,
) -> bool:
    """``a[i] = x`` on a NumPy array: neither may be traced; True when one is."""
    traced = find_traced(it, index, 1) or slice_tracer(index)
    callee = "NumPy array index"
    if traced is None:
        traced = sure_array(value)
        callee = "NumPy array assignment"
    if traced is not None:
        it.emit(
            NumpyCall,
            target,
            traced,
            operand=it.text(target if callee == "NumPy array index" else source),
            exceptions=(*ARRAY_ERRORS, "ValueError", *INDEX_ERRORS),
            callee=callee,
        )
    return traced is not None


def _is_array(receiver: Value, index: Value) -> bool:
    """Whether what is stored into is an array: it is known, or only arrays take such an index."""
    if isinstance(index, Const) and isinstance(index.value, str):
        # A dict, whatever else it is taken for.
        return False
    if isinstance(receiver, Array):
        return True
    if not isinstance(receiver, Tree) or receiver.container:
        return False
    parts = index.items if isinstance(index, Tuple) else (index,)
    if Const(...) in parts:
        # `ref[...] = x`: a mutable reference may be passed.
        return False
    return any(isinstance(part, (Slice, Array)) for part in parts)


def store(
    it: Interpreter,
    ref: Ref,
    index: Value,
    value: Value,
    target: cst.CSTNode,
    receiver: cst.CSTNode,
) -> None:
    """Put a value into a list or dict; ``receiver`` is where that is written, in ``target``."""
    contents = it.edit(ref)
    if isinstance(contents, (DictObject, ListObject)) and it.signal(
        ContentsChanged(ref, value, target, receiver, "item assignment")
    ):
        value = UNKNOWN
    if isinstance(contents, DictObject):
        check_key(it, ref, index, target)
        contents.registry = contents.registry or isinstance(value, (Function, Class))
        set_key(contents, index, value)
    elif isinstance(contents, ListObject):
        check_key(it, ref, index, target)
        if (
            contents.items is not None
            and isinstance(index, Const)
            and isinstance(index.value, int)
            and -len(contents.items) <= index.value < len(contents.items)
        ):
            items = list(contents.items)
            items[index.value] = value
            contents.items = tuple(items)
            contents.element = join_all(contents.items)
        else:
            if contents.items is not None:
                contents.items = tuple(join(item, value) for item in contents.items)
            contents.lose_order()
            if not contents.open:
                contents.element = join(contents.element, value) if contents.items != () else value
    elif isinstance(contents, SetObject):
        contents.element = join(contents.element, value)
