"""The laws of joins: what two paths leave behind never depends on the order they are looked at."""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from jitlint.absint.limits import UNION_MEMBERS
from jitlint.absint.values.domain import (
    NONE,
    REPORTED,
    UNKNOWN,
    Array,
    Certainty,
    Const,
    External,
    Level,
    Origin,
    Ref,
    Slice,
    Static,
    Tree,
    Tuple,
    Union,
    Value,
    members_of,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject, State, Variables
from jitlint.absint.values.lattice import (
    join,
    join_all,
    join_objects,
    join_states,
    union_of,
    widen_states,
)

LAWS = settings(max_examples=int(os.environ.get("JITLINT_EXAMPLES", "100")), deadline=None)

levels = st.sampled_from(list(Level))
certainties = st.sampled_from(list(Certainty))
# Drawn anew for each value: equal values then differ in their origins.
origins = st.one_of(st.none(), st.builds(Origin, st.integers(0, 3), st.sampled_from(["a", "b"])))
constants = st.builds(
    Const, st.sampled_from([None, True, False, 0, 1, -1, 0.0, 1.5, float("nan"), "", "mode"])
)
statics = st.builds(Static, st.sampled_from([None, "int", "float", "bool", "str", "shape"]))
arrays = st.builds(
    Array,
    levels,
    certainty=certainties,
    dtype=st.sampled_from([None, "int", "float"]),
    rank=st.sampled_from([None, 0, 2]),
    python_type=st.sampled_from([None, "int"]),
    origin=origins,
)
trees = st.builds(Tree, levels, certainty=certainties, container=st.booleans(), origin=origins)
opaque = st.one_of(
    st.builds(Ref, st.integers(0, 2)),
    st.builds(External, st.sampled_from(["jax.numpy.sum", "math.pi"])),
)
scalars = st.one_of(constants, statics, arrays, trees, opaque, st.sampled_from([UNKNOWN, REPORTED]))


def _compound(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.one_of(
        st.lists(inner, max_size=3).map(lambda items: Tuple(tuple(items))),
        st.tuples(inner, inner).map(lambda two: Tuple(two, External("project.Point"))),
        st.tuples(inner, inner, inner).map(Slice),
        st.lists(inner, min_size=1, max_size=3).map(
            lambda members: union_of([m for one in members for m in members_of(one)])
        ),
    )


values = st.recursive(scalars, _compound, max_leaves=6)

# Few enough kinds that no union overflows.
tame = st.recursive(
    st.one_of(constants.filter(lambda c: c.value is None or type(c.value) in (int, str)), arrays),
    lambda inner: st.one_of(st.tuples(inner).map(Tuple), st.tuples(inner, inner).map(join_all)),
    max_leaves=5,
)


def commutes(a: Value, b: Value) -> None:
    assert join(a, b) == join(b, a)


def associates(a: Value, b: Value, c: Value) -> None:
    assert join(join(a, b), c) == join(a, join(b, c))


def is_idempotent(a: Value) -> None:
    assert join(a, a) == a
    assert union_of([*members_of(a), *members_of(a)]) == a


def covers(a: Value, b: Value) -> None:
    both = join(a, b)
    assert join(both, a) == both
    assert join(both, b) == both


def loses_no_unknown(a: Value) -> None:
    joined = join(UNKNOWN, a)
    assert joined == join(a, UNKNOWN)
    assert UNKNOWN in members_of(joined)


def _without_origins(value: Value) -> Value:
    if isinstance(value, (Array, Tree)):
        return value.replace(origin=None)
    if isinstance(value, Tuple):
        return Tuple(tuple(map(_without_origins, value.items)), value.cls)
    if isinstance(value, Slice):
        return Slice(tuple(map(_without_origins, value.parts)))  # type: ignore[arg-type]
    if isinstance(value, Union):
        return Union(tuple(map(_without_origins, value.members)))
    return value


def minds_no_origins(a: Value, b: Value) -> None:
    assert _without_origins(a) == a
    assert hash(_without_origins(a)) == hash(a)
    assert join(_without_origins(a), _without_origins(b)) == join(a, b)


# To draw values takes longer than to join them, so that all laws are held against the same.
@LAWS
@given(values, values, values)
def test_laws_for_values(a: Value, b: Value, c: Value) -> None:
    commutes(a, b)
    associates(a, b, c)
    is_idempotent(a)
    covers(a, b)
    loses_no_unknown(a)
    minds_no_origins(a, b)


def is_the_same_in_any_order(parts: list[Value], random: Any) -> None:
    members = [member for part in parts for member in members_of(part)]
    shuffled = list(members)
    random.shuffle(shuffled)
    assert union_of(members) == union_of(shuffled)


def is_flat_bounded_and_of_different_kinds(joined: Value) -> None:
    members = members_of(joined)
    assert 1 <= len(members) <= UNION_MEMBERS
    assert len(set(members)) == len(members)
    assert not any(isinstance(member, Union) for member in members)
    if isinstance(joined, Union):
        assert len(members) > 1
        assert sum(isinstance(member, Array) for member in members) <= 1


def ends_a_chain(parts: list[Value]) -> None:
    """A loop joins what comes round again: the same values must stop changing it."""
    joined = join_all(parts)
    for part in parts:
        joined = join(joined, part)
    again = joined
    for part in parts:
        again = join(again, part)
    assert again == joined


@LAWS
@given(st.lists(values, min_size=1, max_size=20), st.randoms(use_true_random=False))
def test_laws_for_unions(parts: list[Value], random: Any) -> None:
    # Of many there is soon nothing left but that they are unknown.
    is_the_same_in_any_order(parts[:5], random)
    is_flat_bounded_and_of_different_kinds(join_all(parts[:10]))
    is_flat_bounded_and_of_different_kinds(join_all(parts[:3]))
    ends_a_chain(parts)


def test_what_joins_keep() -> None:
    traced = Array(Level.ABSTRACT)
    assert join(Const(1), Const(2)) == Static("int")
    assert join(Const(1), Const(True)) == Union((Const(True), Const(1)))
    assert join(Static(), Const(1)) == Static()
    assert join(NONE, traced) == Union((traced, NONE))
    assert join(Array(Level.CONCRETE), traced) == traced
    assert join(Tuple((Const(1), traced)), Tuple((Const(2), traced))) == Tuple(
        (Static("int"), traced)
    )
    assert join(Tuple((traced,)), Tuple(())) == Union((Tuple(()), Tuple((traced,))))
    assert join_all([]) == UNKNOWN
    assert join_all([], default=NONE) == NONE


def test_too_many_alternatives_are_unknown() -> None:
    kinds = [External(f"project.kind_{number}") for number in range(UNION_MEMBERS + 1)]
    assert len(members_of(join_all(kinds[:-1]))) == UNION_MEMBERS
    assert join_all(kinds) == UNKNOWN


def test_overflow_is_final() -> None:
    kinds = [External(f"project.kind_{number}") for number in range(UNION_MEMBERS + 1)]
    assert join(join_all(kinds), kinds[0]) == UNKNOWN


# -- objects and states ---------------------------------------------------------------------------

lists = st.one_of(
    st.lists(tame, max_size=3).map(lambda items: ListObject(tuple(items), join_all(items))),
    tame.map(lambda element: ListObject(None, element)),
)
dicts = st.builds(
    DictObject,
    st.dictionaries(st.sampled_from(["w", "b", 0]), tame, max_size=3),
    st.one_of(st.none(), tame),
)
variables = st.dictionaries(st.sampled_from(["x", "y", "z"]), tame, max_size=3).map(Variables)
sets = st.builds(SetObject, tame)

#: what lives under which number: an object keeps its kind, since its number says where it was made
KINDS = {1: variables, 2: lists, 3: dicts, 4: sets}


@pytest.mark.parametrize("number", KINDS)
def test_laws_for_objects(number: int) -> None:
    kind = KINDS[number]

    @LAWS
    @given(kind, kind, kind)
    def laws(a: Any, b: Any, c: Any) -> None:
        assert join_objects(a, a.copy()) == a
        assert join_objects(a, b) == join_objects(b, a)
        assert join_objects(join_objects(a, b), c) == join_objects(a, join_objects(b, c))

    laws()


heaps = st.fixed_dictionaries({}, optional=KINDS)
assumptions = st.dictionaries(st.sampled_from(["debug", "n > 0"]), st.booleans(), max_size=2)


@st.composite
def three_paths(draw: st.DrawFn) -> tuple[State, State, State]:
    """Three paths that started from one state of the module."""
    base = State(draw(heaps))
    made = []
    for _ in range(3):
        state = base.child()
        for number, contents in draw(heaps).items():
            state.put(number, contents)
        state.assumed.update(draw(assumptions))
        made.append(state)
    return made[0], made[1], made[2]


def _contents(state: State | None) -> Any:
    assert state is not None
    seen = {number: state.get(number) for number in KINDS}
    return seen, state.assumed


def are_joined_by_the_laws(a: State, b: State, c: State) -> None:
    assert _contents(join_states(a, a)) == _contents(a)
    assert _contents(join_states(a, a.copy())) == _contents(a)
    assert _contents(join_states(a, b)) == _contents(join_states(b, a))
    left = join_states(join_states(a, b), c)
    right = join_states(a, join_states(b, c))
    assert _contents(left) == _contents(right)


def takes_a_path_alone_as_it_is(a: State) -> None:
    assert join_states(None, a) is a
    assert join_states(a, None) is a
    assert join_states(None, None) is None


def changes_neither_side(a: State, b: State) -> None:
    before = [({n: o.copy() for n, o in s.heap.items()}, dict(s.assumed)) for s in (a, b)]
    joined = join_states(a, b)
    assert joined is not None
    for number in KINDS:
        if (contents := joined.edit(number)) is not None and isinstance(contents, Variables):
            contents["x"] = External("project.changed")
    assert [(s.heap, s.assumed) for s in (a, b)] == before


def ends_a_loop(before: State, after: State) -> None:
    widened = widen_states(before, after)
    again = widen_states(after, widened)
    assert _contents(widen_states(widened, again))[0] == _contents(again)[0]


@LAWS
@given(three_paths())
def test_laws_for_states(paths: tuple[State, State, State]) -> None:
    a, b, c = paths
    are_joined_by_the_laws(a, b, c)
    takes_a_path_alone_as_it_is(a)
    ends_a_loop(a, b)
    changes_neither_side(a, b)
