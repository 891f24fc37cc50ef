"""One run of code: the frames and traces that are open, and what is remembered of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import libcst as cst

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Block, Frame, Trace
from jitlint.absint.machine.memory import Memory
from jitlint.absint.machine.reads import Reads
from jitlint.absint.machine.signals import Cell
from jitlint.absint.values.buffers import NO_BUFFERS, Buffers
from jitlint.absint.values.domain import Function, Origin, Ref, Transformed, Value
from jitlint.absint.values.heap import EAGER, FILLING, State
from jitlint.absint.values.lattice import join, join_states
from jitlint.absint.values.told import Circumstances
from jitlint.jaxmodel.transforms import Transform
from jitlint.project.reading import into

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.units import Unit


def _identity(function: Value) -> Any:
    return ("code", id(function.code)) if isinstance(function, Function) else function


class Execution(Memory):
    """What runs, for how long yet, and what later steps of the same run need of earlier ones.

    Args:
      knowledge: what :class:`~jitlint.absint.machine.knowledge.Knowledge` takes.
    """

    def __init__(self, *knowledge: Any) -> None:
        super().__init__(*knowledge)
        #: takes down what is read
        self.reads = Reads()
        self.steps = 0
        self.other_steps = 0  # of earlier starting points, and those that none is charged for
        self._most_steps = self.limits.steps_per_root
        #: whether those steps are granted to something within what the starting point runs
        self._has_own_steps = False
        #: whether they are used up, so that what runs only finishes what is open
        self.finishing = False
        #: whether what is traced runs then: it is only compiled for ``jitted.lower(x)``
        self.running = True
        self._known_before: tuple[dict[Any, Any], dict[Any, Any]] = ({}, {})
        #: the code of a module that is the starting point, 0 if a function is
        self.starting_unit = 0
        self.stack: list[Code] = []
        #: how many of them are those of the thread that started the one that runs
        self.other_threads = 0
        #: the call that starts a thread of its own for what it runs, while it does
        self.starting: cst.CSTNode | None = None
        self._traces = 0
        #: what the running trace, and the calls that it made, read of what is older than it;
        #: None for what they change
        self.captured: dict[Cell, Any] = {}
        #: whether the next call is the one that a transform makes
        self.entering = False
        #: objects whose blocks are running: ``with manager:``
        self.managers: list[Ref] = []
        #: the call that a `with` enters, where what it manages is run within what it calls
        self.deferring: cst.CSTNode | None = None
        #: that call, once it has been got to: what it calls, and with what
        self.deferred: tuple[Value, Arguments] | None = None
        #: the block that the next run of its generator manages
        self.block: Block | None = None
        #: how many operations JAX has been given in traces, at least, whatever tests decide
        self.operations = 0
        #: how many functions under ``lru_cache`` are running
        self.in_cached = 0
        #: the functions that run and keep what they return, the innermost last
        self.keeping: list[Code] = []
        #: while a property's setter runs: the frame of the assignment that runs it, and its target
        self.setting: tuple[Frame, cst.CSTNode] | None = None
        self.unit_running: set[int] = set()
        #: how many of those who watch are at it: see :meth:`.Interpreter.signal`
        self.observing = 0
        self.resolving: set[Any] = set()
        #: whether what runs only words an exception that is about to be raised
        self.wording = False
        #: whether the project's own source of an entry point that the tables know is run
        self.in_source = False
        #: how often something was asked for that was being computed just then
        self.unfinished = 0
        #: functions that were parsed, or would have been, had nobody else done so before
        self.loaded: set[int] = set()
        #: memoised calls, and in how many contexts each function was interpreted: by whether
        #: something was traced, and whether a variant ran
        self.summaries: dict[Any, Any] = {}
        self.contexts: dict[Any, int] = {}
        #: whether functions hand out functions, by their unit
        self.makers: dict[int, bool] = {}
        #: values of module-level names that are settled
        self.globals: dict[Any, Value] = {}
        #: values of module-level units, by unit; missing while being computed
        self.unit_values: dict[int, dict[str, Value]] = {}
        #: what was found out of classes, parameters and their defaults
        self.facts: dict[Any, Any] = {}
        #: what code has registered: rules, implementations, what a wrapper wraps
        self.registered: dict[Any, Any] = {}
        #: transformed functions that were made, with the state in which they were
        self.transformed: dict[Transformed, State] = {}
        #: those that were made by the code that this interpreter goes on from
        self.inherited: Mapping[Transformed, State] = {}
        #: what tests had shown there
        self.made_under: dict[Transformed, Circumstances] = {}
        #: functions that host code defined inside others, by their code
        self.nested: dict[int, Function] = {}
        #: by what identifies a function, the frame and the loops in it that made it
        self.lifetimes: dict[Any, tuple[int, frozenset[int]]] = {}

    def begin_run(self, reads: Reads) -> None:
        """Go on from what code of modules made and found out; nothing has run since.

        Args:
          reads: takes down what is read from now on.
        """
        # Code of modules may have used up its steps: what is copied is what was known before.
        self._end_finishing()
        self.begin_memory()
        self.reads = reads
        self.inherited, self.transformed = {**self.inherited, **self.transformed}, {}
        self.made_under = dict(self.made_under)
        self.unit_values = dict(self.unit_values)
        # More may be known here than where the code of modules found something out.
        self.facts = {key: known for key, known in self.facts.items() if key[0] == "unit"}
        self.registered = {
            key: known
            for key, known in self.registered.items()
            if key[0] != "filled" and key[-1] != "gathered"
        }
        self.lifetimes = dict(self.lifetimes)
        self.nested = {}
        self.summaries, self.contexts, self.globals, self.loaded = {}, {}, {}, set()
        self.makers, self.captured = {}, {}
        self.stack, self.managers, self.unit_running, self.resolving = [], [], set(), set()
        self.deferring = self.deferred = self.block = self.starting = None
        self.other_threads = 0
        self.begin_steps()
        self.other_steps = 0

    def begin_steps(self, most: int | None = None) -> None:
        """Give a starting point the steps that it may take.

        Args:
          most: how many; as many as any if None.
        """
        self.other_steps += self.steps
        self.steps = 0
        whole = self.limits.steps_per_root
        self._most_steps = whole if most is None else min(most, whole)
        self._has_own_steps = False
        self._end_finishing()
        self.starting_unit = 0

    @contextmanager
    def steps_apart(self, most: int) -> Iterator[None]:
        """Run something in a number of steps that the starting point is not charged for.

        Raises:
          OutOfBudget: not even what was open could be finished.
        """
        if self.finishing:
            yield
            return
        before = spent, limit, _ = self.steps, self._most_steps, self._has_own_steps
        self._most_steps = min(limit, spent + most)
        self._has_own_steps = spent + most <= limit
        try:
            yield
        finally:
            self._end_finishing()
            self.other_steps += self.steps - spent
            self.steps, self._most_steps, self._has_own_steps = before

    @contextmanager
    def wording_only(self, wording: bool = True) -> Iterator[None]:
        """Run what an exception says: texts that objects give of themselves decide nothing there.

        Args:
          wording: False for code that others see as well, whoever is the first to need it.
        """
        before, self.wording = self.wording, wording
        try:
            yield
        finally:
            self.wording = before

    def _end_finishing(self) -> None:
        if self.finishing:
            # What was found out while calls were not followed is not all there is to know.
            values, (self.unit_values, self.facts) = self.unit_values, self._known_before
            # With all the steps that there are for it: a second run would end no better.
            if self.starting_unit in values:
                self.unit_values[self.starting_unit] = values[self.starting_unit]
        self.finishing = False

    @contextmanager
    def own_steps(self) -> Iterator[None]:
        """Run something on a budget of its own; not where calls are no longer followed."""
        before = self.steps, self._most_steps, self._has_own_steps
        self.begin_steps()
        self._has_own_steps = True
        try:
            yield
        finally:
            self.begin_steps()
            self.steps, self._most_steps, self._has_own_steps = before

    def begin_to_finish(self) -> None:
        """Begin nothing more, and give what is open the steps to come to its end."""
        self.finishing = True
        if not self._has_own_steps:
            self.reads.used_up()
        self._most_steps += self.limits.last_steps
        # Of calls and names, nothing is remembered from here on.
        self._known_before = dict(self.unit_values), dict(self.facts)

    def settle(self) -> None:
        """Forget what only makes a run go on faster: the next starting point begins anew.

        What has been made stays, in the states that functions were made in.
        """
        self.forget_numbers()
        self.state = self.module_state
        self.summaries, self.contexts, self.captured, self.lifetimes = {}, {}, {}, {}
        live = set(self.module_state.heap)
        for state in self.transformed.values():
            live.update(state.heap)
        self.made_in = {number: made for number, made in self.made_in.items() if number in live}
        self.made_at = {number: made for number, made in self.made_at.items() if number in live}

    def forget_run(self) -> None:
        """Forget all but the record: nothing more will be run."""
        self.forget_memory()
        self.inherited, self.transformed, self.made_under, self.nested = {}, {}, {}, {}
        self.summaries, self.contexts, self.globals, self.loaded = {}, {}, {}, set()
        self.facts, self.registered, self.unit_values = {}, {}, {}
        self.lifetimes, self.makers = {}, {}

    # -- code ---------------------------------------------------------------------------------

    def has_loaded(self, code: Code) -> bool:
        """Whether a function was parsed for what is being interpreted."""
        return id(code) in self.loaded or (
            code.node is not None and code.qualname != code.unit.qualname
        )

    def modules_with(self, word: str) -> Sequence[ModuleIndex]:
        """The indexed modules that hold an identifier, of those that may be there as well."""
        key = word, self.reads.world
        found = self._with_word.get(key)
        if found is None:
            has = self.project.graph.has
            with into(None):
                # The list is what is read; whoever makes it first reads no more than others.
                every = self._with_word.get((word, -1))
                if every is None:
                    every = [module for module in self.modules if module.has_word(word)]
                    self._with_word[word, -1] = every
            found = [module for module in every if has(self.reads.world, module.path)]
            self._with_word[key] = found
        self.reads.searched(word, found)
        return found

    @property
    def in_module_code(self) -> bool:
        """Whether a module-level statement is being executed."""
        return bool(self.unit_running)

    # -- frames and traces --------------------------------------------------------------------

    def active_frames(self) -> Iterator[Frame]:
        """The frames that are active, the innermost first."""
        frame: Frame | None = self.frame
        while frame is not None:
            yield frame
            frame = frame.parent

    def traces(self) -> Iterator[Trace]:
        """The traces that run, the innermost first."""
        trace = self.trace
        while trace is not None:
            yield trace
            trace = trace.outer

    def running_unit(self, module: ModuleIndex) -> Unit | None:
        """The statement of a module that runs, with all that it calls; None if none of its does."""
        frame = self.frame.outermost
        return frame.parsed.unit if frame.code is None and frame.module is module else None

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
    def running_setter(self, target: cst.CSTNode) -> Iterator[None]:
        """Run the setter that an assignment to a target of the current code calls."""
        before = self.setting
        if before is None:
            self.setting = self.frame, target
        try:
            yield
        finally:
            self.setting = before

    def returns(self, value: Value) -> None:
        """Record a return of the current function and the state it leaves behind."""
        frame = self.frame
        frame.returned = value if frame.returned is None else join(frame.returned, value)
        frame.return_state = join_states(frame.return_state, self.state)

    @contextmanager
    def tracing(
        self,
        row: Transform,
        node: cst.CSTNode,
        *,
        fresh: bool = False,
        loops: bool = False,
        donated: bool = False,
    ) -> Iterator[Trace]:
        """Run something as one trace of a transform, begun by a node of the current code."""
        self._traces += 1
        outer = self.trace
        cached = row.cached or (outer is not None and outer.cached)
        # Python runs under a transform without a cache whenever the code around it does.
        fresh = fresh or (not row.cached and outer is not None and outer.fresh)
        donated = donated or (outer is not None and outer.donated)
        env = self.frame.env
        self.trace = trace = Trace(
            row.name, self._traces, cached, row.staging, fresh, env, node, outer, loops, donated
        )
        # What runs outside of a trace may begin one.
        held = self.state.assumed
        before: dict[str, bool] = {
            key: held[key] for key in (EAGER, FILLING) if row.abstract and key in held
        }
        for key in before:
            del held[key]
        try:
            yield trace
        finally:
            self.trace = outer
            self.state.assumed.update(before)

    @property
    def trace_number(self) -> int:
        """The number of the innermost trace, 0 outside of all."""
        return 0 if self.trace is None else self.trace.number

    def watched(self, buffers: Buffers) -> Buffers:
        """The buffers of an argument as a tracer has them: those that its trace may write to."""
        return buffers if self.trace is not None and self.trace.donated else NO_BUFFERS

    def staging_trace(self, least: int) -> int:
        """The trace that a JAX operation belongs to, if its operands belong to ``least``."""
        found = (trace.number for trace in self.traces() if trace.staging)
        return max(least, next(found, least))

    def captures(self, found: Mapping[Cell, Any]) -> None:
        """Add what a call has read; what it has changed itself stands as None."""
        for cell, read in found.items():
            if read is None:
                self.captured[cell] = None
            else:
                self.captured.setdefault(cell, read)

    # -- functions that were made -------------------------------------------------------------

    def expect(self, made: Transformed) -> None:
        """Remember a transformed function that was made, with the state in which it first was."""
        known = made in self.transformed or made in self.inherited
        # What is made where jit is switched off is called there.
        if not known and not self.frame.context.disabled:
            self.transformed[made] = self.state.copy()

    def state_of(self, made: Transformed) -> State:
        """A copy of the state in which a transformed function was made."""
        state = self.transformed.get(made)
        if state is None:
            state = self.inherited[made]
            state = State(state.heap, state.assumed, self.module_state)
        return state.copy()

    def made_here(self, made: Value) -> None:
        """A function object was made by the current activation, here and now."""
        self.lifetimes[_identity(made)] = (self.frame.env, self.running_loops())

    def running_loops(self) -> frozenset[int]:
        """The loops that run, in whichever function, by their identity."""
        loops = (loop for frame in self.active_frames() for loop in frame.enclosing_loops)
        return frozenset(map(id, loops))

    def lifetime(self, function: Value) -> tuple[int, frozenset[int]]:
        """The frame that made a function, 0 if none did, and the loops that ran then."""
        return self.lifetimes.get(_identity(function), (0, frozenset()))

    def is_fresh(self, function: Value) -> bool:
        """Whether a function was made by the current activation, or by one that it called."""
        env = self.frame.env
        return self.lifetime(function)[0] == env or (
            isinstance(function, Function) and env in function.closure
        )

    # -- places -------------------------------------------------------------------------------

    def place(self, node: cst.CSTNode) -> Place:
        """The handle of a node of the code that is being interpreted."""
        return Place(self.frame.parsed, node)

    def text(self, node: cst.CSTNode) -> str:
        """The user's text of a node on one line, shortened in the middle when long."""
        return self.place(node).text()

    def origin(self, node: cst.CSTNode, note: str, previous: Origin | None = None) -> Origin:
        """An origin at a node of the current code."""
        return Origin(self.place(node), note, previous)
