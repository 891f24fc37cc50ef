"""What compiled functions keep of names and objects, followed until that is changed and they run.

Compiled code holds the values that its trace has read.  As host code runs, this keeps of each
jitted function what it read when it was called (:class:`Compiled`), and which of that was changed
since; where the function is called again, it computes with what was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import libcst as cst
from msgspec import Struct
from msgspec.structs import replace

from jitlint.absint.code.declarations import decorator_options
from jitlint.absint.code.functions import Place
from jitlint.absint.detectors.effects.escapes import BEFORE, cached_trace
from jitlint.absint.detectors.staleness.compiled_programs import (
    OF_OBJECTS,
    Compiled,
    Kept,
    Program,
    ProgramKey,
    Read,
    follows,
    is_part,
    key_of,
    lasts,
    program_of,
    statement_of,
)
from jitlint.absint.detectors.staleness.hooked_classes import may_be_cleared
from jitlint.absint.detectors.staleness.noted import NotedSet
from jitlint.absint.detectors.staleness.resized_calls import may_be_resized
from jitlint.absint.detectors.staleness.structures import (
    asks_for_none,
    asks_for_structure,
    is_structure,
)
from jitlint.absint.detectors.staleness.thrown_away import is_bound_for_nothing
from jitlint.absint.detectors.surroundings.filling import is_set_up_late
from jitlint.absint.detectors.surroundings.quiet_layers import is_for_quiet_layers
from jitlint.absint.detectors.variants.made_again import is_made_alike
from jitlint.absint.events import StaleCapture, StaleSelf, event_key
from jitlint.absint.limits import COMPILED_FUNCTIONS
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArrayChanged,
    AttributeSet,
    CacheCleared,
    CapturedRead,
    Cell,
    CellChanged,
    ContentsChanged,
    OuterNameBound,
    Received,
    TransformApplied,
    TransformedLeft,
    observes,
)
from jitlint.absint.operations.subscripts import subscript_index
from jitlint.absint.program.captures import attribute_cell, entry_cell, name_cell
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    NONE,
    Class,
    Const,
    EnumMember,
    Function,
    Origin,
    Ref,
    Static,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Instance, Variables
from jitlint.jaxmodel.transforms import COMPILING
from jitlint.project.units import Unit

#: static arguments that are the same ones when they are passed again
_IDENTIFIED: Final = (Const, Ref, EnumMember, Function, Class)
CHANGED: Final = "changed here, after it was compiled"


class CapturedFrames(NotedSet):
    """Frames whose variables compiled functions have read."""


class SecondRun(Struct, eq=False):
    """Whether a method runs a second time, as whoever calls it may have it do.

    Then it is asked what it left behind, and what it sets before it calls what was compiled.
    """

    running: bool = False

    def fork(self) -> SecondRun:
        """For an analysis that goes on from here."""
        return SecondRun()


def leaves_stale(it: Interpreter, owner: Value) -> bool:
    """Whether attributes of an object are other ones now than compiled functions keep."""
    return isinstance(owner, Ref) and any(
        kept.changed is not None and cell[:2] == ("attribute", owner.id)
        for program in it.slot(Compiled).programs.values()
        for cell, kept in program.cells.items()
    )


@contextmanager
def second_run(it: Interpreter) -> Iterator[None]:
    """Run a method again, on the object that it has left behind."""
    again = it.observations(SecondRun)
    again.running = True
    try:
        yield
    finally:
        again.running = False


# -- while tracing --------------------------------------------------------------------------------


@observes(CapturedRead)
def _read(it: Interpreter, read: CapturedRead) -> None:
    cell, node = read.cell, read.node
    before = it.captured.get(cell)
    if (cell in it.captured and not (before and before.for_none)) or it.is_speculating:
        return
    trace = cached_trace(it)
    kind, owner, name = cell
    if trace is None or (kind in OF_OBJECTS and it.made_in.get(owner, BEFORE) >= trace.number):
        return
    contents = it.contents(owner) if kind == "attribute" else None
    if isinstance(contents, Instance):
        key = "kept apart", contents.cls, name
        apart = it.facts.get(key)
        if apart is None:
            cls = contents.cls
            apart = it.facts[key] = _is_frozen(it, cls) or _is_borrowed(it, cls, name)
        if apart:
            return
    if asks_for_structure(it, kind, node, read.value) or is_bound_for_nothing(it.frame, node):
        return
    if isinstance(node, cst.Name) and is_for_quiet_layers(it.frame, node):
        return
    for_none = asks_for_none(it.frame, node)
    if before is None or not for_none:
        it.captured[cell] = Read(it.moment(node), read.value, _is_of_self(it, node), for_none)


def _is_borrowed(it: Interpreter, cls: Class, name: str) -> bool:
    """Whether a context manager of a class sets an attribute for the time of its block."""
    return any(
        unit.decorated and "contextmanager" in unit.text
        for owner in class_info(it, cls).mro
        for method in owner.definition.assigned_attributes.get(name, ())
        for unit in owner.definition.methods.get(method, ())
    )


def _is_frozen(it: Interpreter, cls: Class) -> bool:
    """Whether the attributes of an object are there to stay."""
    return any(
        decorator_options(owner.definition).get("frozen") for owner in class_info(it, cls).mro
    )


def _is_of_self(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether something is read of the object whose method, or a function in it, runs.

    Or of one that is passed: what a trace reads of such an object is an argument or it is static.
    """
    root: cst.CSTNode = node
    while not isinstance(root, cst.Name):
        if isinstance(root, (cst.Attribute, cst.Subscript)):
            root = root.value
        elif isinstance(root, cst.Call) and isinstance(root.func, cst.Attribute):
            # `self.limits.get("high")`
            root = root.func
        elif isinstance(root, cst.Call) and root.args:
            # `getattr(self, "high", 1.0)`
            root = root.args[0].value
        else:
            return False
    code = it.frame.code
    if root is node or code is None:
        return False
    passed = {parameter.name for parameter in code.parameters}
    return root.value in passed or (root.value == "self" and code.unit.cls is not None)


