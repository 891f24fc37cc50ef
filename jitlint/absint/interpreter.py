"""The interpreter's machine: frames, the current state, dispatch by node class, what it records.

Evaluation of expressions, statements, calls and library functions lives in the sibling modules,
which register their handlers in ``EXPRESSIONS`` and ``STATEMENTS``.  This module knows no Python
semantics.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jitlint.absint import cst
from jitlint.absint.bare_trees import UnsupportedSyntaxError
from jitlint.absint.code import Code, CodeStore, ParsedUnit, Place
from jitlint.absint.compilation import JitUses
from jitlint.absint.events import Assertion, Effect, Event, Loop, SwallowedError, event_key
from jitlint.absint.heap import HeapObject, ListObject, SetObject, State, Variables
from jitlint.absint.lattice import join, join_states
from jitlint.absint.limits import Limits
from jitlint.absint.reads import Reads
from jitlint.absint.values import (
    UNKNOWN,
    Array,
    Certainty,
    Function,
    Origin,
    Ref,
    Transformed,
    Tree,
    Value,
)
from jitlint.jaxmodel.transforms import Transform, transform
from jitlint.records import record

if TYPE_CHECKING:
    from jitlint.project.index import ModuleIndex
    from jitlint.project.project import Project


class Terminated(Exception):  # noqa: N818 - a signal between frames, not an error of jitlint
    """The interpreted program does not go on here: every path raises."""


class OutOfBudget(Exception):  # noqa: N818 - likewise
    """The steps of this root are spent; what is left of it is Unknown."""


@dataclass(frozen=True, slots=True)
class Context:
    """How the code at hand runs.

    Args:
      staging: every JAX operation is traced, even of constants (jit, control flow bodies).
      cached: the Python body does not run again on the next call.
      disabled: ``jax.disable_jit`` is in force, so that jit and control flow run as Python does.
    """

    staging: bool = False
    cached: bool = False
    disabled: bool = False


HOST = Context()


@record()
class Trace:
    """One run of a function under a transform.

    Args:
      number: greater than that of every object made before it began.
      cached: whether the body does not run again on an equal call.
      staging: whether every JAX operation inside makes a tracer of this trace.
      anew: whether its function was made for this one use, so that each use is a trace.
      env: the variables of the function that began it.
      row: where it did so.
      outer: the trace around it.
    """

    number: int
    cached: bool
    staging: bool
    anew: bool
    env: int
    row: int
    outer: Trace | None = None


@record()
class Step:
    """One step of the explanation: where, and what happens there."""

    place: Place
    note: str


@record()
class Chain:
    """Steps from the transform to the current function, newest first."""

    step: Step
    previous: Chain | None = None

    def steps(self) -> list[Step]:
        """Oldest first."""
        found: list[Step] = []
        link: Chain | None = self
        while link is not None:
            found.append(link.step)
            link = link.previous
        return found[::-1]


@dataclass(slots=True, eq=False, repr=False)
class LoopFrame:
    """States that leave a loop body by ``break`` and ``continue``."""

    breaks: State | None = None
    continues: State | None = None


@dataclass(slots=True, eq=False, repr=False)
class TryFrame:
    """An enclosing ``try`` whose handlers may swallow what tracing raises."""

    swallows: frozenset[str]
    deliberate: bool
    place: Place
    handler: str


@dataclass(slots=True, eq=False, repr=False)
class Frame:
    """One activation of a function, or of a module's top level (``code`` is None)."""

    module: ModuleIndex
    parsed: ParsedUnit
    code: Code | None
    qualname: str
    context: Context
    env: int
    closure: tuple[int, ...] = ()
    chain: Chain | None = None
    parent: Frame | None = None
    returned: Value | None = None
    return_state: State | None = None
    yielded: Value | None = None
    loops: list[LoopFrame] = field(default_factory=list)
    #: loops and comprehensions around the current point, outermost first
    turns: list[cst.CSTNode] = field(default_factory=list)
    tries: list[TryFrame] = field(default_factory=list)
    partitions: int = 0
    row_limit: int | None = None
    globals: set[str] = field(default_factory=set)
    outer: set[str] = field(default_factory=set)

    @property
    def in_test(self) -> bool:
        """Whether it is code of a test."""
        return is_test(self.module.path, self.qualname)


@record()
class Entry:
    """A function that a transform traces: what ``jitlint traced`` shows."""

    code: Code
    transform: str
    parameters: tuple[tuple[str, str], ...]
    chain: Chain | None


