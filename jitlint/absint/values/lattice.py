"""Joins: what is known of a value that comes from one of two paths.

``join`` is pure, commutative, associative and idempotent up to equality (tested), and its chains
are short: constants of one type fall to the static of that type, arrays join field by field, unions
are bounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jitlint.absint.limits import UNION_CALLABLES, UNION_MEMBERS
from jitlint.absint.values.buffers import NO_BUFFERS, Buffers, of_either
from jitlint.absint.values.domain import (
    CHANGES,
    NONE,
    REPORTED,
    UNKNOWN,
    Array,
    BoundMethod,
    Certainty,
    Const,
    Duration,
    ExternalInstance,
    Flag,
    Function,
    Level,
    Partial,
    Reading,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
    members_of,
)
from jitlint.absint.values.heap import (
    DictObject,
    HeapObject,
    Instance,
    ListObject,
    SetObject,
    Slot,
    State,
    Variables,
)
from jitlint.absint.values.told import in_common
from jitlint.absint.values.traversal import lies_elsewhere

#: of a sequence: one value that stands for each element, and all elements if they are known
Elements = tuple[Value, Sequence[Value] | None]

_CALLABLES = (Function, BoundMethod, Partial, Transformed)


def join(left: Value, right: Value) -> Value:
    """The least value that covers both."""
    if left is right:
        return left
    if left == right:
        return _one_of(left, right)
    if type(left) is Array and type(right) is Array:
        return _merge(left, right)
    if type(left) is Unknown or type(right) is Unknown:
        # What it is may not be known, and which array it is.
        buffers = of_either(_memory_of(left), _memory_of(right))
        return Unknown(buffers=buffers) if buffers else UNKNOWN
    return union_of((*members_of(left), *members_of(right)))


def _memory_of(value: Value) -> Buffers:
    """Where the one array lies that a value is, or may be; nowhere if it may be something else."""
    if type(value) is Unknown or (type(value) is Array and value.level is Level.CONCRETE):
        return value.buffers
    return NO_BUFFERS


def _one_of(left: Value, right: Value) -> Value:
    """Two values that say the same; only what both are is an operand, or one unknown thing."""
    if type(left) is Unknown:
        assert type(right) is Unknown
        buffers = of_either(left.buffers, right.buffers)
        told = in_common(left.told, right.told)
        return Unknown(buffers=buffers, told=told) if buffers or told is not None else UNKNOWN
    if type(left) is Array or type(left) is Tree:
        assert type(right) is Array or type(right) is Tree
        operand = left.operand is None or left.operand == right.operand
        if type(left) is Array and type(right) is Array and left.extent is not right.extent:
            left = left.replace(buffers=left.buffers, extent=None)
        if operand and left.buffers == right.buffers:
            return left
        return left.replace(buffers=of_either(left.buffers, right.buffers))
    if type(left) is Const:
        assert type(right) is Const
        return right if left.shown else left
    if isinstance(left, Static) and isinstance(right, Static):
        if left.told is not right.told:
            left = left.of_told(in_common(left.told, right.told))
        return left if left.extent is right.extent else left.of_extent(None)
    if type(left) is Tuple:
        assert isinstance(right, Tuple)
        items = tuple([join(a, b) for a, b in zip(left.items, right.items, strict=True)])
        if any(a is not b for a, b in zip(items, left.items, strict=True)):
            return Tuple(items, left.cls)
    if type(left) is ExternalInstance:
        assert isinstance(right, ExternalInstance)
        theirs = dict(right.attributes)
        held = tuple([(name, _one_of(value, theirs[name])) for name, value in left.attributes])
        if any(a is not b for (_, a), (_, b) in zip(held, left.attributes, strict=True)):
            return ExternalInstance(left.cls, held)
    if type(left) is Union:
        alike = {member: member for member in members_of(right)}
        members = tuple([_one_of(member, alike[member]) for member in left.members])
        if any(a is not b for a, b in zip(members, left.members, strict=True)):
            return Union(members, exclusive=left.exclusive)
        assert type(right) is Union
        if left.choice is not None and left.choice != right.choice:
            return Union(left.members, exclusive=left.exclusive)
    return left


def join_all(values: Iterable[Value], default: Value = UNKNOWN) -> Value:
    """The join of all values; ``default`` when there are none."""
    result: Value | None = None
    for value in values:
        result = value if result is None else join(result, value)
    return default if result is None else result


def join_with(known: Value | None, value: Value) -> Value:
    """The join of a value with another, where there may be none yet."""
    return value if known is None else join(known, value)


def loosen(contents: DictObject) -> None:
    """Say of no entry of a dict any more that it is there for certain: one of them may be gone."""
    for value in contents.items.values():
        contents.rest = join_with(contents.rest, value)
    contents.items, contents.filled = {}, False


def join_elements(left: Elements, right: Elements) -> Value:
    """What stands for each element of two sequences in one: an empty one says nothing of it."""
    if left[1] is not None and len(left[1]) == 0:
        return right[0]
    if right[1] is not None and len(right[1]) == 0:
        return left[0]
    return join(left[0], right[0])


def union_of(members: Iterable[Value]) -> Value:
    """A union in normal form: members of one kind merged, too many of them Unknown."""
    groups: dict[object, Value] = {}
    order: list[object] = []
    for member in members:
        key = _group(member)
        if key in groups:
            groups[key] = _merge(groups[key], member)
        else:
            groups[key] = member
            order.append(key)
    if "unknown" in groups:
        # Top: what else it may be says nothing any more.
        return UNKNOWN
    if REPORTED in groups and ("array" in groups or "tree" in groups):
        # What was reported raises there; the tracer comes from where it does not.
        order.remove(REPORTED)
    tree = groups.get("tree")
    if isinstance(tree, Tree) and tree.certainty is Certainty.GUESS and "array" in groups:
        # Only the use tells that it is an array on either path.
        groups["tree"] = _merge(tree, _as_guess(groups["array"]))
        order.remove("array")
    if len(order) == 1:
        return groups[order[0]]
    # A static of unknown type covers the typed ones; a tree covers a bare array of its level.
    if "static" in groups:
        for key in [key for key in order if isinstance(key, tuple) and key[0] == "typed"]:
            del groups[key]
            order.remove(key)
    result = [groups[key] for key in order]
    if len(result) == 1:
        return result[0]
    limit = UNION_CALLABLES if all(isinstance(r, _CALLABLES) for r in result) else UNION_MEMBERS
    return UNKNOWN if len(result) > limit else Union(tuple(result))


def guessed(value: Value, *, others: bool = False) -> Value:
    """One of several things, of which a key that is not known tells which.

    Args:
      value: what they are, as far as that is known.
      others: whether there may be others, so that of a function alone nothing is left.
    """
    if type(value) is Union:
        return Union(value.members, exclusive=True)
    return UNKNOWN if others and type(value) is Function else value


def _as_guess(array: Value) -> Tree:
    assert isinstance(array, Array)
    guess = Certainty.GUESS
    return Tree(array.level, certainty=guess, origin=array.origin, buffers=array.buffers)


def _group(value: Value) -> object:
    kind = type(value)
    if kind is Ref or kind is Function:
        return value
    if kind is Const:
        constant = value.value  # type: ignore[attr-defined]
        return "none" if constant is None else ("typed", type(constant).__name__)
    if kind is Array:
        return "array"
    if kind is Reading or kind is Duration:
        # Next to a number that stands for none yet it stays what it is.
        return kind
    if isinstance(value, Static):
        return "static" if value.type is None else ("typed", value.type)
    if kind is Tree:
        return "tree"
    if isinstance(value, Tuple):
        return ("tuple", len(value.items), value.cls)
    if value == UNKNOWN:
        return "unknown"
    return value


def _merge(left: Value, right: Value) -> Value:
    if left == right:
        return _one_of(left, right)
    if isinstance(left, Array) and isinstance(right, Array):
        return Array(
            max(left.level, right.level),
            certainty=max(left.certainty, right.certainty),
            dtype=left.dtype if left.dtype == right.dtype else None,
            rank=left.rank if left.rank == right.rank else None,
            python_type=left.python_type if left.python_type == right.python_type else None,
            origin=(left if left.level >= right.level else right).origin,
            trace=max(left.trace, right.trace),
            buffers=of_either(left.buffers, right.buffers),
            seed=left.seed if left.key()[5:] == right.key()[5:] else None,
        )
    if isinstance(left, Tree) and isinstance(right, Tree):
        return Tree(
            max(left.level, right.level),
            certainty=min(left.certainty, right.certainty),
            container=left.container and right.container,
            keyed=left.keyed or right.keyed,
            arrays_only=left.arrays_only and right.arrays_only,
            present=left.present and right.present,
            origin=(left if left.level >= right.level else right).origin,
            buffers=of_either(left.buffers, right.buffers),
        )
    if isinstance(left, Tuple) and isinstance(right, Tuple):
        return Tuple(
            tuple(join(a, b) for a, b in zip(left.items, right.items, strict=True)), left.cls
        )
    if isinstance(left, Reading) and isinstance(right, Reading):
        return Reading(left.numbers | right.numbers, _common_type(left, right))
    if isinstance(left, Duration) and isinstance(right, Duration):
        return Duration(left.spans | right.spans, _common_type(left, right))
    if isinstance(left, (Const, Static)) and isinstance(right, (Const, Static)):
        flag = _flag_of(left)
        if flag is not None and flag == _flag_of(right):
            return Flag(flag)
        return Static(type_name(left))
    return UNKNOWN


def _common_type(left: Static, right: Static) -> str | None:
    return left.type if left.type == right.type else None


def _flag_of(value: Const | Static) -> str | None:
    """The flag that a value is, or is on one path."""
    if isinstance(value, Const):
        return None if value.flag == CHANGES else value.flag
    return value.name if type(value) is Flag else None


def type_name(value: Const | Static) -> str | None:
    """The Python type of a static value, None if it is not known."""
    return value.type if isinstance(value, Static) else type(value.value).__name__


def join_objects(left: HeapObject, right: HeapObject) -> HeapObject:
    """Join the contents of one object as two paths left it."""
    if left is right:
        return left
    if isinstance(left, Slot) and isinstance(right, Slot):
        return left.join(right)
    if isinstance(left, Variables) and isinstance(right, Variables):
        # A name that only one path binds may be unbound; using it then is another error.
        merged = left
        for name, value in right.items():
            mine = left.get(name)
            if mine is not value:
                joined = value if mine is None else join(mine, value)
                if joined is not mine:
                    if merged is left:
                        merged = Variables(left)
                    merged[name] = joined
        return merged
    if left == right and not lies_elsewhere(left, right):
        return left
    if isinstance(left, ListObject) and isinstance(right, ListObject):
        mutable = left.mutable and right.mutable
        iterator = left.iterator and right.iterator
        is_tuple = left.is_tuple and right.is_tuple
        ours, theirs = left.items, right.items
        if ours is not None and theirs is not None and len(ours) == len(theirs):
            items = tuple(join(a, b) for a, b in zip(ours, theirs, strict=True))
            return ListObject(
                items, join_all(items), mutable=mutable, iterator=iterator, is_tuple=is_tuple
            )
        element = join_elements((left.lasting, ours), (right.lasting, theirs))
        both = left.open and right.open
        return ListObject(
            None, element, mutable=mutable, iterator=iterator, is_tuple=is_tuple, open=both
        )
    if isinstance(left, DictObject) and isinstance(right, DictObject):
        return _join_dicts(left, right)
    if isinstance(left, SetObject) and isinstance(right, SetObject):
        mutable = left.mutable and right.mutable
        filled = left.filled if left.filled is right.filled else None
        return SetObject(join(left.element, right.element), filled=filled, mutable=mutable)
    if isinstance(left, Instance) and isinstance(right, Instance) and left.cls == right.cls:
        attributes = dict(left.attributes)
        for name, value in right.attributes.items():
            attributes[name] = join_with(attributes.get(name), value)
        return Instance(left.cls, attributes, extensible=left.extensible or right.extensible)
    return left


def _join_dicts(left: DictObject, right: DictObject) -> DictObject:
    items: dict[Any, Value] = dict(left.items)
    rest = left.rest if right.rest is None else join_with(left.rest, right.rest)
    for key, other in right.items.items():
        items[key] = join_with(items.get(key), other)
    frozen, registry = left.frozen or right.frozen, left.registry or right.registry
    filled = left.filled and right.filled
    return DictObject(items, rest, frozen=frozen, registry=registry, filled=filled)


def set_key(contents: DictObject, key: Value, value: Value) -> None:
    """Put a value into a dict; under a key that is not known it may be found by any."""
    contents.filled = True
    if isinstance(key, Const):
        contents.items[key.value] = value
    else:
        contents.rest = join_with(contents.rest, value)


def update_dict(contents: DictObject, other: DictObject) -> None:
    """Put all values of another dict into a dict; what it has under unknown keys, under any."""
    if other.rest == UNKNOWN:
        # `{"clip": None, **options}`: settings are what the options may set.
        for key, value in contents.items.items():
            if isinstance(value, (Const, Static, Tuple)):
                contents.items[key] = UNKNOWN
    elif other.rest is not None:
        for key, value in contents.items.items():
            contents.items[key] = join(value, other.rest)
    contents.items.update(other.items)
    contents.filled = contents.filled or other.filled
    if other.rest is not None:
        contents.rest = join_with(contents.rest, other.rest)


def join_states(left: State | None, right: State | None) -> State | None:
    """The state after two paths meet; None stands for a path that does not arrive."""
    if left is None:
        return right
    if right is None or left is right:
        return left
    if left.base is None or right.base is None:
        left, right = left.copy(), right.copy()
    heap = dict(left.heap)
    base = {} if left.base is None else left.base.heap
    theirs = right.heap
    for number, contents in theirs.items():
        mine = heap.get(number)
        if mine is contents:
            continue
        if mine is None:
            mine = base.get(number)
        heap[number] = contents if mine is None else join_objects(mine, contents)
    if base:
        for number in left.heap.keys() - theirs.keys():
            if number in base:
                heap[number] = join_objects(left.heap[number], base[number])
    assumed = {}
    if left.assumed:
        assumed = {k: v for k, v in left.assumed.items() if right.assumed.get(k) == v}
    return State(heap, assumed, left.base)


def widen_states(before: State, after: State) -> State:
    """Make Unknown what still changes between two iterations of a loop, so that it ends."""
    heap = dict(after.heap)
    for number, contents in after.heap.items():
        old = before.heap.get(number)
        if old is None or old is contents or old == contents:
            continue
        if isinstance(contents, Variables):
            heap[number] = Variables(
                {
                    name: value if old.get(name) == value else _top(value)
                    for name, value in contents.items()
                }
            )
        elif isinstance(contents, ListObject):
            heap[number] = contents.with_items(None, UNKNOWN)
        elif isinstance(contents, DictObject):
            heap[number] = DictObject({}, UNKNOWN)
        elif isinstance(contents, Instance):
            heap[number] = contents.with_attributes(
                {
                    name: value if old.attributes.get(name) == value else _top(value)
                    for name, value in contents.attributes.items()
                }
            )
    return State(heap, after.assumed, after.base)


def _top(value: Value) -> Value:
    # A bare array stays one: its chain is finite.  Everything else is given up.
    return value if isinstance(value, Array) else UNKNOWN


def prefer_traced(head: State, back: State, merged: State) -> None:
    """A number that an iteration of a loop makes traced is traced from the second one on.

    Args:
      head: the state in which the iteration began.
      back: the state at its end.
      merged: both joined, which is changed.
    """
    for id_, after in back.heap.items():
        before = head.heap.get(id_)
        if before is None or before is after:
            continue
        if isinstance(after, Variables):
            for name in _became_traced(before, after):
                merged.edit(id_)[name] = after[name]
        elif isinstance(after, Instance):
            for name in _became_traced(before.attributes, after.attributes):
                merged.edit(id_).attributes[name] = after.attributes[name]
        elif isinstance(after, DictObject):
            for name in _became_traced(before.items, after.items):
                merged.edit(id_).items[name] = after.items[name]
        elif isinstance(after, ListObject) and after.items and before.items:
            numbered = _became_traced(dict(enumerate(before.items)), dict(enumerate(after.items)))
            for index in numbered:
                items = list(merged.edit(id_).items or ())
                if index < len(items):
                    items[index] = after.items[index]
                    merged.edit(id_).items = tuple(items)


def _became_traced(before: Mapping[Any, Value], after: Mapping[Any, Value]) -> list[Any]:
    """The entries that were numbers before and are traced now."""
    return [
        name
        for name, value in after.items()
        if isinstance(value, Array)
        and value.level is not Level.CONCRETE
        and isinstance(before.get(name), (Const, Static))
        and before.get(name) != NONE
    ]