# -- on the host ----------------------------------------------------------------------------------


@observes(TransformedLeft)
def _left(it: Interpreter, left: TransformedLeft) -> None:
    """A jitted function was called: what it read before is kept, what is new is read now."""
    function = left.function
    if function.transform not in COMPILING or it.frame.context.disabled:
        return
    running = it.running_loops()
    if any(
        not isinstance(value, _IDENTIFIED) or not running.isdisjoint(it.lifetime(value)[1])
        for _, value in left.static
    ):
        # It may be another program each time.
        return
    reads = reads_of(it.captured)
    key, made = program_of(it, left)
    slot = it.slot(Compiled)
    known = slot.programs.get(key)
    if known is not None and known.made != made:
        known = None
    statement = statement_of(it)
    cells = {} if known is None else dict(known.cells)
    for cell, read in reads.items():
        kept = cells.get(cell)
        age = it.made_at.get(cell[1], 0) if cell[0] in OF_OBJECTS else 0
        if kept is None or kept.made != age:
            cells[cell] = Kept(read.value, age, for_none=read.for_none)
        elif kept.for_none and not read.for_none:
            cells[cell] = replace(kept, value=read.value, for_none=False)
        elif kept.changed is not None and follows(statement, kept.statement):
            if not may_be_cleared(it, cell):
                again = known is not None and id(left.node) in known.calls
                resized = again or may_be_resized(it, left.node, kept.changed)
                report(it, read, kept.changed, resized=resized)
        elif known is not None and cell[0] == "name":
            between = _bound_between(it, cell, read.value, known.statement, statement)
            if between is not None:
                report(it, read, between)
    if not cells and known is None:
        return
    frames = {owner for kind, owner, _ in reads if kind == "variable"}
    it.observations(CapturedFrames).known |= frames
    calls = frozenset() if known is None else known.calls
    if _is_in_jit(it):
        it.keep(left.node)
        calls |= {id(left.node)}
    program = Program(made, cells, statement if known is None else known.statement, calls)
    if program != known and len(slot.programs) < COMPILED_FUNCTIONS:
        it.edit_slot(Compiled).programs[key] = program


