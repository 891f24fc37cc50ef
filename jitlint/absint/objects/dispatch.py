"""Methods and attributes of objects that nobody visibly makes, which may be of a subclass.

What such an object is asked for is found as if it were of each of its classes in turn that make a
difference, each time from the same state: what one subclass stores is not blamed on another.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.code.declarations import is_declaration
from jitlint.absint.events import Event
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Chain, Frame, OutOfBudget, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.verbs import attributes_of, calls_of
from jitlint.absint.objects.instances import prototype, unmade_attributes
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import find_in_class, instance_attribute, sets_attribute
from jitlint.absint.program.setting import BODY, is_rewritten
from jitlint.absint.program.subclasses import subclasses, variants
from jitlint.absint.values.domain import (
    UNKNOWN,
    BoundMethod,
    Class,
    Descriptor,
    ExternalInstance,
    Function,
    Ref,
    Transformed,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance, State, Variables
from jitlint.absint.values.lattice import join_all, join_states
from jitlint.foundation.certainty import GUESSED
from jitlint.foundation.records import Record
from jitlint.jaxmodel.transforms import COMPILED

if TYPE_CHECKING:
    from jitlint.project.units import Unit

#: what is bound to the object that is asked for it
_METHODS: Final = (Function, Transformed)
#: the place and the kind of an event
_EventKey = tuple[Any, ...]


@attributes_of(Instance)
def _attribute(it: Interpreter, receiver: Ref, name: str, node: cst.CSTNode) -> Value:
    contents = it.contents(receiver)
    if contents.extensible and name not in contents.attributes:
        found = find_in_class(it, contents.cls, name)
        # Which of the methods of that name it is is found out when it is called.
        if found is None or not _is_method(found[1]):
            method = _some_method(it, receiver, contents.cls, name) if found is None else None
            if method is not None:
                return method
            taken = _variants_now(it, receiver, contents.cls, name)
            if found is None:
                taken = _with_attribute(it, taken, name)
            if taken.classes != (contents.cls,):
                return _in_each(
                    it, receiver, taken, node, lambda: instance_attribute(it, receiver, name, node)
                )
    return instance_attribute(it, receiver, name, node)


def _is_method(member: Value) -> bool:
    return base_function(member) is not None and not isinstance(member, Descriptor)


def _some_method(it: Interpreter, receiver: Ref, cls: Class, name: str) -> BoundMethod | None:
    """One of the methods of a name that subclasses alone have; None if it may be something else."""
    classes = _whose_methods_run(it, receiver, _variants(it, cls, name))
    found = [find_in_class(it, other, name) for other in classes]
    methods = [member for member in found if member is not None]
    if not methods or any(type(member) not in _METHODS for _, member in methods):
        return None
    if any(sets_attribute(class_info(it, other), name) for other in classes):
        return None
    return BoundMethod(methods[0][1], receiver)


@calls_of(BoundMethod)
def _call(it: Interpreter, bound: BoundMethod, args: Arguments, node: cst.CSTNode) -> Value:
    receiver, function = bound.receiver, bound.function
    contents = it.contents(receiver) if type(receiver) is Ref else None
    if type(contents) is Instance:
        assert isinstance(receiver, Ref)
        base = base_function(function)
        if base is not None and contents.extensible:
            name = base.code.name
            cls = _holder(it, contents.cls, function, base)
            # Else it is called through `super()`.
            if cls is not None:
                if cls != contents.cls and find_in_class(it, contents.cls, name) is None:
                    cls = contents.cls
                taken = _variants_now(it, receiver, cls, name)
                if find_in_class(it, cls, name) is None:
                    classes = _whose_methods_run(it, receiver, _variants(it, cls, name))
                    every = _with_attribute(
                        it, _Taken(classes, taken.unlike, every=True, whole=True), name
                    )
                    one = _Taken(every.classes[:1], taken.unlike, every=False, whole=False)
                    taken = every if taken.every else one
                if cls != contents.cls and len(_variants(it, contents.cls, name)) > 1:
                    # Which of these it is has been chosen where the method was asked for.
                    taken = _Taken(taken.classes, taken.unlike, every=False, whole=False)
                if taken.classes != (contents.cls,):
                    return _in_each(
                        it,
                        receiver,
                        taken,
                        node,
                        lambda: it.call(it.attribute(receiver, name, node), args, node),
                    )
        if base is not None and type(function) is not Function:
            with _said(it, receiver, base, node):
                return it.call(function, args.prepended(receiver, node=node), node)
    return it.call(function, args.prepended(receiver, node=node), node)


@contextmanager
def _said(it: Interpreter, receiver: Ref, method: Function, node: cst.CSTNode) -> Iterator[None]:
    """Say of a compiled method what its object is taken for, where that is not known.

    What a transform makes of its arguments is at fault before any function is entered.
    """
    frame = it.frame
    chain = frame.chain
    step = it.step_to(method.code, receiver, node)
    if step.certainty == GUESSED:
        frame.chain = Chain(step, chain)
    try:
        yield
    finally:
        frame.chain = chain


def _holder(it: Interpreter, cls: Class, function: Value, base: Function) -> Class | None:
    """The class that an object of a class is of, or of one below it, where it has a method.

    Returns:
      None if the method is that of a base class, or no method at all.
    """
    found = find_in_class(it, cls, base.code.name)
    if found is not None and found[1] == function:
        return cls
    if base.code.unit.cls is None:
        return None
    # It was found when the object was taken for one of a subclass.
    owner = Class(base.code.unit.cls, base.code.module)
    own = find_in_class(it, owner, base.code.name)
    is_own = own is not None and own[1] == function
    return owner if is_own and owner in subclasses(it, cls) else None


class _Taken(Record):
    """What an object of unknown class is taken for.

    Args:
      classes: all that make a difference at first, one of them later on.
      unlike: counts under which key that they gave unlike values when it was all of them.
      every: whether it is all of them.
      whole: whether it can be of no other class that is in sight.
    """

    classes: tuple[Class, ...]
    unlike: Hashable
    every: bool
    whole: bool


def _variants_now(it: Interpreter, receiver: Ref, cls: Class, name: str) -> _Taken:
    """The classes as which an object is taken this time."""
    classes = _variants(it, cls, name)
    if len(classes) > 1:
        classes = _whose_methods_run(it, receiver, classes)
    key = ("variants", id(cls.definition), name, it.frame.context.staging)
    seen = it.contexts[key] = it.contexts.get(key, 0) + 1
    every = seen <= it.limits.dispatches
    return _Taken(classes if every else classes[:1], (*key, "unlike"), every, every)


def _whose_methods_run(
    it: Interpreter, receiver: Ref, classes: tuple[Class, ...]
) -> tuple[Class, ...]:
    """Those of some classes whose objects get to where the code is: they override no way there.

    A method of an object is compiled by another of its base class: by none of a subclass that has
    one of its own for that.
    """
    units = [*_methods_around(it, receiver)]
    if not units:
        return classes
    agreeing = tuple(cls for cls in classes if all(_runs(it, cls, unit) for unit in units))
    if not agreeing or agreeing == classes:
        return classes
    it.reached_out += 1
    return agreeing


def _methods_around(it: Interpreter, receiver: Ref) -> Iterator[Unit]:
    """The methods of an object that are running, and the one that compiles what is."""
    frame: Frame | None = it.frame
    others = False
    while frame is not None:
        unit = frame.parsed.unit
        if unit.cls is not None:
            own = _own_object(it, frame)
            # What compiles a method of another object is none of this one.
            if own == receiver or (
                frame.code is None and not others and _of_its(it, receiver, unit)
            ):
                yield unit
            others = own is not None and own != receiver
        frame = frame.parent


def _of_its(it: Interpreter, receiver: Ref, unit: Unit) -> bool:
    """Whether a method is of a class that an object may be of, or of one above it."""
    contents = it.contents(receiver)
    if not isinstance(contents, Instance):
        return False
    above = class_info(it, contents.cls).mro
    return any(cls.definition is unit.cls for cls in (*above, *subclasses(it, contents.cls)))


def _own_object(it: Interpreter, frame: Frame) -> Value | None:
    """What a method that is running calls ``self``, None for what is no method."""
    unit, code = frame.parsed.unit, frame.code
    if code is None or code.unit is not unit or code.qualname != unit.qualname:
        return None
    variables = it.contents(frame.env)
    if not code.parameters or not isinstance(variables, Variables):
        return None
    return variables.get(code.parameters[0].name)


def _runs(it: Interpreter, cls: Class, unit: Unit) -> bool:
    """Whether an object of a class may run a method of a class above it."""
    assert unit.cls is not None
    name = unit.qualname.rpartition(".")[2]
    for other in class_info(it, cls).mro:
        if other.definition is unit.cls:
            return True
        own = other.definition.methods.get(name)
        if own:
            return any(each.finds(r"\bsuper\(") for each in own)
    return True


def _with_attribute(it: Interpreter, taken: _Taken, name: str) -> _Taken:
    """Those of some classes that have an attribute, if any has it: it is asked of none but them.

    The others may have a `__getattr__`, which looks up something else.
    """
    having = tuple(
        cls
        for cls in taken.classes
        if find_in_class(it, cls, name) is not None or sets_attribute(class_info(it, cls), name)
    )
    if not having:
        return taken
    getting = any(find_in_class(it, cls, "__getattr__") is not None for cls in taken.classes)
    whole = taken.whole and not (getting and having != taken.classes)
    return _Taken(having, taken.unlike, taken.every and having == taken.classes, whole)


def _variants(it: Interpreter, cls: Class, name: str) -> tuple[Class, ...]:
    """The classes that make a difference, as many of them as are tried."""
    classes = variants(it, cls, name)
    # Where subclasses fill in what a class only declares, there is no other way to them.
    return classes[: it.limits.receivers if cls in classes else it.limits.filling_receivers]


@calls_of(Function)
def _call_function(
    it: Interpreter, function: Function, args: Arguments, node: cst.CSTNode
) -> Value:
    if _only_declares(it, function):
        # Others fill it in: it may well tell of a shape alone.
        it.call(UNKNOWN, args, node)
        return UNKNOWN
    if is_rewritten(it, function.code, BODY):
        return it.call(UNKNOWN, args, node)
    result = it.follow(function, args, node)
    if result != UNKNOWN and type(result) is not Union:
        return result
    modelled = it.modelled(function, args, node)
    return result if modelled == UNKNOWN else modelled


def _only_declares(it: Interpreter, function: Function) -> bool:
    """Whether a function is a method that only says what subclasses define."""
    unit = function.code.unit
    is_method = unit.cls is not None and unit.qualname == function.code.qualname
    return is_method and it.written(is_declaration, unit)


def _in_each(
    it: Interpreter, receiver: Ref, taken: _Taken, node: cst.CSTNode, run: Callable[[], Value]
) -> Value:
    """What comes of something, as if an object were of each of some classes."""
    # What a method calls of its own object runs for each subclass that inherits it: no guess.
    # An object that others hand over is of one of them.
    several = len(taken.classes) > 1 or not taken.every
    doubted = several and receiver.id not in it.taken and not any(_methods_around(it, receiver))
    if doubted:
        it.taken.add(receiver.id)
    try:
        return _joined(it, receiver, taken, node, run, doubted=doubted)
    finally:
        if doubted:
            it.taken.discard(receiver.id)


def _joined(
    it: Interpreter,
    receiver: Ref,
    taken: _Taken,
    node: cst.CSTNode,
    run: Callable[[], Value],
    *,
    doubted: bool,
) -> Value:
    """The same; detectors keep what all ways agree on where the class is ``doubted``."""
    before, called = it.state, len(it.called)
    results: list[Value] = []
    ways: list[State] = []
    told: list[dict[_EventKey, Event]] = []
    after: State | None = None
    for cls in taken.classes:
        it.state = before.copy()
        kept = it.contents(receiver)
        assert isinstance(kept, Instance)
        own, given = kept.cls, dict(kept.attributes)
        become(it, receiver, cls)
        entered = dict(it.contents(receiver).attributes)
        known = set(it.events) if doubted else set()
        try:
            with it.steps_apart(it.limits.receiver_steps):
                results.append(run())
        except Terminated:
            continue
        except OutOfBudget:
            results.append(UNKNOWN)
            after = join_states(after, before)
            continue
        finally:
            told.append(_taken_back(it, node, known) if doubted else {})
        _restore(it, receiver, own, given, entered)
        ways.append(it.state)
        after = join_states(after, it.state)
    _tell(it, node, told, whole=taken.whole, sure=receiver.id not in it.by_use)
    while len(it.called) > called:
        # No call is visible of what only an object of unknown class calls.
        it.called.popitem()
    if after is None:
        it.state = before
        return UNKNOWN
    it.state = after
    if doubted and len(ways) > 1:
        it.agree(before, ways)
    result = join_all(results)
    if taken.every and result == UNKNOWN:
        it.contexts[taken.unlike] = 1
    # What one of them gives is not what all of them do.
    return UNKNOWN if taken.unlike in it.contexts else result


def _taken_back(
    it: Interpreter, node: cst.CSTNode, known: Set[_EventKey]
) -> dict[_EventKey, Event]:
    """The new events at a call that hold for the one class that its object is taken for now."""
    given = [arg.value for arg in node.args] if isinstance(node, cst.Call) else []
    places = {id(place) for place in (node, *given)}
    new = [key for key in it.events if key[0] in places and key not in known]
    return {key: it.events.pop(key) for key in new}


def _tell(
    it: Interpreter,
    node: cst.CSTNode,
    told: Sequence[Mapping[_EventKey, Event]],
    *,
    whole: bool,
    sure: bool,
) -> None:
    """Record what happens at a call whatever the class of its object is.

    A fault of some classes alone tells as much against these: the call suits another one.

    Args:
      it: the interpreter.
      node: the call.
      told: the events of each class.
      whole: whether the classes are all that the object may be of.
      sure: whether it is known to be of one of these.
    """
    for key, event in {key: event for events in told for key, event in events.items()}.items():
        if not (whole and all(key in events for events in told)):
            it.omit(Reason.ALTERNATIVES, node, event.operand)
        elif sure:
            it.events[key] = replace(event, chain=(it.frame.chain, event.chain[1]))
        else:
            it.events[key] = event


def become(it: Interpreter, receiver: Ref, cls: Class) -> None:
    """Take an object that nobody visibly makes for one of a class, and of none below it."""
    contents = it.edit(receiver)
    if cls != contents.cls:
        plain = unmade_attributes(it, contents.cls, receiver.id)
        changed = {
            name: value for name, value in contents.attributes.items() if plain.get(name) != value
        }
        contents = it.edit(receiver)
        contents.attributes = {**unmade_attributes(it, cls, receiver.id), **changed}
        contents.cls = cls
    contents.extensible = False


def receivers(it: Interpreter, cls: Class, name: str) -> list[Class]:
    """The classes as which a method that starts an analysis is run: one of each kind.

    Its own class is among them even where it leaves something to subclasses.
    """
    method = find_in_class(it, cls, name)
    others = [
        other
        for other in _variants(it, cls, name)
        if other != cls and find_in_class(it, other, name) == method
    ]
    return [cls, *others]


def one_of(it: Interpreter, cls: Class) -> Ref:
    """An object of a class, and of none below it, that nobody visibly makes."""
    made = prototype(it, cls)
    it.edit(made).extensible = False
    return made


def _restore(
    it: Interpreter,
    receiver: Ref,
    cls: Class,
    given: dict[str, Value],
    entered: dict[str, Value],
) -> None:
    """Take an object for what it was; what was stored in it stays."""
    contents = it.edit(receiver)
    restored = dict(given)
    for name, value in contents.attributes.items():
        if entered.get(name) != value:
            restored[name] = value
    contents.cls, contents.attributes, contents.extensible = cls, restored, True


def is_program(value: Value) -> bool:
    """Whether calling a value runs a program: a jitted function, or what was compiled ahead."""
    return isinstance(value, Transformed) or (
        isinstance(value, ExternalInstance) and value.cls == COMPILED
    )
