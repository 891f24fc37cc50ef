"""What is new about a jitted function each time that its place is reached, and what it rests on.

JAX compiles for a function object: the same one again is served by its cache, a fresh one compiles
(observed under JAX 0.10.2: five compilations in five iterations for a lambda, a partial, a nested
function, a bound method and ``jit(grad(f))``, one for a function of a module).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import libcst as cst

from jitlint.absint.code.declarations import decorator_names
from jitlint.absint.code.functions import Code, target_names
from jitlint.absint.code.syntax import walk_own
from jitlint.absint.detectors.surroundings.written import (
    OF_SHAPES,
    bindings,
    meanings,
    nodes_around,
    root_name,
    values_in,
)
from jitlint.absint.detectors.variants.numeric import is_of_numbers
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import (
    BoundMethod,
    Cached,
    External,
    ExternalInstance,
    Function,
    Partial,
    Ref,
    Transformed,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance
from jitlint.jaxmodel.frameworks import TRANSFORMATION
from jitlint.jaxmodel.transforms import RECOGNISING, STRUCTURAL, STRUCTURAL_FLOW

if TYPE_CHECKING:
    from jitlint.absint.machine.frames import Frame
    from jitlint.absint.machine.interpreter import Interpreter


#: what an Optax transformation is called, which is a tuple of functions made for it
OPTIMIZER: Final = "Optax transformation"
#: what `vjp` and `linearize` give besides a result
_LINEAR_MAPS: Final = frozenset({"jitlint.vjp", "jitlint.linearize"})


def freshness(
    it: Interpreter,
    made: Transformed,
    argument: cst.CSTNode | None,
    loops_around: frozenset[int],
) -> tuple[str | None, bool, bool]:
    """What is new about a jitted function: (its kind, in each of the loops, in each call)."""
    frame = it.frame
    inner = made.function
    while isinstance(inner, Cached):
        inner = inner.function
    structural = made.transform in STRUCTURAL
    if isinstance(inner, BoundMethod) or _is_library_method(inner):
        return (None, False, False) if structural else _of_access(frame, argument, loops_around)
    if made.transform not in RECOGNISING:
        return "transformed function", bool(loops_around), True
    kind = newness(it, inner)
    if kind is None or (structural and kind in ("transformed function", "linear map")):
        return None, False, False
    env, loops = it.lifetime(_pair_of(inner) or inner)
    repeated = bool(loops_around & loops)
    if kind == "callable instance" and not repeated:
        # It may be kept elsewhere, as the model or the loss that a program works with.
        return None, False, False
    return kind, repeated, env == frame.env or is_made_below(it, inner, env)


def flow_freshness(
    it: Interpreter,
    transform: str,
    function: Value,
    argument: cst.CSTNode | None,
    loops_around: frozenset[int],
) -> tuple[str | None, bool, bool]:
    """What is new about a function that control flow is given, as :func:`freshness` says it.

    JAX knows it by its identity alone (observed under JAX 0.10.2: also a bound method of one
    object, and ``grad`` of one function, compile at every call).  What another function has made
    in the course of this call is as new.
    """
    if isinstance(function, BoundMethod) or _is_library_method(function):
        if transform in STRUCTURAL_FLOW:
            return None, False, False
        return _of_access(it.frame, argument, loops_around)
    kind = newness(it, function)
    if kind is None:
        return None, False, False
    env, loops = it.lifetime(function)
    repeated = bool(loops_around & loops)
    if kind == "callable instance" and not repeated and not isinstance(argument, cst.Call):
        # What has a name may be there from before, or stay.
        return None, False, False
    per_call = is_made_below(it, function, env)
    return kind, repeated and per_call, per_call


def _of_access(
    frame: Frame, argument: cst.CSTNode | None, loops_around: frozenset[int]
) -> tuple[str | None, bool, bool]:
    """What is new about a bound method, which each access makes: here, or where it got a name."""
    meant = meanings(frame, argument) if isinstance(argument, cst.BaseExpression) else ()
    access = next((each for each in meant if isinstance(each, cst.Attribute)), None)
    if access is None:
        return None, False, False
    loops = frame.enclosing_loops
    again = access is argument or not loops or frame.parsed.holds(loops[-1], access)
    return "bound method", again and bool(loops_around), True


def is_made_below(it: Interpreter, function: Value, env: int) -> bool:
    """Whether a function was made in the course of this call, by whichever function.

    Args:
      it: the interpreter.
      function: the function.
      env: the frame that has made it.
    """
    if isinstance(function, Function):
        unit = function.code.unit
        if unit.decorated and not _KEEPING.isdisjoint(
            (name or "").rpartition(".")[2] for name in decorator_names(unit)
        ):
            # What a `cached_property` has made is there again.
            return False
        if not function.closure or not unit.is_function:
            # Code of a module made it, once, even if only now.
            return False
        # A call that is recalled makes its function in a frame of its own.
        env = function.closure[0]
    elif env in it.standing:
        # What code of a module or a class has made is as old as the function that it holds.
        pair = _pair_of(function)
        held = None if pair is None else base_function(dict(pair.attributes)["function"])
        return held is not None and is_made_below(it, held, env)
    return env != 0 and it.made_at.get(env, 0) >= it.made_at.get(it.frame.env, 0)


#: decorators that keep what a function has given
_KEEPING: Final = frozenset({"cache", "cached_property", "lru_cache"})


def newness(it: Interpreter, value: Value) -> str | None:
    """What a value is whose like JAX finds again by its identity alone, None if it is not."""
    if isinstance(value, Ref):
        return "callable instance" if _is_compared_by_identity(it, value) else None
    if isinstance(value, Function):
        if isinstance(value.code.node, cst.Lambda):
            return "lambda"
        return "nested function" if value.closure else None
    if isinstance(value, Partial):
        function = value.function
        of_jax = isinstance(function, External) and function.name in _LINEAR_MAPS
        return "linear map" if of_jax else "partial"
    if isinstance(value, Transformed):
        # A jitted function that is jitted again where it was made.
        return "transformed function"
    if isinstance(value, ExternalInstance) and value.cls == TRANSFORMATION:
        return OPTIMIZER
    return None if _pair_of(value) is None else "transformed function"


def _pair_of(value: Value) -> ExternalInstance | None:
    """The pair that a function belongs to which Haiku has made: ``hk.transform(f).apply``."""
    if not isinstance(value, ExternalInstance) or value.cls != "jitlint.attribute":
        return None
    receiver = dict(value.attributes).get("receiver")
    if not isinstance(receiver, ExternalInstance) or receiver.cls != "jitlint.transformed":
        return None
    return receiver


def _is_compared_by_identity(it: Interpreter, value: Ref) -> bool:
    """Whether two objects of the class of an instance are never taken for the same one."""
    contents = it.contents(value)
    if not isinstance(contents, Instance):
        return False
    info = class_info(it, contents.cls)
    if info.decorators or info.externals or not info.complete:
        return False
    # A hash alone makes no two objects equal.
    return find_in_class(it, info.cls, "__eq__") is None


def _is_library_method(value: Value) -> bool:
    """``model.apply`` of a Flax module: a new bound method at every access."""
    if not isinstance(value, ExternalInstance):
        return False
    receiver = dict(value.attributes).get("receiver")
    if value.cls == "jitlint.method" and isinstance(receiver, Ref):
        return True
    return isinstance(receiver, ExternalInstance) and receiver.cls.startswith("flax.linen.")


def dependencies(
    it: Interpreter, owner: Code | None, function: Value, argument: cst.CSTNode | None
) -> frozenset[str]:
    """The parameters of its maker that say what a function does: a model, a schedule."""
    if owner is None:
        return frozenset()
    names = {parameter.name for parameter in owner.parameters} - {"self", "cls"}
    made = _derived(owner, names)
    nothing: frozenset[str] = frozenset()
    while isinstance(function, (Partial, Transformed)):
        bound = argument.args if isinstance(argument, cst.Call) else ()
        if isinstance(function, Transformed):
            # `vmap(env.reset)`
            if not bound:
                break
            function, argument = function.function, bound[0].value
            continue
        found = nothing.union(*(made.get(root_name(arg.value), nothing) for arg in bound[1:]))
        if found and _binds_behaviour(function):
            return found
        function = function.function
        argument = bound[0].value if bound else None
    if isinstance(function, BoundMethod) or _is_library_method(function):
        return made.get(root_name(argument), nothing)
    pair = _pair_of(function)
    if isinstance(pair, ExternalInstance):
        # What the modules are made of is part of the program.
        built = base_function(dict(pair.attributes).get("function", function))
        loaded = None if built is None else it.load(built.code)
        free = () if loaded is None else loaded.free_names
        return nothing.union(*(made.get(name, nothing) for name in free))
    base = base_function(function)
    if base is None:
        # `jit(partial(model.apply, train=False))` of a model of which nothing else is known.
        return (
            made.get(root_name(argument), nothing)
            if isinstance(argument, cst.Attribute)
            else nothing
        )
    node = base.code.node if base.closure else None
    if node is None:
        return nothing
    # What it binds itself has only the name of something around it.
    known = {name: found for name, found in made.items() if name not in base.code.bound_names}
    for parameter in base.code.parameters:
        default = parameter.default
        given = made.get(default.value) if isinstance(default, cst.Name) else None
        known[parameter.name] = nothing if given is None else given
    called = called_names(node) | set(_called_by_callees(it, node))
    wanted = (name for name in called if name is None or not is_of_numbers(it, name))
    return nothing.union(*(known.get(name, nothing) for name in wanted))


def _called_by_callees(it: Interpreter, node: cst.CSTNode) -> Iterator[str]:
    """The names that a piece of code gives to functions which call them, or attributes of them."""
    for call in walk_own(node):
        if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
            continue
        callee = it.look_up(call.func.value)
        if not isinstance(callee, Function):
            continue
        roots = {name.partition(".")[0] for name in callee.code.unit.calls}
        for parameter, arg in zip(callee.code.parameter_names, call.args, strict=False):
            if arg.star or arg.keyword is not None:
                break
            given = root_name(arg.value)
            if parameter in roots and given is not None:
                yield given


def called_names(node: cst.CSTNode) -> frozenset[str | None]:
    """The names that a piece of code calls, or whose attributes it calls.

    So are those that it makes what it calls of: in ``make(op.body.blocks[0])(x)`` each ``op`` is
    another program; and what it differentiates or maps.
    """
    every = [inner for inner in walk_own(node) if isinstance(inner, cst.Call)]
    calls: list[cst.BaseExpression] = [inner.func for inner in every]
    makers = [call for call in calls if isinstance(call, cst.Call)]
    calls += [inner.args[0].value for inner in every if inner.args and _called(inner) in _CALLING]
    if not makers:
        return frozenset(map(root_name, calls))
    # A bare name is rather that of a number, if it does not stand for a part of something.
    local = {
        target.value: value for target, value in bindings(node) if isinstance(target, cst.Name)
    }
    given = (arg.value for call in makers for arg in call.args)
    parts = (local.get(one.value) if isinstance(one, cst.Name) else one for one in given)
    wholes = (_whole(part) for part in parts if isinstance(part, (cst.Attribute, cst.Subscript)))
    return frozenset(map(root_name, [*calls, *wholes]))


def _whole(part: cst.BaseExpression) -> cst.BaseExpression:
    """What an attribute or an element is taken from."""
    while isinstance(part, (cst.Attribute, cst.Subscript)):
        part = part.value
    return part


def shaping_names(node: cst.CSTNode) -> frozenset[str]:
    """The names from which a piece of code makes lengths and shapes: for another, JAX compiles.

    Arrays of one shape have the same lengths, whatever they hold: ``zeros(len(x), x.dtype)``.
    """
    return frozenset(
        name
        for call in walk_own(node)
        if isinstance(call, cst.Call) and _called(call) in _SHAPING
        for arg in call.args
        for name in values_in(arg.value)
    )


def _called(call: cst.Call) -> str:
    """The last part of the name of what is called, empty if it has none."""
    func = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    return func.value if isinstance(func, cst.Name) else ""


#: what calls the function that it is given first, or makes what does
_CALLING = frozenset(
    "grad hessian jacfwd jacrev jit jvp linearize scan value_and_grad vjp vmap".split()
)
_SHAPING = frozenset(
    "arange broadcast_to empty eye identity int linspace ones repeat reshape tile zeros".split()
)


def origins_of(owner: Code, argument: cst.CSTNode | None) -> frozenset[str]:
    """The parameters of a function that what it hands over under a name was made of."""
    return origins_of_name(owner, root_name(argument))


def origins_of_name(owner: Code, name: str | None) -> frozenset[str]:
    """The parameters of a function that something was made of which has a name there."""
    names = {parameter.name for parameter in owner.parameters} - {"self", "cls"}
    return _derived(owner, names).get(name, frozenset())


def given_to_maker(frame: Frame, argument: cst.CSTNode | None) -> frozenset[str | None]:
    """The names of which a call makes what is handed over, under whichever name.

    Args:
      frame: the frame that hands it over.
      argument: what is handed over there: the call, or the name of what it gave.
    """
    values = [argument]
    if isinstance(argument, cst.Name):
        values = [
            value
            for node in nodes_around(frame)
            if isinstance(node, cst.Assign)
            for target, value in bindings(node)
            if isinstance(target, cst.Name) and target.value == argument.value
        ]
    made = (_made_of(value) for value in values if isinstance(value, cst.BaseExpression))
    return frozenset(name for names in made for name in names)


def _binds_behaviour(partial: Partial) -> bool:
    """Whether a partial binds a function or an object, which no argument can stand for."""
    bound = [*partial.args, *(value for _, value in partial.keywords)]
    return any(isinstance(value, BEHAVIOUR) for value in bound)


#: what no number or array can stand for
BEHAVIOUR = (Function, BoundMethod, Partial, Transformed, ExternalInstance)


def _derived(owner: Code, names: set[str]) -> dict[str | None, frozenset[str]]:
    """The parameters that names of a function come from.

    Each parameter comes from itself; what a function makes of them by calling them, or them by a
    function, comes from these, and so does what is made of that in its turn; a function within it
    comes from what it calls.
    """
    found: dict[str | None, frozenset[str]] = {name: frozenset({name}) for name in names}
    assert owner.node is not None
    made: list[tuple[set[str], set[str | None]]] = []
    for node in walk_own(owner.node):
        if isinstance(node, cst.Assign) and (used := _made_of(node.value)):
            targets = {name for each in node.targets for name in target_names(each.target)}
            made.append((targets, used))
        elif isinstance(node, cst.FunctionDef) and node is not owner.node:
            made.append(({node.name.value}, {*called_names(node)}))
    grown = True
    while grown:
        grown = False
        for targets, used in made:
            origins = frozenset[str]().union(*(found.get(name, frozenset()) for name in used))
            for name in targets:
                known = found.get(name, frozenset())
                if not origins <= known:
                    found[name] = known | origins
                    grown = True
    return found


def _made_of(value: cst.BaseExpression) -> set[str | None]:
    """The names of which a call makes something: ``setup(compose(f"env={name}")).unwrapped``."""
    while isinstance(value, cst.Attribute):
        value = value.value
    if not isinstance(value, cst.Call):
        return set()
    found = {root_name(value.func), *_made_of(value.func)}
    for arg in value.args:
        found |= _handed(arg.value)
    return found


def _handed(value: cst.BaseExpression) -> set[str | None]:
    """The names in an argument that say what it is, as no length or element of something does."""
    if isinstance(value, cst.Call):
        return _made_of(value)
    if isinstance(value, (cst.List, cst.Tuple)):
        return {name for element in value.elements for name in _handed(element.value)}
    if isinstance(value, cst.FormattedString):
        parts = (part for part in value.parts if isinstance(part, cst.FormattedStringExpression))
        return {name for part in parts for name in _handed(part.expression)}
    if isinstance(value, cst.Attribute) and value.attr.value in OF_SHAPES:
        return set()
    return {root_name(value)}