def _is_in_jit(it: Interpreter) -> bool:
    """Whether a call is part of another jitted function: it comes again for other shapes."""
    *_, outermost = (None, *it.traces())
    return outermost is not None and outermost.transform in COMPILING


def reads_of(captured: Mapping[Cell, Read | None]) -> dict[Cell, Read]:
    """What was read and not changed in the same trace."""
    own = [cell for cell, read in captured.items() if read is None]
    return {
        cell: read
        for cell, read in captured.items()
        if read is not None and not any(is_part(cell, changed) for changed in own)
    }


def report(it: Interpreter, read: Read, changed: Origin, *, resized: bool = False) -> None:
    """Record that what a trace has read is changed; one call of the same size is enough."""
    kind: type[StaleSelf | StaleCapture] = StaleSelf if read.of_self else StaleCapture
    key = event_key(read.moment.place.node, kind)
    known = it.events.get(key)
    if isinstance(known, (StaleSelf, StaleCapture)) and known.resized and not resized:
        it.withdraw(key)
    it.note(
        kind,
        read.moment.place.node,
        origin=changed,
        operand=read.moment.place.text(),
        at=read.moment,
        resized=resized,
    )


@observes(TransformApplied)
def _applied(it: Interpreter, applied: TransformApplied) -> None:
    """A function that is made anew is compiled anew."""
    function = applied.made.function
    if it.trace is not None or lasts(function):
        return
    place = id(applied.made.place.node)
    slot = it.slot(Compiled)
    stale = [key for key in slot.programs if place in key]
    if stale:
        programs = it.edit_slot(Compiled).programs
        for key in stale:
            del programs[key]


@observes(CacheCleared)
def _cleared(it: Interpreter, cleared: CacheCleared) -> None:
    slot = it.slot(Compiled)
    known = None if cleared.function is None else key_of(cleared.function)
    forgotten = [key for key in slot.programs if known is None or known in key]
    if forgotten:
        programs = it.edit_slot(Compiled).programs
        for key in forgotten:
            del programs[key]


# -- changes --------------------------------------------------------------------------------------


@observes(OuterNameBound)
def _name_bound(it: Interpreter, change: OuterNameBound) -> None:
    if change.node is None:
        return
    cell: Cell = ("variable", change.env, change.name)
    if change.env is None:
        cell = ("name", it.frame.module, change.name)
    _changed(it, cell, change.value, change.node)


@observes(Received)
def _received(it: Interpreter, received: Received) -> None:
    """A variable of the running function, or of the module whose code runs, is bound."""
    node, frame = received.node, it.frame
    if not isinstance(node, cst.Name) or it.trace is not None:
        return
    name = node.value
    if frame.code is not None:
        captured = frame.env in it.observations(CapturedFrames).known
        if captured and name not in frame.outer and name not in frame.globals:
            _changed(it, ("variable", frame.env, name), received.value, node)
    elif frame.parsed.unit.cls is None:
        _changed(it, ("name", frame.module, name), received.value, node)


@observes(AttributeSet)
def _attribute_set(it: Interpreter, change: AttributeSet) -> None:
    node, code = change.node, it.frame.code
    name = change.name
    if name is None and isinstance(node, cst.Attribute):
        name = node.attr.value
    cell = None if name is None else attribute_cell(it, change.owner, name)
    if cell is None or (code is not None and code.name in ("__init__", "__post_init__")):
        return
    if it.trace is None and is_set_up_late(it, node):
        return
    if it.setting is None:
        _changed(it, cell, change.value, node)
    else:
        frame, assignment = it.setting
        with it.entered(frame):
            _changed(it, cell, change.value, assignment)


@observes(ContentsChanged)
def _contents_changed(it: Interpreter, change: ContentsChanged) -> None:
    node = change.node
    key = None
    if change.action == "item assignment" and isinstance(node, cst.Subscript):
        key = subscript_index(it, node)
    cell = entry_cell(it, change.ref, key)
    if cell is not None:
        _changed(it, cell, change.value, node)


