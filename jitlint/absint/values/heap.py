"""The heap: frames' variables and mutable objects, copied on write.

Contents are treated as immutable once a state was copied; ``State.edit`` gives a private copy.
Objects are named by the place and the call that made them, so that a loop makes the same object
again and its fixpoint ends.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, ClassVar, Final, Self

from jitlint.absint.values.domain import UNKNOWN, Class, Ref, Value


class Variables(dict[str, Value]):
    """The local variables of one activation of a function."""

    __slots__ = ()

    def copy(self) -> Variables:
        """A private copy."""
        return Variables(self)


class ListObject:
    """A list, or another ordered container read like one (generator, ``*args``, ``zip`` ...).

    ``items`` are its elements if all are known, else None and ``element`` stands for each of them.
    ``mutable`` is True for what is certainly a list: not a tuple of unknown length, no generator;
    ``iterator`` for what certainly gives each element once; ``is_tuple`` for what is
    certainly a tuple.  ``pushed`` are the last elements of
    one of which not all are known, each after what stands for those below it.  ``open`` is True
    where that stands for all that anybody puts there: one that is lost sight of is no news.
    """

    __slots__ = ("element", "is_tuple", "items", "iterator", "mutable", "open", "pushed")

    def __init__(
        self,
        items: tuple[Value, ...] | None,
        element: Value,
        *,
        mutable: bool = False,
        iterator: bool = False,
        is_tuple: bool = False,
        open: bool = False,  # noqa: A002
    ) -> None:
        self.items = items
        self.element = element
        self.mutable = mutable
        self.iterator = iterator
        self.is_tuple = is_tuple
        self.open = open
        self.pushed: tuple[tuple[Value, Value], ...] = ()

    def copy(self) -> ListObject:
        """A private copy."""
        copied = self.with_items(self.items, self.element)
        copied.pushed = self.pushed
        return copied

    def with_items(self, items: tuple[Value, ...] | None, element: Value) -> ListObject:
        """An object of the same kind with other elements."""
        return ListObject(
            items,
            element,
            mutable=self.mutable,
            iterator=self.iterator,
            is_tuple=self.is_tuple,
            open=items is None and self.open,
        )

    @property
    def lasting(self) -> Value:
        """What stands for each element that is not among the last ones, which are known."""
        return self.pushed[0][0] if self.open and self.pushed else self.element

    def lose_order(self) -> None:
        """Forget which elements are the last ones."""
        self.element, self.pushed = self.lasting, ()

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ListObject)
            and self.items == other.items
            and self.element == other.element
            and self.iterator is other.iterator
            and self.is_tuple is other.is_tuple
            and self.pushed == other.pushed
        )

    __hash__ = None  # type: ignore[assignment]


class DictObject:
    """A dict: known keys, and what may stand under any other key (None: there is none).

    ``frozen`` is True for one that may be hashed: a ``FrozenDict`` of Flax.  ``registry`` is True
    where functions were put in one by one, each where it is defined; not part of equality.
    ``filled`` is True where it holds something for certain.
    """

    __slots__ = ("filled", "frozen", "items", "registry", "rest")

    def __init__(
        self,
        items: dict[Any, Value],
        rest: Value | None,
        *,
        frozen: bool = False,
        registry: bool = False,
        filled: bool = False,
    ) -> None:
        self.items = items
        self.rest = rest
        self.frozen = frozen
        self.registry = registry
        self.filled = filled

    def copy(self) -> DictObject:
        """A private copy."""
        return self.with_items(dict(self.items), self.rest)

    @property
    def elsewhere(self) -> Value | None:
        """What stands under a key that is none of those known.

        An object that was put in under computed keys (``params[f"layer_{i}"] = layer``) beside keys
        that are written is rather not what somebody asks for by another name.
        """
        return UNKNOWN if self.items and isinstance(self.rest, Ref) else self.rest

    def with_items(self, items: dict[Any, Value], rest: Value | None) -> DictObject:
        """A dict of the same kind that holds something else."""
        return DictObject(
            items, rest, frozen=self.frozen, registry=self.registry, filled=self.filled
        )

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DictObject)
            and self.items == other.items
            and self.rest == other.rest
            and self.frozen is other.frozen
            and self.filled is other.filled
        )

    __hash__ = None  # type: ignore[assignment]


class SetObject:
    """A set; ``element`` stands for each member.  ``mutable`` is False for a frozenset.

    ``filled`` says whether it has members, None if that is not known.
    """

    __slots__ = ("element", "filled", "mutable")

    def __init__(
        self, element: Value, *, filled: bool | None = None, mutable: bool = False
    ) -> None:
        self.element = element
        self.filled = filled
        self.mutable = mutable

    def copy(self) -> SetObject:
        """A private copy."""
        return SetObject(self.element, filled=self.filled, mutable=self.mutable)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SetObject)
            and self.element == other.element
            and self.filled is other.filled
        )

    __hash__ = None  # type: ignore[assignment]


#: an attribute that no code can name: what stands for all that were set under unknown names
OTHERS: Final = "<others>"


class Instance:
    """An object of a project class; attributes not in ``attributes`` are looked up in the class.

    Where :data:`OTHERS` is among them, it may have any other as well, in place of its class's.

    ``extensible`` is True for one that nobody visibly makes: it may be of a subclass as well.
    """

    __slots__ = ("attributes", "cls", "extensible")

    def __init__(
        self, cls: Class, attributes: dict[str, Value], *, extensible: bool = False
    ) -> None:
        self.cls = cls
        self.attributes = attributes
        self.extensible = extensible

    def copy(self) -> Instance:
        """A private copy."""
        return Instance(self.cls, dict(self.attributes), extensible=self.extensible)

    def with_attributes(self, attributes: dict[str, Value]) -> Instance:
        """An object of the same class with other attributes."""
        return Instance(self.cls, attributes, extensible=self.extensible)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Instance)
            and self.cls == other.cls
            and self.extensible == other.extensible
            and self.attributes == other.attributes
        )

    __hash__ = None  # type: ignore[assignment]


class Slot:
    """What a detector knows at a point of the program: a part of its state like any object.

    It is joined where paths meet, and a call that is remembered changes it again.  A subclass says
    in :meth:`join` what holds after either of two paths; its values must form chains of finite
    length, for loops run until nothing changes.

    Attributes:
      of_run: whether it is about what has run, so that functions do not start from what the code of
        modules has left: they may be called by that code.
      of_turns: whether what a turn of a loop leaves of it is sure only in the turn after that, and
        no more where the ends of several turns meet.
    """

    __slots__ = ()
    of_run: ClassVar[bool] = False
    of_turns: ClassVar[bool] = False

    def copy(self) -> Self:
        """A private copy."""
        return copy.copy(self)

    def join(self, other: Self) -> Self:
        """What is known where a path with this slot and one with another meet."""
        raise NotImplementedError

    def agreed(self, before: Self, ways: Sequence[Self]) -> Self:
        """What is sure where only one of several paths was taken, and nobody knows which.

        Args:
          before: what was known before them.
          ways: what was known at the end of each; this slot is all of them joined.
        """
        return self

    def by_subject(self) -> Mapping[Hashable, object]:
        """What is known, by what that is about: so is seen who changes what others have said.

        Returns:
          A mapping of its own, which stays as it is when the slot changes.
        """
        raise NotImplementedError

    def begun(self, own: Self | None) -> Self:
        """What the code of another module is run with, which has left that when it last ran."""
        return self

    def resumed(self, known: Self) -> Self:
        """What there is after code of another module has left that."""
        return known

    def __eq__(self, other: object) -> bool:
        """Whether the same is known."""
        raise NotImplementedError

    __hash__ = None  # type: ignore[assignment]


class SureFacts(Slot):
    """Things of which a detector is sure, as far as they are so on either of two paths.

    Args:
      known: the things.
    """

    __slots__ = ("known",)

    def __init__(self, known: frozenset[Any] = frozenset()) -> None:
        self.known = known

    def join(self, other: Self) -> Self:
        """What is sure on either way."""
        return type(self)(self.known & other.known)

    def by_subject(self) -> Mapping[Hashable, object]:
        """What is sure."""
        return dict.fromkeys(self.known, True)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.known == other.known

    __hash__ = None


HeapObject = Variables | ListObject | DictObject | SetObject | Instance | Slot


#: an assumption: nothing is traced here, because the program asked; false where it has asked, and
#: it is not known which answer is that for tracers
EAGER: Final = "<eager>"
#: another: what is traced ran once before, outside of every trace
REHEARSED: Final = "<rehearsed>"
#: another: something is computed here for the first time, and kept for all later calls
FILLING: Final = "<filling>"


class State:
    """The heap at one point of the program, and what is assumed of static conditions there.

    ``base`` holds what module-level code made; it is read where this state has no version of an
    object of its own.
    """

    __slots__ = ("_owned", "assumed", "base", "heap")

    def __init__(
        self,
        heap: dict[int, Any] | None = None,
        assumed: dict[str, bool] | None = None,
        base: State | None = None,
    ) -> None:
        self.heap: dict[int, Any] = {} if heap is None else heap
        self.assumed: dict[str, bool] = {} if assumed is None else assumed
        self.base = base
        self._owned: set[int] = set()

    def copy(self) -> State:
        """A state that shares all contents until either side writes.

        A copy of the module's own state stands on top of it, since objects are added to that one
        while the copy lives.
        """
        if self.base is None:
            return self.child()
        self._owned = set()
        return State(dict(self.heap), dict(self.assumed), self.base)

    def child(self) -> State:
        """An empty state on top of this one."""
        return State({}, {}, self)

    def absorb(self, other: State) -> None:
        """Take over what a copy of this state holds."""
        self.heap.update(other.heap)
        self._owned = set()

    def get(self, number: int) -> Any:
        """The contents of an object, None if it is not known."""
        found = self.heap.get(number)
        if found is None and self.base is not None:
            return self.base.heap.get(number)
        return found

    def put(self, number: int, contents: HeapObject) -> None:
        """Make or replace an object."""
        self.heap[number] = contents
        self._owned.add(number)

    def share(self, number: int, contents: HeapObject) -> None:
        """Make or replace an object by contents that something else holds as well."""
        self.heap[number] = contents
        self._owned.discard(number)

    def edit(self, number: int) -> Any:
        """The contents of an object, private to this state; None if it is not known."""
        if number in self._owned:
            return self.heap[number]
        contents = self.get(number)
        if contents is not None:
            contents = self.heap[number] = contents.copy()
            self._owned.add(number)
        return contents
