"""Stores: what is put into containers, attributes and names that are older than the trace."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

import libcst as cst
from msgspec import Struct, field

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.detectors.effects.channels import is_channel
from jitlint.absint.detectors.effects.escapes import BEFORE, birth_of_place, escapes, note_effect
from jitlint.absint.detectors.effects.own_attributes import is_derived
from jitlint.absint.detectors.effects.restoring import leaves_some, may_be_left_out, may_be_skipped
from jitlint.absint.detectors.effects.scratch_items import serves_its_functions
from jitlint.absint.detectors.effects.set_alike import is_set_alike
from jitlint.absint.detectors.surroundings.written import asked_once, nodes_around
from jitlint.absint.events import (
    AttributeAssignment,
    CapturedMutation,
    DefaultMutation,
    OuterAssignment,
    event_key,
)
from jitlint.absint.machine.frames import Frame, Trace
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    ArrayChanged,
    AttributeLost,
    AttributeSet,
    ContentsChanged,
    OuterNameBound,
    observes,
)
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.frozen import is_frozen
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Class,
    Const,
    Function,
    ModuleValue,
    Ref,
    Transformed,
    Union,
    Unknown,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import OTHERS, Instance, Variables
from jitlint.absint.values.statics import constant

#: how much higher a stack is after it; what a call pushes and pops reaches beyond no trace
_STEPS = {".append()": 1, ".add()": 1, ".pop()": -1, ".remove()": -1, ".discard()": -1}
_PUSHES = frozenset({".append()", ".add()"})
_POPS = frozenset({".pop()", ".remove()", ".discard()", ".clear()"})


class Notes(Struct, eq=False):
    """What was stored by code that may yet take it back.

    Args:
      left: tracers left in attributes by traces that ended: by object and attribute, the events
        that tell of it, with the traces that they outlive.
      places: where these events are.
      pushes: changes of containers from outside a trace, by container and trace.
      cleared: what tells of such a container that it was emptied, by container and trace.
      bound: what tells of global names that were bound, with these, by trace.
      balanced: those of them that were taken back.
      skipped: whether a function may return between a push and a pop.
      scoped: what attributes were set to in the trace that runs and held before: by object,
        attribute and trace, the value before and the events.
      swapped: where a trace first set attributes of an object under names that are computed: by
        object and trace, the node and the frame.
    """

    left: dict[tuple[int, str], dict[tuple[int, str], tuple[Trace, ...]]] = field(
        default_factory=dict
    )
    places: dict[tuple[int, str], cst.CSTNode] = field(default_factory=dict)
    pushes: dict[tuple[int, int], dict[tuple[int, str], cst.CSTNode]] = field(default_factory=dict)
    cleared: dict[tuple[int, int], tuple[int, str]] = field(default_factory=dict)
    bound: dict[int, dict[tuple[int, str], str]] = field(default_factory=dict)
    balanced: set[tuple[int, str]] = field(default_factory=set)
    skipped: dict[tuple[int, int, int], bool] = field(default_factory=dict)
    scoped: dict[tuple[int, str, int], tuple[Value, set[tuple[int, str]]]] = field(
        default_factory=dict
    )
    swapped: dict[tuple[int, int], tuple[cst.CSTNode, int]] = field(default_factory=dict)

    def fork(self) -> Notes:
        """For an analysis that goes on from here: it takes back nothing that it did not do."""
        return Notes()


@observes(ContentsChanged)
def _contents_changed(it: Interpreter, change: ContentsChanged) -> bool:
    if it.trace is None:
        return False
    ref, node, receiver, action = change.ref, change.node, change.receiver, change.action
    place = receiver if action == "deletion" and not isinstance(receiver, str) else node
    if serves_its_functions(it, receiver, node):
        return False
    born = it.made_in.get(ref.id, BEFORE)
    balanced = born < it.trace.number and _balanced(it, ref, node, action)
    reached_out = it.reached_out
    of_note, tracer = escapes(it, born, change.value, place)
    if action in _STEPS and it.reached_out != reached_out:
        it.reached_out = reached_out
        it.open[ref.id] = it.open.get(ref.id, 0) + _STEPS[action]
    if not of_note or balanced or (tracer is None and is_derived(it, node)):
        return False
    parameter = it.defaults.get(ref.id)
    if parameter is not None:
        note_effect(it, DefaultMutation, node, parameter, tracer, action=action)
    else:
        note_effect(it, CapturedMutation, node, receiver, tracer, action=action)
    return tracer is not None


def _balanced(it: Interpreter, ref: Ref, node: cst.CSTNode, action: str) -> bool:
    """Whether a change takes back one of the same trace: a stack of contexts."""
    notes = it.observations(Notes)
    key = (ref.id, it.trace_number)
    told = event_key(node, DefaultMutation if ref.id in it.defaults else CapturedMutation)
    if action in _PUSHES:
        notes.pushes.setdefault(key, {})[told] = node
        return told in notes.balanced
    if action == ".clear()":
        # Emptied before it is used and again behind that: it serves this trace alone.
        first = notes.cleared.setdefault(key, told)
        if first != told:
            it.withdraw(first)
            if key not in notes.pushes:
                return True
    if action in _POPS and key in notes.pushes:
        if action == ".pop()" and isinstance(node, cst.Call) and not _takes_last(node):
            # The oldest element of a record, not the one pushed last.
            return False
        taken = notes.pushes[key]
        if action != ".clear()" and leaves_some(it.frame, node, {id_ for id_, _ in taken}):
            # The last one: the others stay.
            last = next(reversed(taken))
            taken = {last: taken[last]}
        for event, push in taken.items():
            if event in notes.balanced or _may_be_skipped(it, push, node):
                continue
            it.withdraw(event)
            notes.balanced.add(event)
        return True
    return False


def _takes_last(pop: cst.Call) -> bool:
    """``stack.pop()`` or ``stack.pop(-1)``."""
    match pop.args:
        case []:
            return True
        case [
            cst.Arg(
                value=cst.UnaryOperation(operator=cst.Minus(), expression=cst.Integer(value="1"))
            )
        ]:
            return True
    return False


def _may_be_skipped(it: Interpreter, push: cst.CSTNode, pop: cst.CSTNode) -> bool:
    skipped = it.observations(Notes).skipped
    key = (id(push), id(pop), id(it.frame.code))
    if key not in skipped:
        skipped[key] = may_be_skipped(it.frame, push, pop)
    return skipped[key]


@observes(ArrayChanged)
def _array_changed(it: Interpreter, change: ArrayChanged) -> None:
    if it.trace is None:
        return
    born = birth_of_place(it, change.array)
    if born is None:
        return
    of_note, _ = escapes(it, born, None)
    if of_note:
        note_effect(it, CapturedMutation, change.node, change.array, None, action=change.action)


@observes(OuterNameBound)
def _name_bound(it: Interpreter, change: OuterNameBound) -> None:
    if it.trace is None or change.node is None:
        return
    variables = None if change.env is None else it.contents(change.env)
    before = variables.get(change.name) if isinstance(variables, Variables) else None
    held = () if before is None else members_of(before)
    value = change.value
    if held and isinstance(value, Const) and all(constant(v) == value.value for v in held):
        # `steps = float(steps)`: what compiled code computes with is the same.
        return
    bound = it.observations(Notes).bound.setdefault(it.trace_number, {})
    computed = not change.name.isidentifier()
    harmless = change.env is None and isinstance(change.value, (Const, Unknown))
    if (computed or harmless) and _in_finally(it, change.node):
        # Put back, also under names that are computed: `globals().update(before)`.
        for event in [event for event, name in bound.items() if computed or name == change.name]:
            it.withdraw(event)
        return
    born = BEFORE if change.env is None else it.made_in.get(change.env, BEFORE)
    of_note, tracer = escapes(it, born, change.value, change.node)
    if of_note and not (change.env is None and is_channel(it, change.name, value)):
        scope = "global" if change.env is None else "nonlocal"
        if change.env is None:
            bound[event_key(change.node, OuterAssignment)] = change.name
        note_effect(it, OuterAssignment, change.node, change.name, tracer, scope=scope)


@observes(AttributeSet)
def _attribute_set(it: Interpreter, change: AttributeSet) -> bool:
    if it.setting is None:
        return _leaves(it, change, change.node)
    # What a setter stores is stored by the assignment that runs it.
    frame, assignment = it.setting
    with it.entered(frame):
        return _leaves(it, change, assignment)


def _leaves(it: Interpreter, change: AttributeSet, node: cst.CSTNode) -> bool:
    """Whether a tracer stays behind in an attribute; the node is what a report is about."""
    owner, value = change.owner, change.value
    attribute = change.name
    if isinstance(change.node, cst.Attribute):
        attribute = change.node.attr.value
    notes = it.observations(Notes)
    if notes.left and isinstance(owner, Ref) and attribute is not None:
        _taken_back(it, owner, attribute, node)
    if it.trace is None:
        return False
    if isinstance(owner, Ref):
        contents = it.contents(owner)
        if not isinstance(contents, Instance) or _holds(contents, value, attribute):
            return False
        if _is_only_typed(it.frame, change.node):
            return False
        if isinstance(change.node, cst.Attribute) and is_frozen(class_info(it, contents.cls)):
            # The assignment itself raises, traced or not.
            return False
        born = it.made_in.get(owner.id, BEFORE)
    elif isinstance(owner, Class):
        # A class that a function makes is as new as what that function closes over.
        born = max((it.made_in.get(env, BEFORE) for env in owner.closure), default=BEFORE)
    elif isinstance(owner, ModuleValue):
        born = BEFORE
    elif isinstance(owner, (Function, Transformed)):
        function = base_function(owner)
        closure = () if function is None else function.closure
        born = max((it.made_in.get(env, BEFORE) for env in closure), default=BEFORE)
    else:
        return False
    of_note, tracer = escapes(it, born, value, node)
    event = event_key(node, AttributeAssignment)
    computed = attribute is None or _computes_name(change.node)
    again = computed and isinstance(owner, Ref) and _swaps_back(it, owner, node)
    if isinstance(owner, Ref) and tracer is not None:
        left = notes.left.setdefault((owner.id, attribute or OTHERS), {})
        left[event] = tuple(_younger(it, born))
        notes.places[event] = node
    elif isinstance(owner, Ref) and (_takes_back(it, owner, attribute, value, node) or again):
        return False
    if not of_note or (tracer is not None and event in notes.balanced):
        return False
    if tracer is None and is_set_alike(it, owner, node, value):
        return False
    if isinstance(owner, Ref) and event not in it.events:
        name = attribute or OTHERS
        before = it.contents(owner).attributes.get(name, UNKNOWN)
        key = owner.id, name, it.trace_number
        notes.scoped.setdefault(key, (before, set()))[1].add(event)
        notes.places[event] = node
    note_effect(it, AttributeAssignment, node, node, tracer)
    return tracer is not None


@observes(AttributeLost)
def _attribute_lost(it: Interpreter, lost: AttributeLost) -> None:
    if it.trace is None:
        return
    _replaces(it, lost.owner.id, lost.name, None)
    for (holder, name, trace), (_, events) in it.observations(Notes).scoped.items():
        known = lost.name is not None and name != OTHERS
        if (
            holder == lost.owner.id
            and trace == it.trace_number
            and (name == lost.name or not known)
        ):
            for event in events:
                it.withdraw(event)


def _takes_back(
    it: Interpreter, owner: Ref, attribute: str | None, value: Value, node: cst.CSTNode
) -> bool:
    """Whether what is set to no tracer takes back what the same trace has set before."""
    known = attribute is None or not any(isinstance(held, Unknown) for held in members_of(value))
    if known and _replaces(it, owner.id, attribute, node):
        return True
    return attribute is not None and _ends_scope(it, owner, attribute, value, node)


def _computes_name(node: cst.CSTNode) -> bool:
    """``setattr(self, name, value)``: which attribute that is need not be seen in the code."""
    return (
        isinstance(node, cst.Call)
        and len(node.args) > 1
        and not isinstance(node.args[1].value, cst.SimpleString)
    )


def _swaps_back(it: Interpreter, owner: Ref, node: cst.CSTNode) -> bool:
    """Whether a trace sets attributes of an object under names that are computed once more.

    ``self.set_state(state)`` and ``self.clear_state()``, each with `setattr` in a loop over names:
    what the first one put there the second one may take out again, and what was set in between.
    """
    notes = it.observations(Notes)
    here = node, it.frame.env
    if notes.swapped.setdefault((owner.id, it.trace_number), here) == here:
        return False
    for key in [*notes.scoped]:
        if key[0] == owner.id and key[2] == it.trace_number:
            _restored(it, key, node)
    return True


def _restored(it: Interpreter, key: tuple[int, str, int], node: cst.CSTNode) -> bool:
    """Take back what tells of an attribute that holds again what it held before the trace.

    Args:
      it: the interpreter.
      key: the object, the attribute and the trace.
      node: what sets it; the function may return before it gets there.

    Returns:
      Whether it surely does.
    """
    notes = it.observations(Notes)
    events = notes.scoped[key][1]
    if any(may_be_left_out(it.frame, notes.places[event], node) for event in events):
        return False
    del notes.scoped[key]
    # `setattr` in a loop tells of several attributes at once.
    open_ = {
        event
        for (_, _, trace), (_, others) in notes.scoped.items()
        for event in others
        if trace == key[2]
    }
    for event in events - open_:
        it.withdraw(event)
    return True


def _replaces(it: Interpreter, owner: int, attribute: str | None, node: cst.CSTNode | None) -> bool:
    """Whether a trace sets what it has left a tracer in to something else: that does not last.

    What it puts back, or takes out again, need not be the very thing that was there before.  The
    function may return before it gets to the node where it does so.
    """
    notes = it.observations(Notes)
    found = False
    for (holder, name), left in notes.left.items():
        if holder != owner or (attribute not in (None, name) and name != OTHERS):
            continue
        for event, traces in left.items():
            if it.trace in traces and not (
                node is not None and may_be_left_out(it.frame, notes.places[event], node)
            ):
                found = True
                it.withdraw(event)
                notes.balanced.add(event)
    return found


def _younger(it: Interpreter, born: int) -> Iterator[Trace]:
    """The traces that run and began after something was made."""
    return takewhile(lambda trace: trace.number > born, it.traces())


def _taken_back(it: Interpreter, owner: Ref, attribute: str, node: cst.CSTNode) -> None:
    """Forget a tracer that a trace left in an attribute, if the code that began it sets that anew.

    ``state = lax.cond(p, set_on_context, other, state); context.state = state``: what the branch
    stored was for its own use.
    """
    notes = it.observations(Notes)
    left = notes.left.get((owner.id, attribute), {})
    for event, traces in list(left.items()):
        if any(
            trace.env == it.frame.env
            and trace.number > it.trace_number
            and it.place(trace.node).position() < it.place(node).position()
            and not _repeats(it.frame, trace.node, node)
            for trace in traces
        ):
            del left[event]
            it.withdraw(event)
            notes.balanced.add(event)


def _ends_scope(
    it: Interpreter, owner: Ref, attribute: str, value: Value, node: cst.CSTNode
) -> bool:
    """Whether a context is left that set an attribute, which holds again what it held before.

    That is done at the end of the same trace's `with`, whatever happens in it: under a `finally`.
    Of what nobody knows it is the same thing that was there before: who sets it there puts it back.
    So is None, where nobody knows what was there: who takes away leaves nothing behind.
    """
    key = owner.id, attribute, it.trace_number
    held = it.contents(owner).attributes.get(attribute, UNKNOWN)
    before, events = it.observations(Notes).scoped.get(key, (None, set()))
    if not _in_finally(it, node):
        return isinstance(value, Const) and before == value and _restored(it, key, node)
    if isinstance(value, Const) and held == value:
        return True
    before = held if before is None else before
    alike = isinstance(value, Unknown) or (value == NONE and isinstance(before, Unknown))
    if before != value and not alike:
        return False
    for event in events:
        it.withdraw(event)
    return True


def _in_finally(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether a node, or a call that leads to it within the trace that runs, is in a `finally`."""
    frame: Frame | None = it.frame
    place = node
    while frame is not None and it.trace is not None and frame.env != it.trace.env:
        code = frame.code
        if code is not None:
            ends = frame.parsed.fact(_finallies, code)
            if any(frame.parsed.holds(end, place) for end in ends):
                return True
        if frame.chain is None or frame.is_root:
            return False
        place = frame.chain.step.place.node
        frame = frame.parent
    return False