@observes(ArrayChanged)
def _array_changed(it: Interpreter, change: ArrayChanged) -> None:
    array = change.array
    cell: Cell | None = None
    if isinstance(array, cst.Name):
        own = it.contents(it.frame.env)
        if isinstance(own, Variables) and array.value in own and it.frame.code is not None:
            cell = ("variable", it.frame.env, array.value)
        else:
            cell = name_cell(it, array.value)
    elif isinstance(array, cst.Attribute):
        cell = attribute_cell(it, it.ev(array.value), array.attr.value)
    if cell is not None:
        _changed(it, cell, None, change.node)


def _changed(it: Interpreter, cell: Cell, value: Value | None, node: cst.CSTNode) -> None:
    """Something is given a value, None where that is not the whole of it."""
    if it.trace is not None:
        # A trace that counts itself is not after what others store there.
        it.captured[cell] = None
    if it.frame.in_test:
        return
    it.signal(CellChanged(cell, node, value))
    slot = it.slot(Compiled)
    if it.trace is not None or not slot.programs:
        return
    statement = statement_of(it)
    touched = {
        key: cells
        for key, program in slot.programs.items()
        if follows(statement, program.statement) and (cells := _touched(it, program, cell))
    }
    if not touched:
        return
    again = it.observations(SecondRun).running or is_structure(it, node)
    new: dict[ProgramKey, Program] = {}
    for key, kept_cells in touched.items():
        program = slot.programs[key]
        cells = {
            known: replace(kept, changed=origin, statement=statement)
            for known, kept in kept_cells.items()
            if (origin := None if again else _origin(it, kept, value, node)) is not kept.changed
        }
        if cells:
            new[key] = Program(
                program.made, {**program.cells, **cells}, program.statement, program.calls
            )
    if new:
        it.edit_slot(Compiled).programs.update(new)


def _may_turn_none(kept: Value | None, value: Value | None) -> bool:
    """Whether what is known of two values makes one of them None, and the other one not."""
    was, now = (() if one is None else tuple(members_of(one)) for one in (kept, value))
    return (was == (NONE,) and NONE not in now) or (NONE in now and NONE not in was)


def _touched(it: Interpreter, program: Program, cell: Cell) -> dict[Cell, Kept]:
    """What a program keeps of something that changes."""
    return {
        known: kept
        for known, kept in program.cells.items()
        if is_part(known, cell)
        and (known[0] not in OF_OBJECTS or it.made_at.get(known[1], 0) == kept.made)
    }


def _bound_between(
    it: Interpreter,
    cell: Cell,
    value: Value,
    first: Unit | None,
    last: Unit | None,
) -> Origin | None:
    """Where a module gives a name another value between two of its statements: in later cells.

    Such statements are run only if something asks for them, and not when their turn comes.
    """
    _, module, name = cell
    if first is None or last is None or {first.module, last.module} != {module}:
        return None
    units = [
        binding.unit
        for binding in it.project.bindings(module, name)
        if binding.target is None and binding.cls is None
    ]
    if isinstance(value, Static) and value.type == "ndarray":
        stores = re.compile(rf"^{name}\[[^\n]*\]\s*(?:[-+*/]|//|\*\*)?=(?!=)")
        units += [unit for unit in module.units_with(name) if stores.match(unit.text)]
    for unit in units:
        if not unit.is_function and first.begins_above(unit) and unit.begins_above(last):
            parsed = it.store.parse(unit)
            return Origin(Place(parsed, parsed.statement), CHANGED)
    return None


def _origin(it: Interpreter, kept: Kept, value: Value | None, node: cst.CSTNode) -> Origin | None:
    """Where something was changed since it was read: nowhere if it has the same value again."""
    if isinstance(value, Const) and value == kept.value:
        return None
    if kept.for_none and not _may_turn_none(kept.value, value):
        return None
    made, was = (None if one is None else base_function(one) for one in (value, kept.value))
    if made is not None and was is not None and made.code is was.code:
        # `self.step = jax.jit(self.step)` does what it did.
        return None
    if isinstance(node, cst.Name) and is_made_alike(it, node.value):
        return None
    return kept.changed or it.origin(node, CHANGED)
