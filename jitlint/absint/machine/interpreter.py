"""The interpreter's machine: the current state, the verbs, what it records.

What each verb does is registered by the rooms above (:mod:`jitlint.absint.machine.verbs`).  This
module knows no Python and no JAX.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import libcst as cst

from jitlint.absint.code.functions import Code, CodeStore, Place
from jitlint.absint.code.syntax import UnsupportedSyntaxError
from jitlint.absint.machine.entries import Entry
from jitlint.absint.machine.events import Assertion, Effect, Event, Loop, SwallowedError, event_key
from jitlint.absint.machine.frames import (
    Frame,
    OutOfBudget,
    Terminated,
    Trace,
    TryFrame,
)
from jitlint.absint.machine.limits import Limits
from jitlint.absint.machine.reads import Reads
from jitlint.absint.machine.signals import OBSERVERS, SLOTS, Change, Signal
from jitlint.absint.machine.verbs import EXPRESSIONS, Verbs
from jitlint.absint.values.domain import (
    Array,
    Certainty,
    Function,
    Origin,
    Ref,
    Transformed,
    Tree,
    Value,
)
from jitlint.absint.values.heap import HeapObject, ListObject, SetObject, Slot, State, Variables
from jitlint.absint.values.lattice import join, join_states
from jitlint.jaxmodel.transforms import Transform, transform

if TYPE_CHECKING:
    from pathlib import Path

    from jitlint.project.index import ModuleIndex
    from jitlint.project.project import Project


def _inside(event: type[Event], details: Mapping[str, Any]) -> str:
    """What a swallowed error comes from, in a word."""
    said = {Loop: "while", Assertion: "assert"}.get(event)
    for detail in ("construct", "callee", "operator", "builtin"):
        said = said or details.get(detail)
    return str(said)


def _identity(function: Value) -> Any:
    return ("code", id(function.code)) if isinstance(function, Function) else function


_Notes = TypeVar("_Notes")
_Slot = TypeVar("_Slot", bound=Slot)


class Interpreter(Verbs):
    """Runs code of a project on abstract values.

    Args:
      project: gives modules by name.
      limits: the budgets.
      inline: whether host code may be followed into a function of the project.
      rows: transforms that the project declares in its configuration.
    """

    def __init__(
        self,
        project: Project,
        limits: Limits,
        inline: Callable[[Code], bool] | None = None,
        rows: Mapping[str, Transform] | None = None,
    ) -> None:
        self.project = project
        self.limits = limits
        #: the indexed modules, where registries are filled
        self.modules: Sequence[ModuleIndex] = ()
        #: takes down what is read
        self.reads = Reads()
        #: functions that were parsed, or would have been, had nobody else done so before
        self.loaded: set[int] = set()
        #: the project's own transforms, by qualified name
        self.rows = rows or {}
        self.store = CodeStore(project.memory.trees)
        self.may_inline = inline or (lambda code: True)
        self.state = State()
        self.module_state = self.state
        self.frame: Frame = None  # type: ignore[assignment]
        self.events: dict[tuple[Any, ...], Event] = {}
        self.entries: dict[tuple[Any, ...], Entry] = {}
        #: transformed functions that were made, with the state in which they were
        self.pending: dict[Transformed, State] = {}
        #: those that were made by the code that this interpreter goes on from
        self.inherited: Mapping[Transformed, State] = {}
        #: what was known there of the flags of objects
        self.made_under: dict[Transformed, dict[str, bool]] = {}
        #: functions that host code defined inside others, by their code
        self.nested: dict[int, Function] = {}
        #: transformed functions that were called, each as one of those that its place makes of it
        self.called: dict[tuple[int, int], Transformed] = {}
        #: what libcst refuses: by file and row, what it says
        self.unsupported: dict[tuple[Path, int], str] = {}
        self.steps = 0
        self._most_steps = limits.steps_per_root
        self.exhausted = False
        #: whether an event was emitted since this was last reset; asked by conditions
        self.asked = False
        #: whether the next call is the one that a transform makes
        self.entering = False
        self._doubts = 0
        self.stack: list[Code] = []
        #: memoised calls, and in how many contexts each function was interpreted
        self.summaries: dict[Any, Any] = {}
        self.contexts: dict[tuple[int, bool], int] = {}
        #: values of module-level units, by unit; missing while being computed
        self.unit_values: dict[int, dict[str, Value]] = {}
        self.unit_running: set[int] = set()
        self.resolving: set[Any] = set()
        #: values of module-level names that are settled
        self.globals: dict[Any, Value] = {}
        #: what was found out of nodes by themselves; it holds for every fork
        self.syntax: dict[Any, Any] = {}
        #: what was found out of classes, parameters and their defaults
        self.facts: dict[Any, Any] = {}
        #: what code has registered: rules, implementations, what a wrapper wraps
        self.registered: dict[Any, Any] = {}
        #: the innermost trace, and in which one each object was made (none: before all of them)
        self.trace: Trace | None = None
        self.made_in: dict[int, int] = {}
        #: how many objects were made, and what that number was when each was made last
        self.clock = 0
        self.made_at: dict[int, int] = {}
        self._traces = 0
        #: parameters whose default is a mutable object, by that object
        self.defaults: dict[int, str] = {}
        #: the objects of modules that the running call, or one that it made, has looked at
        self.consulted: set[int] = set()
        #: how often an object was changed, ...
        self.stores = 0
        #: ... and one that is older than the trace that runs
        self.reached_out = 0
        #: how much higher such objects stand that are used as stacks, by their number
        self.open: dict[int, int] = {}
        #: how many functions under ``lru_cache`` are running
        self.in_cached = 0
        #: by what identifies a function, the frame and the loops in it that made it
        self.lifetimes: dict[Any, tuple[int, frozenset[int]]] = {}
        #: what detectors noted, each in a record of its own class
        self._observations: dict[type, Any] = {}
        self._ids: dict[tuple[Any, ...], int] = {}
        self._kept: list[Any] = []
        #: the number of the slot of each class
        self._slots: dict[type[Slot], int] = {}
        for slot in SLOTS:
            self._slots[slot] = self.new_id("slot", slot)
            self.state.put(self._slots[slot], slot())

    def fork(self, reads: Reads) -> Interpreter:
        """An interpreter that goes on from what modules made, and leaves this one as it is.

        What both parse is parsed once, and a function is the same function to both.

        Args:
          reads: takes down what it reads.
        """
        other = copy.copy(self)
        other.reads = reads
        other.state = other.module_state = State(dict(self.module_state.heap))
        # What was made and found out so far is so for every fork ...
        other.inherited = self.pending
        other.made_under = dict(self.made_under)
        other.unit_values = dict(self.unit_values)
        other.facts, other.registered = dict(self.facts), dict(self.registered)
        other.made_in, other.made_at = dict(self.made_in), dict(self.made_at)
        other.defaults = dict(self.defaults)
        other.lifetimes = dict(self.lifetimes)
        other._observations = {kind: noted.fork() for kind, noted in self._observations.items()}
        # ... and what is seen from now on belongs to one of them.
        other.events, other.entries, other.unsupported = {}, {}, {}
        other.pending, other.called, other.nested = {}, {}, {}
        other.summaries, other.contexts, other.globals, other.loaded = {}, {}, {}, set()
        other.stack, other.unit_running, other.resolving = [], set(), set()
        other.open = {}
        other.consulted = set()
        other.exhausted = False
        return other

    def release(self) -> None:
        """Forget all but what was seen: nothing more will be run."""
        self.state = self.module_state = State()
        self.inherited, self.pending, self.made_under, self.nested = {}, {}, {}, {}
        self.summaries, self.contexts, self.globals, self.loaded = {}, {}, {}, set()
        self.facts, self.registered, self.unit_values = {}, {}, {}
        self.made_in, self.made_at, self.defaults = {}, {}, {}
        self.lifetimes = {}

    # -- evaluation ---------------------------------------------------------------------------

    def ev(self, node: cst.CSTNode) -> Value:
        """The value of an expression in the current state."""
        self.steps += 1
        if self.steps > self._most_steps:
            self.exhausted = True
            raise OutOfBudget
        value: Value = EXPRESSIONS[type(node)](self, node)
        return value

    # -- code ---------------------------------------------------------------------------------

    def load(self, code: Code) -> Code | None:
        """Parse a function of the index on first use; None if libcst refuses it."""
        self.loaded.add(id(code))
        try:
            return self.store.load(code)
        except UnsupportedSyntaxError as error:
            self.refused(error)
            return None

    def refused(self, error: UnsupportedSyntaxError) -> None:
        """Remember what could not be parsed."""
        self.unsupported.setdefault((error.unit.module.path, error.row), str(error))

    def has_loaded(self, code: Code) -> bool:
        """Whether a function was parsed for what is being interpreted."""
        return id(code) in self.loaded or (
            code.node is not None and code.qualname != code.unit.qualname
        )

    def modules_with(self, word: str) -> Sequence[ModuleIndex]:
        """The indexed modules that hold an identifier."""
        found = [module for module in self.modules if word in module.words]
        self.reads.asked(word, found)
        return found

    def row(self, name: str) -> Transform | None:
        """What a qualified name transforms, None if nothing."""
        return self.rows.get(name) or transform(name)

    # -- heap ---------------------------------------------------------------------------------

    def new_id(self, *key: Any) -> int:
        """A heap name that is the same for the same site in the same call."""
        found = self._ids.get(key)
        if found is None:
            found = self._ids[key] = len(self._ids) + 1
            self.keep(key)
        trace = self.trace
        self.made_in[found] = 0 if trace is None else trace.number
        self.clock += 1
        self.made_at[found] = self.clock
        return found

    def expect(self, made: Transformed) -> None:
        """Remember a transformed function that was made, with the state in which it first was."""
        if made not in self.pending and made not in self.inherited:
            self.pending[made] = self.state.copy()

    def state_of(self, made: Transformed) -> State:
        """A copy of the state in which a transformed function was made."""
        state = self.pending.get(made)
        if state is None:
            state = self.inherited[made]
            state = State(state.heap, state.assumed, self.module_state)
        return state.copy()

    def keep(self, item: Any) -> None:
        """Hold on to what is known by its ``id``, so that no other object gets the same one."""
        self._kept.append(item)

    def allocate(self, site: Any, contents: HeapObject, role: str = "") -> Ref:
        """Make an object for a site of the current frame."""
        id_ = self.new_id(id(site), role, self.frame.env)
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

    @contextmanager
    def at_module_level(self) -> Iterator[None]:
        """Run something on the objects of module-level code, then return to the current state."""
        before = self.state
        nested = before is self.module_state
        self.state = self.module_state
        trace, self.trace = self.trace, None
        try:
            yield
        finally:
            self.trace = trace
            if self.state is not self.module_state:
                # Loops and branches work on copies; other states know the module's by identity.
                self.module_state.absorb(self.state)
            self.state = self.module_state if nested else before

    @property
    def in_module_code(self) -> bool:
        """Whether a module-level statement is being executed."""
        return bool(self.unit_running)

    @contextmanager
    def tracing(self, row: Transform, node: cst.CSTNode, *, anew: bool = False) -> Iterator[Trace]:
        """Run something as one trace of a transform, begun by a node of the current code."""
        self._traces += 1
        outer = self.trace
        cached = row.cached or (outer is not None and outer.cached)
        # Python runs under a transform without a cache whenever the code around it does.
        anew = anew or (not row.cached and outer is not None and outer.anew)
        env = self.frame.env
        self.trace = trace = Trace(self._traces, cached, row.staging, anew, env, node, outer)
        try:
            yield trace
        finally:
            self.trace = outer

    @property
    def trace_number(self) -> int:
        """The number of the innermost trace, 0 outside of all."""
        return 0 if self.trace is None else self.trace.number

    def staging_trace(self, least: int) -> int:
        """The trace that a JAX operation belongs to, if its operands belong to ``least``."""
        trace = self.trace
        while trace is not None and trace.number > least:
            if trace.staging:
                return trace.number
            trace = trace.outer
        return least

    def signal(self, signal: Signal) -> bool:
        """Tell all who watch that something happens here.

        Returns:
          Whether one of them found that a tracer stays behind: who reads it there later need not be
          told again.
        """
        if isinstance(signal, Change):
            self.stores += 1
        found = False
        for observer in OBSERVERS.get(type(signal), ()):
            found = bool(observer(self, signal)) or found
        return found

    def observations(self, kind: type[_Notes]) -> _Notes:
        """What a detector has noted in this run: an object of a class of its own."""
        found: _Notes | None = self._observations.get(kind)
        if found is None:
            found = self._observations[kind] = kind()
        return found

    def slot(self, kind: type[_Slot]) -> _Slot:
        """What a detector knows at this point of the program."""
        found: _Slot = self.contents(self._slots[kind])
        return found

    def edit_slot(self, kind: type[_Slot]) -> _Slot:
        """The same, to be changed from here on."""
        found: _Slot = self.edit(self._slots[kind])
        return found

    # -- lifetimes of functions ---------------------------------------------------------------

    def made_here(self, made: Value) -> None:
        """A function object was made by the current activation, here and now."""
        frame = self.frame
        self.lifetimes[_identity(made)] = (frame.env, frozenset(map(id, frame.turns)))

    def lifetime(self, function: Value) -> tuple[int, frozenset[int]]:
        """The frame that made a function, 0 if none did, and the loops that ran there."""
        return self.lifetimes.get(_identity(function), (0, frozenset()))

    def is_fresh(self, function: Value) -> bool:
        """Whether a function was made by the current activation, or by one that it called."""
        env = self.frame.env
        return self.lifetime(function)[0] == env or (
            isinstance(function, Function) and env in function.closure
        )

    # -- places and records -------------------------------------------------------------------

    def place(self, node: cst.CSTNode) -> Place:
        """The handle of a node of the code that is being interpreted."""
        return Place(self.frame.parsed, node)

    def text(self, node: cst.CSTNode) -> str:
        """The user's text of a node on one line, shortened in the middle when long."""
        text = " ".join(self.frame.parsed.source(node).split())
        return text if len(text) <= 60 else f"{text[:36]} ... {text[-18:]}"

    def origin(self, node: cst.CSTNode, note: str, previous: Origin | None = None) -> Origin:
        """An origin at a node of the current code."""
        return Origin(self.place(node), note, previous)

    def emit(
        self,
        event: type[Event],
        node: cst.CSTNode,
        value: Value | None,
        *,
        operand: cst.CSTNode | str | None = None,
        exceptions: tuple[str, ...] = (),
        **details: Any,
    ) -> None:
        """Record what happened at a node of the current code.

        ``value`` is the traced value at fault: it says how sure the event is and where it came
        from.  Values that are only guessed to be traced give no event.
        """
        self.asked = True
        certainty = Certainty.SURE
        origin: Origin | None = None
        if isinstance(value, (Array, Tree)):
            certainty = value.certainty
            origin = value.origin
        if certainty is Certainty.GUESS or self._doubts:
            return
        frame = self.frame
        guard = self._guard(exceptions, frame)
        if guard is not None:
            if not guard.deliberate:
                self._record(
                    SwallowedError,
                    guard.place,
                    certainty,
                    frame,
                    origin,
                    operand=self._operand(operand, node),
                    exceptions=exceptions,
                    handler=guard.handler,
                    inside=_inside(event, details),
                )
            if certainty is Certainty.SURE:
                # It certainly raises: only the handler goes on.
                raise Terminated
            return
        self._record(
            event,
            self.place(node),
            certainty,
            frame,
            origin,
            operand=self._operand(operand, node),
            exceptions=exceptions,
            **details,
        )

    def note(
        self,
        event: type[Event],
        node: cst.CSTNode,
        *,
        operand: cst.CSTNode | str | None = None,
        value: Array | Tree | None = None,
        certain: bool = True,
        origin: Origin | None = None,
        exceptions: tuple[str, ...] = (),
        **details: Any,
    ) -> None:
        """Record what happened at a node of the current code.

        ``value`` is the traced value that takes part, if one does.  Unlike ``emit`` this needs
        none; an enclosing ``try`` that would catch what is raised keeps it silent.
        """
        if self._doubts:
            return
        certainty = Certainty.SURE if value is None or not certain else value.certainty
        if certainty is Certainty.GUESS or self._guard(exceptions, self.frame) is not None:
            return
        if value is not None:
            origin = value.origin
        self._record(
            event,
            self.place(node),
            certainty if certain else Certainty.DEFAULTED,
            self.frame,
            origin,
            operand=self._operand(operand, node),
            exceptions=exceptions,
            **details,
        )

    def withdraw(self, key: tuple[int, str]) -> None:
        """Take an event back: what it tells of does not last after all."""
        self.events.pop(key, None)

    def _operand(self, operand: cst.CSTNode | str | None, node: cst.CSTNode) -> str:
        return operand if isinstance(operand, str) else self.text(operand or node)

    def _record(
        self,
        event: type[Event],
        place: Place,
        certainty: Certainty,
        frame: Frame,
        origin: Origin | None,
        **details: Any,
    ) -> None:
        key = event_key(place.node, event)
        known = self.events.get(key)
        if known is not None:
            graver = issubclass(event, Effect) and details["traced"] and not known.traced  # type: ignore[attr-defined]
            if not graver and (known.certain or certainty is not Certainty.SURE):
                return
        self.events[key] = event(
            place=place,
            function=frame.qualname,
            chain=(frame.chain, origin),
            certain=certainty is Certainty.SURE,
            in_test=frame.in_test,
            **details,
        )

    def _guard(self, exceptions: tuple[str, ...], frame: Frame) -> TryFrame | None:
        names = {name.rpartition(".")[2] for name in exceptions}
        walk: Frame | None = frame
        while walk is not None:
            for guard in reversed(walk.tries):
                if guard.swallows & names:
                    return guard
            walk = walk.parent
        return None

    @contextmanager
    def doubting(self) -> Iterator[None]:
        """Evaluate one alternative of several: what would be reported of it is not sure."""
        self._doubts += 1
        try:
            yield
        finally:
            self._doubts -= 1

    @property
    def in_doubt(self) -> bool:
        """Whether what would be reported is not sure, so that nothing is."""
        return self._doubts > 0

    # -- frames -------------------------------------------------------------------------------

    @contextmanager
    def entered(self, frame: Frame) -> Iterator[Frame]:
        """Make a frame the current one."""
        before = self.frame
        self.frame = frame
        try:
            yield frame
        finally:
            self.frame = before

    @contextmanager
    def branch(self, state: State) -> Iterator[None]:
        """Run something from another state, without touching the current one."""
        before = self.state
        self.state = state
        try:
            yield
        finally:
            self.state = before

    def run_from(self, state: State, statements: Sequence[cst.CSTNode]) -> State | None:
        """The state after statements that start in ``state``, None when no path leaves them."""
        before = self.state
        self.state = state
        try:
            self.run(statements)
            return self.state
        except Terminated:
            return None
        finally:
            self.state = before

    def returns(self, value: Value) -> None:
        """Record a return of the current function and the state it leaves behind."""
        frame = self.frame
        frame.returned = value if frame.returned is None else join(frame.returned, value)
        frame.return_state = join_states(frame.return_state, self.state)
