"""Effects: what Python does inside a trace that reaches beyond it.

Whether something lies outside is decided by when it was made: every object of the heap carries the
number of the trace that made it, and what is older than a trace is outside of it.  Stored there, a
tracer leaks from any trace; a Python value is stored once and not again when the trace is cached.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import libcst as cst

from jitlint.absint.detectors import idioms
from jitlint.absint.machine.events import (
    AttributeAssignment,
    CapturedMutation,
    DefaultMutation,
    DiscardedUpdate,
    Effect,
    FrozenHostValue,
    HostIO,
    OuterAssignment,
    Print,
    event_key,
)
from jitlint.absint.machine.interpreter import Frame, Interpreter, Trace
from jitlint.absint.machine.signals import (
    ArrayChanged,
    AttributeSet,
    ContentsChanged,
    HostCalled,
    OuterNameBound,
    ResultDropped,
    UnknownCalled,
    observes,
)
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.python.narrowing import EAGER
from jitlint.absint.python.strings import text_tracer
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Class,
    Const,
    Function,
    Level,
    ModuleValue,
    Ref,
    Transformed,
    Tree,
    Unknown,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance, Variables
from jitlint.jaxmodel import effects as host

if TYPE_CHECKING:
    from jitlint.absint.machine.arguments import Arguments

#: made before every trace
_BEFORE = 0


def _cached(it: Interpreter) -> Trace | None:
    """The outermost trace whose Python code does not run again, None if there is none."""
    found = None
    if it.frame.context.cached and EAGER not in it.state.assumed:
        trace = it.trace
        while trace is not None and trace.cached:
            found = trace
            trace = trace.outer
    return found


def _trace_of(it: Interpreter, value: Array | Tree) -> Trace | None:
    """The trace that a tracer belongs to: the one it was made in, as far as that is known."""
    trace = it.trace
    number = value.trace if isinstance(value, Array) else 0
    while trace is not None and trace.outer is not None and trace.number > number:
        trace = trace.outer
    return trace


def _escapes(
    it: Interpreter, born: int, value: Value | None, node: cst.CSTNode | None = None
) -> tuple[bool, Array | Tree | None]:
    """Whether storing a value in an object made in trace ``born`` is of note: (it is, tracer)."""
    if it.trace is None or EAGER in it.state.assumed:
        return False, None
    tracer = None if value is None else find_traced(it, value, least=Level.VALUE)
    if tracer is not None:
        home = _trace_of(it, tracer)
        if home is not None and born < home.number:
            it.reached_out += 1
            kept = node is None or not idioms.is_restored(it.frame, node)
            return kept, tracer
    if born >= it.trace.number or (node is not None and _is_meant(it.frame, node)):
        return False, None
    # From here on the traces and calls around this code matter.
    it.reached_out += 1
    cached = _cached(it)
    once = cached is not None and born < cached.number
    return once and (node is None or not _is_meant_above(it)), None


def _is_meant(frame: Frame, node: cst.CSTNode) -> bool:
    """Whether the code itself shows that it wants to store something once per trace.

    Filling what is still missing is meant to happen once; what is undone does not last.
    """
    return (
        idioms.is_restored(frame, node)
        or idioms.is_guarded(frame, node)
        or idioms.is_undone(frame, node)
        or idioms.is_counted_back(frame, node)
        or idioms.is_memo(frame, node)
    )


def _is_meant_above(it: Interpreter) -> bool:
    """Whether the traces and calls around the code show it.

    A body that is made anew for its one transform is traced as often as that runs.
    """
    anew = it.trace is not None and it.trace.anew
    return anew or idioms.is_guarded_above(it) or idioms.is_leaving(it)


def _note(
    it: Interpreter,
    event: type[Effect],
    node: cst.CSTNode,
    operand: cst.CSTNode | str,
    tracer: Array | Tree | None,
    **details: Any,
) -> None:
    it.note(
        event,
        node,
        operand=operand,
        value=tracer,
        traced=tracer is not None,
        cached=_cached(it) is not None,
        **details,
    )


# -- storing --------------------------------------------------------------------------------------


@observes(ContentsChanged)
def _contents_changed(it: Interpreter, change: ContentsChanged) -> bool:
    if it.trace is None:
        return False
    ref, node, receiver, action = change.ref, change.node, change.receiver, change.action
    place = receiver if action == "deletion" and not isinstance(receiver, str) else node
    born = it.made_in.get(ref.id, _BEFORE)
    balanced = born < it.trace.number and _balanced(it, ref, node, action)
    reached_out = it.reached_out
    of_note, tracer = _escapes(it, born, change.value, place)
    if action in _STEPS and it.reached_out != reached_out:
        it.reached_out = reached_out
        it.open[ref.id] = it.open.get(ref.id, 0) + _STEPS[action]
    if not of_note or balanced:
        return False
    parameter = it.defaults.get(ref.id)
    if parameter is not None:
        _note(it, DefaultMutation, node, parameter, tracer, action=action)
    else:
        _note(it, CapturedMutation, node, receiver, tracer, action=action)
    return tracer is not None


def _balanced(it: Interpreter, ref: Ref, node: cst.CSTNode, action: str) -> bool:
    """Whether a change takes back one of the same trace: a stack of contexts."""
    key = (ref.id, it.trace_number)
    if action in _PUSHES:
        event = event_key(node, CapturedMutation)
        it.pushes.setdefault(key, {})[event] = node
        return event in it.balanced
    if action in _POPS and key in it.pushes:
        if action == ".pop()" and isinstance(node, cst.Call) and node.args:
            # The oldest element of a record, not the one pushed last.
            return False
        taken = it.pushes[key]
        if action != ".clear()" and idioms.leaves_some(it.frame, node, {id_ for id_, _ in taken}):
            # The last one: the others stay.
            last = next(reversed(taken))
            taken = {last: taken[last]}
        for event, push in taken.items():
            if event in it.balanced or _may_be_skipped(it, push, node):
                continue
            it.events.pop(event, None)
            it.balanced.add(event)
        return True
    return False


def _may_be_skipped(it: Interpreter, push: cst.CSTNode, pop: cst.CSTNode) -> bool:
    key = ("skipped", id(push), id(pop), id(it.frame.code))
    known: bool | None = it.class_cache.get(key)
    if known is None:
        known = it.class_cache[key] = idioms.may_be_skipped(it.frame, push, pop)
    return known


#: how much higher a stack is after it; what a call pushes and pops reaches beyond no trace
_STEPS = {".append()": 1, ".add()": 1, ".pop()": -1, ".remove()": -1, ".discard()": -1}
_PUSHES = frozenset({".append()", ".add()"})
_POPS = frozenset({".pop()", ".remove()", ".discard()", ".clear()"})


@observes(ArrayChanged)
def _array_changed(it: Interpreter, change: ArrayChanged) -> None:
    if it.trace is None:
        return
    born = _birth_of_place(it, change.array)
    if born is None:
        return
    of_note, _ = _escapes(it, born, None)
    if of_note:
        _note(it, CapturedMutation, change.node, change.array, None, action=change.action)


def _birth_of_place(it: Interpreter, node: cst.CSTNode) -> int | None:
    """In which trace the frame or object that holds a name or attribute was made."""
    frame = it.frame
    if isinstance(node, cst.Name):
        local = it.contents(frame.env)
        if isinstance(local, Variables) and node.value in local:
            return None
        for env in frame.closure:
            variables = it.contents(env)
            if isinstance(variables, Variables) and node.value in variables:
                return it.made_in.get(env, _BEFORE)
        return _BEFORE
    if isinstance(node, cst.Attribute):
        owner = it.ev(node.value)
        if isinstance(owner, Ref) and isinstance(it.contents(owner), Instance):
            return it.made_in.get(owner.id, _BEFORE)
        if isinstance(owner, (Class, ModuleValue)):
            return _BEFORE
    return None


@observes(OuterNameBound)
def _name_bound(it: Interpreter, change: OuterNameBound) -> None:
    if it.trace is None or change.node is None:
        return
    born = _BEFORE if change.env is None else it.made_in.get(change.env, _BEFORE)
    of_note, tracer = _escapes(it, born, change.value, change.node)
    if of_note:
        scope = "global" if change.env is None else "nonlocal"
        _note(it, OuterAssignment, change.node, change.name, tracer, scope=scope)


@observes(AttributeSet)
def _attribute_set(it: Interpreter, change: AttributeSet) -> bool:
    owner, value, node = change.owner, change.value, change.node
    if it.left and isinstance(owner, Ref) and isinstance(node, cst.Attribute):
        _taken_back(it, owner, node)
    if it.trace is None:
        return False
    if isinstance(owner, Ref):
        contents = it.contents(owner)
        if not isinstance(contents, Instance) or _holds(contents, value, node):
            return False
        born = it.made_in.get(owner.id, _BEFORE)
    elif isinstance(owner, (Class, ModuleValue)):
        born = _BEFORE
    elif isinstance(owner, (Function, Transformed)):
        function = base_function(owner)
        closure = () if function is None else function.closure
        born = max((it.made_in.get(env, _BEFORE) for env in closure), default=_BEFORE)
    else:
        return False
    of_note, tracer = _escapes(it, born, value, node)
    event = event_key(node, AttributeAssignment)
    if not of_note or (tracer is not None and event in it.balanced):
        return False
    _note(it, AttributeAssignment, node, node, tracer)
    if tracer is None:
        return False
    if isinstance(owner, Ref) and isinstance(node, cst.Attribute):
        left = it.left.setdefault((owner.id, node.attr.value), {})
        left[event] = tuple(_younger(it, born))
    return True


def _younger(it: Interpreter, born: int) -> Iterator[Trace]:
    """The traces that run and began after something was made."""
    trace = it.trace
    while trace is not None and trace.number > born:
        yield trace
        trace = trace.outer


def _taken_back(it: Interpreter, owner: Ref, node: cst.Attribute) -> None:
    """Forget a tracer that a trace left in an attribute, if the code that began it sets that anew.

    ``state = lax.cond(p, set_on_context, other, state); context.state = state``: what the branch
    stored was for its own use.
    """
    left = it.left.get((owner.id, node.attr.value), {})
    for event, traces in list(left.items()):
        if any(
            trace.env == it.frame.env
            and trace.number > it.trace_number
            and it.place(trace.node).position() < it.place(node).position()
            for trace in traces
        ):
            del left[event]
            it.events.pop(event, None)
            it.balanced.add(event)


def _holds(contents: Instance, value: Value, node: cst.CSTNode) -> bool:
    """Whether an attribute is set to the very thing that it holds: nothing changes."""
    known = isinstance(value, Array) or (isinstance(value, Unknown) and value is not UNKNOWN)
    if not known or not isinstance(node, cst.Attribute):
        return False
    return contents.attributes.get(node.attr.value) is value


# -- showing --------------------------------------------------------------------------------------


def _shown(it: Interpreter, args: Arguments) -> tuple[Array | Tree | None, cst.CSTNode | None]:
    """The first tracer among what a call shows, bare or within a text, and where it stands."""
    nodes = [*args.nodes, *([None] * (len(args.positional) - len(args.nodes)))]
    places = [*zip(args.positional, nodes, strict=False)]
    places += [(value, args.keyword_nodes.get(key)) for key, value in args.keywords.items()]
    if args.star is not None:
        places.append((args.star, None))
    for value, node in places:
        tracer = find_traced(it, value) or text_tracer(it, value)
        if tracer is not None:
            return tracer, node
    return None, None


@observes(HostCalled)
def _host_called(it: Interpreter, called: HostCalled) -> None:
    if it.trace is None or _cached(it) is None:
        return
    kind, args, node, mode = called.kind, called.args, called.node, called.mode
    if mode is not None and not _writes(args, mode):
        return
    callee = it.text(node.func) if isinstance(node, cst.Call) else it.text(node)
    if kind in host.FROZEN_KINDS:
        if kind != "random" and it.in_cached:
            # Read once for the whole process, traced or not.
            return
        it.note(FrozenHostValue, node, callee=callee, kind=kind)
        return
    tracer, where = _shown(it, args)
    operand = where if where is not None else next(iter(args.nodes), node)
    if kind == "print":
        _note(it, Print, node, operand, tracer)
    else:
        _note(it, HostIO, node, operand, tracer, callee=callee, kind=kind)


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    """A method of an object that nothing is known of is given a text that shows a tracer."""
    node = called.node
    if it.trace is None or not isinstance(node, cst.Call):
        return
    kind = _WRITERS.get(node.func.attr.value) if isinstance(node.func, cst.Attribute) else None
    if kind is None:
        return
    if any(text_tracer(it, value) for value in called.args.positional):
        _host_called(it, HostCalled(kind, called.args, node))


#: methods to which programs hand a text in order to write it
_WRITERS = {
    "write": "stream",
    **dict.fromkeys(("debug", "info", "warning", "error", "critical", "exception"), "logging"),
}


def _writes(args: Arguments, position: int) -> bool:
    mode = args.get(position, "mode")
    return (
        isinstance(mode, Const)
        and isinstance(mode.value, str)
        and bool(set(mode.value) & set("wax+"))
    )


# -- dropping -------------------------------------------------------------------------------------


@observes(ResultDropped)
def _result_dropped(it: Interpreter, dropped: ResultDropped) -> None:
    """An updated copy of an array is lost."""
    node = dropped.node
    if it.trace is None or type(node) is not cst.Call:
        return
    method = node.func
    if not (isinstance(method, cst.Attribute) and isinstance(method.value, cst.Subscript)):
        return
    place = method.value.value
    if not (isinstance(place, cst.Attribute) and place.attr.value == "at"):
        return
    array = it.ev(place.value)
    # Only JAX has `.at[...].set(...)`: what is not known is an array as well.
    if method.attr.value == "get" or not isinstance(array, (Array, Tree, Unknown)):
        return
    it.note(DiscardedUpdate, node, operand=place.value, method=method.attr.value)
