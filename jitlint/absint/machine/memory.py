"""The objects of the program that runs: made, looked at and changed in the current state."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from jitlint.absint.machine.frames import Frame, Trace
from jitlint.absint.machine.in_force import Reached
from jitlint.absint.machine.knowledge import Knowledge
from jitlint.absint.machine.signals import SLOTS
from jitlint.absint.values.domain import Ref
from jitlint.absint.values.heap import HeapObject, ListObject, SetObject, Slot, State, Variables

_Slot = TypeVar("_Slot", bound=Slot)


class Memory(Knowledge):
    """The current state, what is in it, and when and in which trace each object was made.

    Args:
      knowledge: what :class:`~jitlint.absint.machine.knowledge.Knowledge` takes.
    """

    def __init__(self, *knowledge: Any) -> None:
        super().__init__(*knowledge)
        self.state = State()
        #: the state that code of modules runs in, and that all other code starts from
        self.module_state = self.state
        #: the frame and the innermost trace that run
        self.frame: Frame = None  # type: ignore[assignment]
        self.trace: Trace | None = None
        #: the values other than defaults under which code runs, in words of the program
        self.under: tuple[str, ...] = ()
        #: in which trace each object was made (none: before all of them)
        self.made_in: dict[int, int] = {}
        #: how many objects were made, and what that number was when each was made last
        self.clock = 0
        self.made_at: dict[int, int] = {}
        #: parameters whose default is a mutable object, by that object
        self.defaults: dict[int, str] = {}
        #: the objects of modules that the running call, or one that it made, has looked at
        self.consulted: set[int] = set()
        #: the statements above which the bindings of names counted that it has read
        self.in_force: Reached = {}
        #: objects whose class nothing but their use tells
        self.by_use: set[int] = set()
        #: objects that are at hand as one of several classes, in turn
        self.taken: set[int] = set()
        #: how often an object was changed, ...
        self.stores = 0
        #: ... and one that is older than the trace that runs
        self.reached_out = 0
        #: how much higher such objects stand that are used as stacks, by their number
        self.open: dict[int, int] = {}
        #: objects that anybody may ask for at any time, whoever holds them
        self.standing: set[int] = set()
        #: the number of the slot of each class
        self._slots: dict[type[Slot], int] = {}
        for slot in SLOTS:
            self._slots[slot] = self.new_id("slot", slot)
            self.state.put(self._slots[slot], slot())

    def begin_memory(self) -> None:
        """Go on from the objects of modules, with states and ages of one's own."""
        self._numbers = {}
        heap = dict(self.module_state.heap)
        heap.update({number: slot() for slot, number in self._slots.items() if slot.of_run})
        self.state = self.module_state = State(heap)
        self.made_in, self.made_at = dict(self.made_in), dict(self.made_at)
        self.defaults, self.by_use = dict(self.defaults), set(self.by_use)
        self.consulted, self.in_force, self.open = set(), {}, {}

    def agree(self, before: State, ways: Sequence[State]) -> None:
        """Let detectors keep what holds whichever of some paths to the current state was taken."""
        for number in self._slots.values():
            known, joined = before.get(number), self.state.get(number)
            made = joined.agreed(known, [way.get(number) for way in ways])
            if made is not joined:
                self.state.put(number, made)

    def forget_memory(self) -> None:
        """Let go of all objects."""
        self.state = self.module_state = State()
        self.made_in, self.made_at, self.defaults = {}, {}, {}
        self._numbers = {}

    # -- objects ------------------------------------------------------------------------------

    def new_id(self, *key: Any) -> int:
        """A heap name that is the same for the same site in the same call."""
        found = self.number(key)
        trace = self.trace
        self.made_in[found] = 0 if trace is None else trace.number
        self.clock += 1
        self.made_at[found] = self.clock
        return found

    def standing_id(self, *key: Any) -> int:
        """The same for what belongs to no call: anybody may ask for it at any time."""
        found = self.new_id(*key)
        self.standing.add(found)
        return found

    def allocate(self, site: Any, contents: HeapObject, role: str = "") -> Ref:
        """Make an object for a site of the current frame."""
        id_ = self.new_id(id(site), role, self.frame.env, self.frame.turns)
        self.keep(site)
        self.state.put(id_, contents)
        return Ref(id_)

    def is_mutable(self, ref: Ref) -> bool:
        """Whether a container is a list or set, not an iterator or a frozenset that is read so."""
        contents = self.contents(ref)
        return isinstance(contents, (ListObject, SetObject)) and contents.mutable

    def contents(self, ref: Ref | int) -> Any:
        """The contents of a heap object, None if it is not known here."""
        number = ref if type(ref) is int else ref.id  # type: ignore[union-attr]
        if number in self.module_state.heap:
            self.consulted.add(number)
        found = self.state.heap.get(number)
        return self.state.get(number) if found is None else found

    def edit(self, ref: Ref | int) -> Any:
        """The contents of a heap object, to be changed in the current state."""
        return self.state.edit(ref if isinstance(ref, int) else ref.id)

    def variables(self, env: int) -> Variables:
        """The variables of a frame, to be changed in the current state."""
        contents = self.edit(env)
        if contents is None:
            contents = Variables()
            self.state.put(env, contents)
        assert isinstance(contents, Variables)
        return contents

    # -- slots of detectors -------------------------------------------------------------------

    def slot(self, kind: type[_Slot]) -> _Slot:
        """What a detector knows at this point of the program."""
        found: _Slot = self.contents(self._slots[kind])
        return found

    def edit_slot(self, kind: type[_Slot]) -> _Slot:
        """The same, to be changed from here on."""
        found: _Slot = self.edit(self._slots[kind])
        return found

    def told_by_turns(self, state: State) -> list[Slot]:
        """What detectors know in a state that counts for single turns of loops."""
        numbers = (number for kind, number in self._slots.items() if kind.of_turns)
        return [state.get(number).copy() for number in numbers]

    @contextmanager
    def slots_apart(self, own: dict[int, Slot]) -> Iterator[None]:
        """Run code of another module: it starts from what it may know of what went before.

        Args:
          own: what that module's code has left before, by slot; then what it leaves now.
        """
        state = self.module_state
        before: dict[int, Slot] = {number: state.get(number) for number in self._slots.values()}
        for number, known in before.items():
            begun = known.begun(own.get(number))
            if begun is not known:
                state.share(number, begun)
        try:
            yield
        finally:
            for number, known in before.items():
                left: Slot = state.get(number)
                if left is not known:
                    own[number] = left
                    state.share(number, known.resumed(left))

    # -- states -------------------------------------------------------------------------------

    @contextmanager
    def at_module_level(self) -> Iterator[None]:
        """Run something on the objects of module-level code, then return to the current state."""
        before = self.state
        nested = before is self.module_state
        self.state = self.module_state
        trace, self.trace = self.trace, None
        under, self.under = self.under, ()
        try:
            yield
        finally:
            self.trace, self.under = trace, under
            if self.state is not self.module_state:
                # Loops and branches work on copies; other states know the module's by identity.
                self.module_state.absorb(self.state)
            self.state = self.module_state if nested else before

    @contextmanager
    def branch(self, state: State) -> Iterator[None]:
        """Run something from another state, without touching the current one."""
        before = self.state
        self.state = state
        try:
            yield
        finally:
            self.state = before