def _finallies(code: Code) -> list[cst.Finally]:
    """What a function does at the end of a ``try``, whatever happens in it."""
    return [node for node in code.own_nodes if type(node) is cst.Finally]


def _repeats(frame: Frame, trace: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether a loop begins a trace again and again before the code behind it is reached."""
    holds = frame.parsed.holds
    return any(
        isinstance(loop, (cst.For, cst.While)) and holds(loop, trace) and not holds(loop, node)
        for loop in nodes_around(frame)
    )


def _holds(contents: Instance, value: Value, attribute: str | None) -> bool:
    """Whether an attribute is set to the very thing that it holds: nothing changes."""
    held = None if attribute is None else contents.attributes.get(attribute)
    if isinstance(value, (Ref, Union)) and UNKNOWN not in members_of(value):
        # `self.optics = cast(Optics, self.optics)`
        return held == value
    known = isinstance(value, Array) or (isinstance(value, Unknown) and value is not UNKNOWN)
    return known and held is value


@asked_once
def _is_only_typed(frame: Frame, target: cst.CSTNode) -> bool:
    """Whether an attribute is set to itself for the sake of type checkers alone.

    As in `self.optics = cast(LookupOptics, self.optics)`, where nothing is known of what it holds.
    """
    for node in nodes_around(frame):
        if isinstance(node, cst.Assign) and any(one.target is target for one in node.targets):
            value: cst.BaseExpression = node.value
            if isinstance(value, cst.Call) and len(value.args) == 2:
                plain = (dotted(value.func) or "").rpartition(".")[2] == "cast"
                return plain and value.args[1].value.deep_equals(target)
    return False
