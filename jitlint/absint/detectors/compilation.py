"""Where jitted functions are made, called and kept, and which calls repeat that.

The interpreter records; ``verdicts`` decides at the end, when all visible calls are known, which
jitted functions are made again in every turn of a loop or in every call of the function around
them.  JAX compiles for a function object: the same one again is served by its cache, a fresh one
compiles (observed under JAX 0.10.2: five compilations in five turns for a lambda, a partial, a
nested function, a bound method and ``jit(grad(f))``, one for a function of a module).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import libcst as cst

from jitlint.absint.code.functions import Code, Place, target_names
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.filling import is_guarded
from jitlint.absint.detectors.paths import leaves_loop
from jitlint.absint.machine.events import JitInLoop, JitPerCall, event_key
from jitlint.absint.machine.signals import (
    CachedCalled,
    FunctionCalled,
    Kept,
    Received,
    TransformApplied,
    TransformedCalled,
    UnknownCalled,
    observes,
)
from jitlint.absint.values.domain import (
    BoundMethod,
    Cached,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.transforms import COMPILING, RECOGNISING, STRUCTURAL, display_name

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter
    from jitlint.project.index import ModuleIndex


@dataclass(slots=True, eq=False)
class Making:
    """A place that makes a jitted function outside every trace.

    Args:
      place: the use of the transform.
      owner: the function whose code it is; None at module level.
      qualname: the name of that function.
      chain: the steps that led there.
      operand: what is jitted, as written.
      callee: the transform, as users know it.
      made: what is new at every evaluation (``lambda`` ...), None for a lasting function.
      loop: the innermost loop around the place in the same function.
      repeated: whether what is jitted is made within that loop.
      guarded: whether the place is reached only if nothing was made before.
      depends: the parameters of the owner that what is jitted calls or asks, so that another
        argument needs another compilation.
      in_test: whether it is code of a test.
    """

    place: Place
    owner: Code | None
    qualname: str
    chain: Any
    operand: str
    callee: str
    made: str | None
    loop: cst.CSTNode | None
    repeated: bool
    guarded: bool
    depends: frozenset[str]
    in_test: bool


@dataclass(slots=True, eq=False, repr=False)
class JitUses:
    """What is recorded during the interpretation.

    Args:
      makings: by the node of the place.
      called_by: functions that call what a place makes just once for each time that they get it, by
        the node of the place.
      received: how many loops were around when a frame was given what a place makes.
      kept: places whose result is put into a container or an attribute, or is cached.
      calls: callers of each function, with the calling node and whether a loop is around it.
      method_calls: calls of methods of unknown objects, by the name of the method.
      cached: functions under ``lru_cache``: their body runs once for equal arguments.
      places: where what is called or kept was made, by the node.
    """

    makings: dict[int, Making] = field(default_factory=dict)
    called_by: dict[int, set[Code | None]] = field(default_factory=dict)
    received: dict[tuple[int, int], int] = field(default_factory=dict)
    kept: set[int] = field(default_factory=set)
    calls: dict[Code, Sites] = field(default_factory=dict)
    method_calls: dict[str, Sites] = field(default_factory=dict)
    cached: set[Code] = field(default_factory=set)
    places: dict[int, Place] = field(default_factory=dict)

    def fork(self) -> JitUses:
        """For an analysis that goes on from here: what frames were given stays known."""
        return JitUses(received=dict(self.received))

    def record_call(self, it: Interpreter, callee: Code, node: cst.CSTNode) -> None:
        """Host code calls a function of the project."""
        caller = it.frame
        key = (caller.code or caller.module, id(node))
        known = self.calls.setdefault(callee, {})
        loop = bool(caller.turns)
        seen = known.get(key)
        if seen is None or (loop and not seen.loop):
            place = Place(caller.parsed, node)
            varies = _varying(it, callee, node) if loop else frozenset()
            known[key] = Call(caller.code, callee, loop, caller.in_test, place, varies=varies)

    def record_method_call(self, caller: Frame, name: str, node: cst.CSTNode) -> None:
        """Host code calls a method of an object that is not known."""
        key = (caller.code or caller.module, id(node))
        known = self.method_calls.setdefault(name, {})
        loop = bool(caller.turns)
        if loop or key not in known:
            place = Place(caller.parsed, node)
            known[key] = Call(caller.code, None, loop, caller.in_test, place)

    def attribute(self, modules: Sequence[ModuleIndex], owner: Code) -> None:
        """Count calls of unknown objects by the name of a method that only one class has."""
        found = self.method_calls.get(owner.name)
        if owner.cls is None or not found or owner.name.startswith("__"):
            return
        classes = (cls for module in modules for cls in module.classes.values())
        if sum(owner.name in cls.methods for cls in classes) != 1:
            return
        known = self.calls.setdefault(owner, {})
        for key, call in found.items():
            known.setdefault(key, replace(call, callee=owner))

    def looped(self, owner: Code) -> Call | None:
        """The call in a loop that leads to ``owner``, None if none does; tests count last."""
        in_test: Call | None = None
        seen: set[Code] = set()
        waiting = [owner]
        while waiting:
            code = waiting.pop()
            if code in seen or code in self.cached:
                continue
            seen.add(code)
            for call in self.calls.get(code, {}).values():
                if call.loop and not call.in_test:
                    return call
                if call.loop:
                    in_test = call
                elif call.caller is not None:
                    waiting.append(call.caller)
        return in_test

    def call_count(self, owner: Code, on_one_path: OnOnePath) -> int:
        """How often one run of a function, or of a module's code, calls a function."""
        if owner in self.cached:
            return 0
        groups: dict[Any, list[Call]] = {}
        for (caller, _), call in self.calls.get(owner, {}).items():
            if not call.in_test:
                groups.setdefault(caller, []).append(call)
        # Of calls that stand in for each other a run reaches only one.
        return max(map(on_one_path, groups.values()), default=0)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function of the project by host code.

    Args:
      caller: the function around it, None for code of a module.
      callee: what is called, None where only the name of the method is known.
      loop: whether a loop is around it.
      in_test: whether it is code of a test.
      place: where it is; a name of that will do.
      varies: the parameters for which it passes something else in each turn of a loop around it.
    """

    caller: Code | None
    callee: Code | None
    loop: bool
    in_test: bool
    place: Any
    varies: frozenset[str] = frozenset()


#: calls by what is running (code of a module: that) and what identifies the place
Sites = dict[tuple[Any, Any], Call]
#: the most of some calls in one function, or in the code of one module, that a run can reach
OnOnePath = Callable[[Sequence[Call]], int]


# -- recording ------------------------------------------------------------------------------------


@observes(Kept)
def _kept(it: Interpreter, kept: Kept) -> None:
    value = kept.value
    if type(value) is Transformed:
        uses = it.observations(JitUses)
        key = id(value.place.node)
        uses.kept.add(key)
        uses.places[key] = value.place


@observes(CachedCalled)
def _cached_called(it: Interpreter, called: CachedCalled) -> None:
    it.observations(JitUses).cached.add(called.callee)


@observes(FunctionCalled)
def _function_called(it: Interpreter, called: FunctionCalled) -> None:
    it.observations(JitUses).record_call(it, called.callee, called.node)


@observes(UnknownCalled)
def _unknown_called(it: Interpreter, called: UnknownCalled) -> None:
    node = called.node
    if it.trace is None and isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        it.observations(JitUses).record_method_call(it.frame, node.func.attr.value, node)


@observes(TransformApplied)
def _transform_applied(it: Interpreter, applied: TransformApplied) -> None:
    if it.trace is not None:
        return
    made, argument, node = applied.made, applied.argument, applied.node
    if made.transform not in COMPILING:
        it.made_here(made)
        return
    uses = it.observations(JitUses)
    frame = it.frame
    every = frozenset(map(id, frame.turns))
    what, repeated, per_call = _freshness(it, made, argument, every)
    known = uses.makings.get(id(node))
    if known is not None:
        known.repeated = known.repeated or repeated
        known.made = known.made or what
        return
    turns = list(frame.turns)
    while turns and isinstance(turns[-1], (cst.For, cst.While)):
        if not leaves_loop(turns[-1], node):
            break
        turns.pop()
    loop = turns[-1] if turns else None
    if len(turns) < len(frame.turns):
        _, repeated, _ = _freshness(it, made, argument, frozenset(map(id, turns)))
    uses.makings[id(node)] = Making(
        place=it.place(node),
        owner=frame.code,
        qualname=frame.qualname,
        chain=frame.chain,
        operand=_operand(it, made, argument, node),
        callee=made.transform,
        made=what if repeated or per_call else None,
        loop=loop,
        repeated=repeated,
        guarded=is_guarded(frame, node),
        depends=_depends(frame.code, made.function, argument),
        in_test=frame.in_test,
    )


def _freshness(
    it: Interpreter,
    made: Transformed,
    argument: cst.CSTNode | None,
    turns: frozenset[int],
) -> tuple[str | None, bool, bool]:
    """What is new about a jitted function: (its kind, in each of the turns, in each call)."""
    frame = it.frame
    inner = made.function
    while isinstance(inner, Cached):
        inner = inner.function
    structural = made.transform in STRUCTURAL
    if isinstance(inner, BoundMethod) or _is_library_method(inner):
        fresh = isinstance(argument, cst.Attribute) and not structural
        return ("bound method" if fresh else None), fresh and bool(turns), fresh
    if made.transform not in RECOGNISING:
        return "transformed function", bool(turns), True
    kind = _kind(it, inner)
    if kind is None or (structural and kind == "transformed function"):
        return None, False, False
    env, loops = it.lifetime(inner)
    repeated = bool(turns & loops)
    if kind == "callable instance" and not repeated:
        # It may be kept elsewhere, as the model or the loss that a program works with.
        return None, False, False
    return kind, repeated, env == frame.env


def _kind(it: Interpreter, value: Value) -> str | None:
    if isinstance(value, Ref):
        return "callable instance" if _is_compared_by_identity(it, value) else None
    if isinstance(value, Function):
        if isinstance(value.code.node, cst.Lambda):
            return "lambda"
        return "nested function" if value.closure else None
    if isinstance(value, Partial):
        return "partial"
    if isinstance(value, Transformed):
        # A jitted function that is jitted again where it was made.
        return "transformed function"
    return None


def _is_compared_by_identity(it: Interpreter, value: Ref) -> bool:
    """Whether two objects of the class of an instance are never taken for the same one."""
    from jitlint.absint.program.classes import class_info
    from jitlint.absint.program.members import find_in_class

    contents = it.contents(value)
    if not isinstance(contents, Instance):
        return False
    info = class_info(it, contents.cls)
    if info.decorators or info.externals or not info.complete:
        return False
    return all(find_in_class(it, info.cls, name) is None for name in ("__eq__", "__hash__"))


def _is_library_method(value: Value) -> bool:
    """``model.apply`` of a Flax module: a new bound method at every access."""
    if not isinstance(value, ExternalInstance):
        return False
    receiver = dict(value.attributes).get("receiver")
    if value.cls == "jitlint.method" and isinstance(receiver, Ref):
        return True
    return isinstance(receiver, ExternalInstance) and receiver.cls.startswith("flax.linen.")


def _operand(
    it: Interpreter, made: Transformed, argument: cst.CSTNode | None, node: cst.CSTNode
) -> str:
    """What is jitted, as written; under a decorator, the name of the function."""
    if argument is None and isinstance(made.function, Function):
        return made.function.code.name
    return it.text(node if argument is None else argument)


def _depends(owner: Code | None, function: Value, argument: cst.CSTNode | None) -> frozenset[str]:
    """The parameters of its maker that say what a function does: a model, a schedule."""
    if owner is None:
        return frozenset()
    names = {parameter.name for parameter in owner.parameters} - {"self", "cls"}
    made = _derived(owner, names)
    nothing: frozenset[str] = frozenset()
    while isinstance(function, Partial):
        bound = argument.args if isinstance(argument, cst.Call) else ()
        found = nothing.union(*(made.get(_root(arg.value), nothing) for arg in bound[1:]))
        if found and _binds_behaviour(function):
            return found
        function = function.function
        argument = bound[0].value if bound else None
    if isinstance(function, BoundMethod) or _is_library_method(function):
        return made.get(_root(argument), nothing)
    base = base_function(function)
    if base is None:
        # `jit(partial(model.apply, train=False))` of a model of which nothing else is known.
        return (
            made.get(_root(argument), nothing) if isinstance(argument, cst.Attribute) else nothing
        )
    node = base.code.node if base.closure else None
    if node is None:
        return nothing
    known = dict(made)
    for parameter in base.code.parameters:
        default = parameter.default
        given = made.get(default.value) if isinstance(default, cst.Name) else None
        known[parameter.name] = nothing if given is None else given
    calls = (inner.func for inner in walk_own(node) if isinstance(inner, cst.Call))
    return nothing.union(*(known.get(_root(call), nothing) for call in calls))


def _binds_behaviour(partial: Partial) -> bool:
    """Whether a partial binds a function or an object, which no argument can stand for."""
    bound = [*partial.args, *(value for _, value in partial.keywords)]
    return any(isinstance(value, _BEHAVIOUR) for value in bound)


_BEHAVIOUR = (Function, BoundMethod, Partial, Transformed, ExternalInstance)


def _derived(owner: Code, names: set[str]) -> dict[str | None, frozenset[str]]:
    """The parameters that names of a function come from.

    Each parameter comes from itself; what a function makes of them by calling them, or them by a
    function, comes from these.
    """
    found: dict[str | None, frozenset[str]] = {name: frozenset({name}) for name in names}
    assert owner.node is not None
    for node in walk_own(owner.node):
        if not isinstance(node, cst.Assign) or not isinstance(node.value, cst.Call):
            continue
        call = node.value
        used = {_root(call.func), *(_root(arg.value) for arg in call.args)}
        origins = frozenset(name for name in used if name in names)
        if origins:
            for target in node.targets:
                if isinstance(target.target, cst.Name):
                    name = target.target.value
                    found[name] = found.get(name, frozenset()) | origins
    return found


def _root(node: cst.CSTNode | None) -> str | None:
    """The name that a chain of attributes starts from."""
    while isinstance(node, cst.Attribute):
        node = node.value
    return node.value if isinstance(node, cst.Name) else None


@observes(TransformedCalled)
def _transformed_called(it: Interpreter, called: TransformedCalled) -> None:
    """A function that is called in a loop of its own pays for its compilation."""
    function = called.function
    if called.maker is not None:
        _called_at_once(it, function, called.maker)
        return
    uses = it.observations(JitUses)
    frame = it.frame
    link: Value = function
    while isinstance(link, Transformed):
        key = id(link.place.node)
        uses.places[key] = link.place
        callers = uses.called_by.setdefault(key, set())
        making = uses.makings.get(key)
        received = uses.received.get((key, frame.env), 0)
        own = making is not None and making.owner is frame.code and not making.depends
        nested = making is not None and making.depends and _is_within(frame, making)
        if own or (len(frame.turns) <= received and not nested):
            callers.add(frame.code)
        link = link.function


def _is_within(frame: Frame, making: Making) -> bool:
    """Whether a function that was made where the jitted one was is running: called any times."""
    return making.owner is not None and frame.qualname.startswith(f"{making.owner.qualname}.")


@observes(Received)
def _received(it: Interpreter, received: Received) -> None:
    value = received.value
    if type(value) is Transformed:
        frame = it.frame
        uses = it.observations(JitUses)
        uses.received[(id(value.place.node), frame.env)] = len(frame.turns)


def _called_at_once(it: Interpreter, value: Transformed, made: cst.Call) -> None:
    """What a call made is called at once: ``make_step(model)(x)``."""
    making = it.observations(JitUses).makings.get(id(value.place.node))
    if making is None or making.owner is it.frame.code:
        return
    if not making.depends or not _varies(it, made):
        _received(it, Received(value))


def _varies(it: Interpreter, node: cst.Call) -> bool:
    """Whether the arguments of a call change with the loops around it."""
    bound = _bound_in_turns(it)
    return any(_mentions(arg, bound) for arg in node.args)


def _varying(it: Interpreter, callee: Code, node: cst.CSTNode) -> frozenset[str]:
    """The parameters for which a call passes what changes with the loops around it."""
    if not isinstance(node, cst.Call):
        return frozenset()
    bound = _bound_in_turns(it)
    method = callee.cls is not None and isinstance(node.func, cst.Attribute)
    names = [parameter.name for parameter in callee.parameters][1 if method else 0 :]
    found: set[str] = set()
    for index, arg in enumerate(node.args):
        if not _mentions(arg, bound):
            continue
        if arg.star:
            return frozenset(names)
        if arg.keyword is not None:
            found.add(arg.keyword.value)
        elif index < len(names):
            found.add(names[index])
    return frozenset(found)


def _mentions(arg: cst.Arg, names: set[str]) -> bool:
    return any(
        isinstance(inner, cst.Name) and inner.value in names for inner in walk_own(arg.value)
    )


def _bound_in_turns(it: Interpreter) -> set[str]:
    """The names that loops around the current point bind, or of which they change the object."""
    bound: set[str] = set()
    for loop in it.frame.turns:
        known: frozenset[str] | None = it.syntax.get(("turns", id(loop)))
        if known is None:
            known = it.syntax["turns", id(loop)] = frozenset(_bound_in(loop))
        bound |= known
    return bound


def _bound_in(loop: cst.CSTNode) -> Iterator[str]:
    for inner in walk_own(loop):
        if isinstance(inner, (cst.For, cst.CompFor, cst.AugAssign, cst.NamedExpr)):
            yield from target_names(inner.target)
        elif isinstance(inner, cst.Assign):
            for target in inner.targets:
                yield from target_names(target.target)
                yield from _changed(target.target)


def _changed(target: cst.CSTNode) -> set[str]:
    """The object of which an assignment sets an attribute or an item."""
    if not isinstance(target, (cst.Attribute, cst.Subscript)):
        return set()
    while isinstance(target, cst.Subscript):
        target = target.value
    name = _root(target)
    return set() if name is None else {name}


# -- judging --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """That a place makes a jitted function again and again.

    Args:
      event: what happens there.
      made: what is new each time.
      caller: the function whose calls repeat it, None if a loop around the place does.
      calls: from how many places it is called; 0 if loops count.
      in_test: whether only a test does so.
    """

    event: type[JitInLoop | JitPerCall]
    made: str | None
    caller: str | None
    calls: int
    in_test: bool


def verdicts(
    uses: JitUses, modules: Sequence[ModuleIndex], on_one_path: OnOnePath
) -> Iterator[tuple[int, Making, Verdict]]:
    """Find every place that makes a jitted function again and again.

    Args:
      uses: everything that was recorded.
      modules: the indexed modules.
      on_one_path: weighs calls.

    Yields:
      The key of the place, what is known of it, and what is wrong there.
    """
    for key, making in uses.makings.items():
        callers = uses.called_by.get(key)
        if callers is None or key in uses.kept or making.guarded:
            continue
        if making.loop is not None and (making.repeated or making.made is None):
            yield key, making, Verdict(JitInLoop, making.made, None, 0, making.in_test)
            continue
        owner = making.owner
        if owner is None:
            continue
        uses.attribute(modules, owner)
        looped = uses.looped(owner) if callers else None
        own = looped is not None and looped.callee is owner
        if looped is not None and making.depends and (not own or making.depends & looped.varies):
            # Each turn has another model, or one of its own, which needs another program.
            continue
        if looped is not None and looped.callee is not None:
            in_test = making.in_test or looped.in_test
            yield key, making, Verdict(JitInLoop, making.made, looped.callee.qualname, 0, in_test)
        elif making.made is not None and owner in callers and not making.depends:
            count = uses.call_count(owner, on_one_path)
            if count > 1:
                verdict = Verdict(JitPerCall, making.made, making.qualname, count, making.in_test)
                yield key, making, verdict


def emit(it: Interpreter, making: Making, verdict: Verdict) -> None:
    """Record the event of a verdict."""
    details: dict[str, Any] = {"made": verdict.made, "caller": verdict.caller}
    if verdict.event is JitPerCall:
        details["calls"] = verdict.calls
    it.events.setdefault(
        event_key(making.place.node, verdict.event),
        verdict.event(
            place=making.place,
            function=making.qualname,
            chain=(making.chain, None),
            operand=making.operand,
            in_test=verdict.in_test,
            callee=display_name(making.callee),
            **details,
        ),
    )
