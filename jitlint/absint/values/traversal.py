"""What values and objects hold: one table by class, and one map and one fold on top of it.

Every class of values stands in ``STRUCTURES`` with what it holds, or in ``ATOMS`` if it holds no
other value; a test checks that.  What leads somewhere in another way, the number of a :class:`Ref`
and the frames around a :class:`Function`, is followed by those who know the heap.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, Final, TypeVar

from jitlint.absint.values.domain import (
    Array,
    ArrayMethod,
    BoundMethod,
    Cached,
    Class,
    Const,
    ContainerMethod,
    Default,
    Descriptor,
    Dispatched,
    Dtype,
    Duration,
    EnumMember,
    External,
    ExternalInstance,
    Flag,
    Function,
    MadeArray,
    ModuleValue,
    Outside,
    Partial,
    Range,
    Reading,
    Ref,
    Reported,
    Sentinel,
    Slice,
    Static,
    Text,
    TextArray,
    Transformed,
    Tree,
    TreeStructure,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jitlint.absint.values.heap import (
    DictObject,
    HeapObject,
    Instance,
    ListObject,
    SetObject,
    Variables,
)
from jitlint.foundation.records import Record

_Result = TypeVar("_Result")
_Named = tuple[tuple[str, Value], ...]


class Structure(Record):
    """How a value or an object is put together.

    Args:
      parts: the values that it holds.
      label: what else tells it from others of its class, its identity and place aside.
      rebuilt: the same with other parts, given in the same order.
    """

    parts: Callable[[Any], Collection[Value]]
    label: Callable[[Any], object]
    rebuilt: Callable[[Any, Sequence[Value]], Any]


def _nothing(old: object) -> None:
    return None


def _values(pairs: _Named) -> list[Value]:
    return [value for _, value in pairs]


def _names(pairs: _Named) -> tuple[str, ...]:
    return tuple([name for name, _ in pairs])


def _renamed(pairs: _Named, values: Sequence[Value]) -> _Named:
    return tuple([(name, value) for (name, _), value in zip(pairs, values, strict=True)])


def _partial(old: Partial, parts: Sequence[Value]) -> Partial:
    count = 1 + len(old.args)
    keywords = _renamed(old.keywords, parts[count:])
    return Partial(parts[0], tuple(parts[1:count]), keywords, pytree=old.pytree)


def _transformed(old: Transformed, parts: Sequence[Value]) -> Transformed:
    return Transformed(parts[0], old.transform, _renamed(old.options, parts[1:]), old.place)


def _dispatched(old: Dispatched, parts: Sequence[Value]) -> Dispatched:
    function = parts[0]
    assert isinstance(function, Function)
    return Dispatched(function, method=old.method)


def _list(old: ListObject, parts: Sequence[Value]) -> ListObject:
    element, *others = parts
    if not old.pushed:
        return old.with_items(None if old.items is None else tuple(others), element)
    made = old.with_items(None, element)
    made.pushed = tuple(zip(others[::2], others[1::2], strict=True))
    return made


def _dict(old: DictObject, parts: Sequence[Value]) -> DictObject:
    rest = None if old.rest is None else parts[-1]
    return old.with_items(dict(zip(old.items, parts, strict=False)), rest)


#: values that hold others
VALUES: Final[Mapping[type[Value], Structure]] = {
    Tuple: Structure(
        attrgetter("items"),
        attrgetter("cls"),
        lambda old, parts: Tuple(tuple(parts), old.cls),
    ),
    Slice: Structure(
        attrgetter("parts"),
        _nothing,
        lambda old, parts: Slice((parts[0], parts[1], parts[2])),
    ),
    Union: Structure(
        attrgetter("members"),
        _nothing,
        lambda old, parts: Union(tuple(parts), exclusive=old.exclusive),
    ),
    Default: Structure(
        lambda old: (old.value,),
        _nothing,
        lambda old, parts: Default(parts[0]),
    ),
    Function: Structure(
        lambda old: _values(old.defaults),
        attrgetter("code", "closure"),
        lambda old, parts: Function(old.code, old.closure, _renamed(old.defaults, parts)),
    ),
    BoundMethod: Structure(
        attrgetter("function", "receiver"),
        _nothing,
        lambda old, parts: BoundMethod(*parts),
    ),
    ArrayMethod: Structure(
        lambda old: (old.receiver,),
        attrgetter("name"),
        lambda old, parts: ArrayMethod(parts[0], old.name),
    ),
    ContainerMethod: Structure(
        lambda old: (old.receiver,),
        attrgetter("name"),
        lambda old, parts: ContainerMethod(parts[0], old.name),
    ),
    Partial: Structure(
        lambda old: (old.function, *old.args, *_values(old.keywords)),
        lambda old: _names(old.keywords),
        _partial,
    ),
    Transformed: Structure(
        lambda old: (old.function, *_values(old.options)),
        lambda old: (old.transform, _names(old.options)),
        _transformed,
    ),
    Cached: Structure(
        lambda old: (old.function,),
        _nothing,
        lambda old, parts: Cached(parts[0]),
    ),
    Dispatched: Structure(
        lambda old: (old.function,),
        attrgetter("method"),
        _dispatched,
    ),
    Descriptor: Structure(
        lambda old: (old.function,),
        attrgetter("kind"),
        lambda old, parts: Descriptor(old.kind, parts[0]),
    ),
    TreeStructure: Structure(
        attrgetter("tree", "leaves"),
        _nothing,
        lambda old, parts: TreeStructure(*parts),
    ),
    ExternalInstance: Structure(
        lambda old: _values(old.attributes),
        lambda old: (old.cls, _names(old.attributes)),
        lambda old, parts: ExternalInstance(old.cls, _renamed(old.attributes, parts)),
    ),
}

#: objects of the heap, but for the slots of detectors, which hold no values
OBJECTS: Final[Mapping[type[HeapObject], Structure]] = {
    Variables: Structure(
        dict.values,
        tuple,
        lambda old, parts: Variables(zip(old, parts, strict=True)),
    ),
    ListObject: Structure(
        lambda old: (old.element, *(old.items or chain.from_iterable(old.pushed))),
        lambda old: (old.items is None, old.iterator, old.is_tuple, len(old.pushed)),
        _list,
    ),
    DictObject: Structure(
        lambda old: old.items.values() if old.rest is None else (*old.items.values(), old.rest),
        lambda old: (*map(repr, old.items), old.rest is None, old.frozen),
        _dict,
    ),
    SetObject: Structure(
        lambda old: (old.element,),
        lambda old: (old.filled,),
        lambda old, parts: SetObject(parts[0], filled=old.filled, mutable=old.mutable),
    ),
    Instance: Structure(
        lambda old: old.attributes.values(),
        lambda old: (old.cls, old.extensible, *old.attributes),
        lambda old, parts: old.with_attributes(dict(zip(old.attributes, parts, strict=True))),
    ),
}

#: how values and objects are put together that hold others
STRUCTURES: Final[Mapping[type, Structure]] = {**VALUES, **OBJECTS}

#: values that hold no other: what a text shows and an object contains is not part of them
ATOMS: Final = frozenset(
    {
        Unknown,
        Reported,
        Const,
        Static,
        EnumMember,
        Flag,
        MadeArray,
        TextArray,
        Dtype,
        Outside,
        Range,
        Sentinel,
        Reading,
        Duration,
        Text,
        Array,
        Tree,
        Ref,
        Class,
        External,
        ModuleValue,
    }
)

#: what may be a container, or lead to one
_HOLDERS: Final = frozenset({Tuple, Ref})
#: an object of a class is no container, nor is one of several values
_CONTAINERS: Final = frozenset({Tuple, ListObject, DictObject, SetObject})


def parts_of(holder: Value | HeapObject | None) -> Collection[Value]:
    """The values that a value or an object holds."""
    structure = STRUCTURES.get(type(holder))
    return () if structure is None else structure.parts(holder)


def lies_elsewhere(left: Value | HeapObject, right: Value | HeapObject) -> bool:
    """Whether two that are equal hold arrays that need not be the same, or were told apart."""
    if left is right:
        return False
    told = (Unknown, Static)
    if isinstance(left, told) and isinstance(right, told) and left.told != right.told:
        return True
    if isinstance(left, (Array, Tree, Unknown)) and isinstance(right, (Array, Tree, Unknown)):
        return left.buffers != right.buffers
    mine, others = parts_of(left), parts_of(right)
    return any(map(lies_elsewhere, mine, others)) or _keys(left) != _keys(right)


def _keys(contents: Value | HeapObject) -> Sequence[Any]:
    """The keys of a dict in order."""
    return list(contents.items) if type(contents) is DictObject else ()


def rebuilt(value: Value, change: Callable[[Value], Value]) -> Value:
    """A value with its parts changed; the same one if none was."""
    structure = VALUES.get(type(value))
    if structure is None:
        return value
    parts = structure.parts(value)
    changed = [change(part) for part in parts]
    for part, other in zip(parts, changed, strict=True):
        if part is not other:
            made: Value = structure.rebuilt(value, changed)
            return made
    return value


def rebuilt_object(contents: HeapObject, change: Callable[[Value], Value]) -> HeapObject:
    """A new object with the parts of another, changed."""
    structure = OBJECTS.get(type(contents))
    if structure is None:
        return contents.copy()
    made: HeapObject = structure.rebuilt(contents, [*map(change, structure.parts(contents))])
    return made


def elements(value: Value, contents: Callable[[Ref], Any]) -> Collection[Value] | None:
    """What a container holds as far as that is known; None for what is no container.

    Args:
      value: the value.
      contents: gives the object that a reference stands for.
    """
    if isinstance(value, Tuple):
        return value.items
    if not isinstance(value, Ref):
        return None
    holder = contents(value)
    if type(holder) is ListObject and holder.items is not None:
        return holder.items
    return parts_of(holder) if type(holder) in _CONTAINERS else None


def fold(
    value: Value,
    contents: Callable[[Ref], Any],
    leaf: Callable[[Value, int], _Result],
    combine: Callable[[Sequence[_Result]], _Result],
    depth: int,
) -> _Result:
    """What is found in a value and, some levels down, in the containers that it holds.

    Args:
      value: the value.
      contents: gives the object that a reference stands for.
      leaf: what is found in a value that is not looked into, and how many levels are left there.
      combine: what that makes for the container of several.
      depth: levels of containers that are looked into.
    """
    held = elements(value, contents) if depth and type(value) in _HOLDERS else None
    if held is None:
        return leaf(value, depth)
    return combine([fold(each, contents, leaf, combine, depth - 1) for each in held])


def reachable(values: Iterable[Value], heap: Mapping[int, HeapObject]) -> set[int]:
    """The objects that values lead to, and the frames of functions among them."""
    found: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        numbers: tuple[int, ...] = ()
        if type(value) is Ref:
            numbers = (value.id,)
        else:
            stack.extend(parts_of(value))
            if type(value) is Function or type(value) is Class:
                numbers = value.closure
        for number in numbers:
            if number not in found:
                found.add(number)
                contents = heap.get(number)
                stack.extend(parts_of(contents))
                if type(contents) is Instance:
                    stack.append(contents.cls)
    return found