def merge_kinds(known: Mapping[str, str], kinds: Mapping[str, str]) -> dict[str, str]:
    """What parameters hold in all calls, from what they held in some and in another."""
    merged = dict(known)
    for name, kind in kinds.items():
        if merged.get(name, kind) != kind:
            kind = "traced" if "traced" in (kind, merged[name]) else "unknown"
        merged[name] = kind
    return merged


def merge_entries(found: Iterable[Mapping[tuple[Any, ...], Entry]]) -> list[Entry]:
    """The entries of several runs, each once."""
    merged: dict[tuple[Any, ...], Entry] = {}
    for entries in found:
        for key, entry in entries.items():
            known = merged.get(key)
            if known is not None:
                kinds = merge_kinds(dict(known.parameters), dict(entry.parameters))
                entry = Entry(entry.code, entry.transform, tuple(kinds.items()), entry.chain)
            merged[key] = entry
    return list(merged.values())


@cache
def is_test(path: Path, qualname: str) -> bool:
    """Whether code belongs to a test, by the names that test runners go by."""
    stem = path.stem
    if stem.startswith("test_") or stem.endswith("_test") or stem == "conftest":
        return True
    return any(part.startswith("test_") for part in qualname.split("."))


def row_of(node: cst.CSTNode) -> int:
    """The row of a node in its file, 0 where ``ast`` does not tell it."""
    return getattr(getattr(node, "made_of", None), "lineno", 0)


def _inside(event: type[Event], details: Mapping[str, Any]) -> str:
    """What a swallowed error comes from, in a word."""
    said = {Loop: "while", Assertion: "assert"}.get(event)
    for detail in ("construct", "callee", "operator", "builtin"):
        said = said or details.get(detail)
    return str(said)


Handler = Callable[["Interpreter", Any], Value]
StatementHandler = Callable[["Interpreter", Any], None]

#: handlers by node class; filled by the sibling modules when they are imported
EXPRESSIONS: dict[type, Handler] = {}
STATEMENTS: dict[type, StatementHandler] = {}


class Interpreter:
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
        self.unsupported: dict[Any, UnsupportedSyntaxError] = {}
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
        #: tracers left in attributes of objects by traces that ended: by object and attribute, the
        #: events that tell of it, with the traces that they outlive
        self.left: dict[tuple[int, str], dict[tuple[int, str], tuple[Trace, ...]]] = {}
        #: changes of containers from outside a trace that may be taken back, by container and trace
        self.pushes: dict[tuple[int, int], dict[tuple[int, str], cst.CSTNode]] = {}
        #: those of them that were taken back
        self.balanced: set[tuple[int, str]] = set()
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
        #: where jitted functions are made and called
        self.jits = JitUses()
        self._ids: dict[tuple[Any, ...], int] = {}
        self._kept: list[Any] = []

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
        other.jits = self.jits.fork()
        # ... and what is seen from now on belongs to one of them.
        other.events, other.entries, other.unsupported = {}, {}, {}
        other.pending, other.called, other.nested = {}, {}, {}
        other.summaries, other.contexts, other.globals, other.loaded = {}, {}, {}, set()
        other.stack, other.unit_running, other.resolving = [], set(), set()
        other.left, other.pushes, other.balanced, other.open = {}, {}, set(), {}
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
        self.jits.lifetimes, self.jits.received = {}, {}

    # -- evaluation ---------------------------------------------------------------------------

    def ev(self, node: cst.CSTNode) -> Value:
        """The value of an expression in the current state."""
        self.steps += 1
        if self.steps > self._most_steps:
            self.exhausted = True
            raise OutOfBudget
        handler = EXPRESSIONS.get(type(node))
        return UNKNOWN if handler is None else handler(self, node)

    def run(self, statements: Any) -> None:
        """Execute statements from the current state; ``self.state`` is None-like when dead."""
        from jitlint.absint.statements import run_block

        run_block(self, statements)

    def load(self, code: Code) -> Code:
        """Parse a function of the index on first use.

        Raises:
          UnsupportedSyntaxError: if libcst cannot parse it.
        """
        self.loaded.add(id(code))
        return self.store.load(code)

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
        began = (self.frame.env, row_of(node))
        self.trace = trace = Trace(self._traces, cached, row.staging, anew, *began, outer)
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

    def returns(self, value: Value) -> None:
        """Record a return of the current function and the state it leaves behind."""
        frame = self.frame
        frame.returned = value if frame.returned is None else join(frame.returned, value)
        frame.return_state = join_states(frame.return_state, self.state)
