"""The table of what values hold: nobody is missing, and what is taken apart goes together again."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

import pytest

import jitlint.absint.assembly  # noqa: F401 - every room may bring values of its own
from jitlint.absint.values.domain import (
    FALSE,
    INT,
    NONE,
    STR,
    TRUE,
    UNKNOWN,
    Array,
    ArrayMethod,
    BoundMethod,
    Cached,
    Const,
    ContainerMethod,
    Default,
    Descriptor,
    Dispatched,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Ref,
    Slice,
    Transformed,
    TreeStructure,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import (
    DictObject,
    HeapObject,
    Instance,
    ListObject,
    SetObject,
    Slot,
    Variables,
)
from jitlint.absint.values.traversal import (
    ATOMS,
    OBJECTS,
    STRUCTURES,
    VALUES,
    elements,
    fold,
    parts_of,
    reachable,
    rebuilt,
    rebuilt_object,
)

ARRAY = Array(Level.ABSTRACT)
CODE: Any = object()
CLASS: Any = External("project.Point")
FUNCTION = Function(CODE, (7,), (("flag", TRUE), ("size", INT)))
SAMPLES: list[Value | HeapObject] = [
    Tuple((ARRAY, NONE), CLASS),
    Slice((NONE, INT, ARRAY)),
    Union((ARRAY, NONE), exclusive=True),
    Default(FALSE),
    FUNCTION,
    BoundMethod(FUNCTION, Ref(3)),
    ArrayMethod(ARRAY, "sum"),
    ContainerMethod(Ref(3), "append"),
    Partial(FUNCTION, (ARRAY, INT), (("axis", NONE),), pytree=True),
    Transformed(FUNCTION, "jax.jit", (("static_argnums", INT),), "here"),
    Cached(FUNCTION),
    Dispatched(FUNCTION, method=True),
    Descriptor("property", FUNCTION),
    TreeStructure(ARRAY, Ref(3)),
    ExternalInstance("flax.linen.Dense", (("features", INT), ("kernel", ARRAY))),
    Variables({"x": ARRAY, "y": NONE}),
    ListObject((ARRAY, INT), UNKNOWN, mutable=True),
    ListObject(None, ARRAY),
    DictObject({"a": ARRAY, "b": INT}, STR),
    DictObject({"a": ARRAY}, None),
    SetObject(INT, mutable=True),
    Instance(CLASS, {"width": INT, "content": ARRAY}),
]
#: what a value is, not what it holds
CLASSES = {"cls"}


def _classes(base: type) -> Iterator[type]:
    for cls in base.__subclasses__():
        yield cls
        yield from _classes(cls)


def _held(found: object) -> Iterator[Value]:
    """Every value in an attribute, however it is packed."""
    if isinstance(found, Value):
        yield found
    elif isinstance(found, tuple):
        for each in found:
            yield from _held(each)
    elif isinstance(found, dict):
        yield from _held(tuple(found.values()))


def _attributes(sample: object) -> Iterator[tuple[str, object]]:
    if isinstance(sample, Variables):
        yield "", dict(sample)
    for name in getattr(type(sample), "__slots__", ()):
        yield name, getattr(sample, name)


def test_every_class_of_values_and_objects_has_its_row() -> None:
    known = set(_classes(Value))
    assert known == VALUES.keys() | ATOMS
    assert not VALUES.keys() & ATOMS
    assert OBJECTS.keys() == set(typing.get_args(HeapObject)) - {Slot}
    assert {type(sample) for sample in SAMPLES} == STRUCTURES.keys()


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_no_part_is_left_out(sample: Value | HeapObject) -> None:
    held = [
        value
        for name, attribute in _attributes(sample)
        if name not in CLASSES
        for value in _held(attribute)
    ]
    assert sorted(map(id, parts_of(sample))) == sorted(map(id, held))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: type(sample).__name__)
def test_what_is_rebuilt_has_the_new_parts_and_is_the_same_otherwise(
    sample: Value | HeapObject,
) -> None:
    structure = STRUCTURES[type(sample)]
    # A dispatched function stays one.
    other = Function(CODE, (8,))
    made = structure.rebuilt(sample, [other for _ in structure.parts(sample)])
    assert type(made) is type(sample)
    assert structure.label(made) == structure.label(sample)
    assert list(structure.parts(made)) == [other for _ in structure.parts(sample)]
    again = structure.rebuilt(made, list(structure.parts(sample)))
    assert again == sample
    for name, attribute in _attributes(sample):
        if not any(_held(attribute)):
            assert getattr(again, name) == attribute, name


@pytest.mark.parametrize("sample", [s for s in SAMPLES if isinstance(s, Value)])
def test_a_value_of_which_nothing_changes_is_the_same_one(sample: Value) -> None:
    assert rebuilt(sample, lambda part: part) is sample
    assert rebuilt(ARRAY, lambda part: NONE) is ARRAY


def test_an_object_is_another_one_even_if_nothing_changes() -> None:
    contents = ListObject((INT,), INT)
    made = rebuilt_object(contents, lambda part: part)
    assert made == contents
    assert made is not contents


def test_the_elements_of_a_list_are_its_items_if_they_are_known() -> None:
    heap = {
        1: ListObject((INT, ARRAY), UNKNOWN),
        2: ListObject(None, ARRAY),
        3: Instance(CLASS, {"x": ARRAY}),
    }

    def contents(ref: Ref) -> HeapObject | None:
        return heap.get(ref.id)

    assert elements(Ref(1), contents) == (INT, ARRAY)
    assert elements(Ref(2), contents) == (ARRAY,)
    for value in (Ref(3), Ref(4), ARRAY, Union((INT, NONE)), Slice((NONE, NONE, NONE))):
        assert elements(value, contents) is None


def test_a_fold_looks_into_as_many_levels_as_it_is_told() -> None:
    heap = {1: ListObject((Const(1), Tuple((Const(2), Const(3)))), UNKNOWN)}
    value = Tuple((Ref(1), Const(4)))

    def leaves(depth: int) -> list[tuple[Value, int]]:
        found: list[tuple[Value, int]] = fold(
            value,
            lambda ref: heap[ref.id],
            lambda leaf, left: [(leaf, left)],
            lambda several: [each for one in several for each in one],
            depth,
        )
        return found

    assert leaves(0) == [(value, 0)]
    assert leaves(1) == [(Ref(1), 0), (Const(4), 0)]
    assert leaves(3) == [(Const(1), 1), (Const(2), 0), (Const(3), 0), (Const(4), 2)]


def test_what_is_reachable_goes_through_objects_and_the_frames_of_functions() -> None:
    heap: dict[int, HeapObject] = {
        3: Instance(CLASS, {"step": Cached(FUNCTION)}),
        7: Variables({"state": Ref(4), "self": Ref(3)}),
        4: DictObject({}, Ref(5)),
        6: ListObject((), UNKNOWN),
    }
    assert reachable([Tuple((Ref(3),))], heap) == {3, 4, 5, 7}
