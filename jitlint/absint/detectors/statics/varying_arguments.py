"""Static arguments that take a new value in every turn of a loop: JAX compiles for each of them.

Observed under JAX 0.10.2: five programs in five turns for a counter, a rate that decays, a lambda,
and an object whose class compares by identity; one for equal tuples, named tuples and frozen
dataclasses.  Equinox compiles anew for each Python number, too.  What is made anew in every call is
judged at the end, when the calls are known (:mod:`.jit_verdicts`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code, Place
from jitlint.absint.detectors.compilation.counted_numbers import (
    chosen_by_callers,
    is_few,
    makes_new,
)
from jitlint.absint.detectors.compilation.eager_calls import is_sweep, is_within_trace
from jitlint.absint.detectors.compilation.jit_sites import NEEDED, JitSite, JitUses, Kind
from jitlint.absint.detectors.compilation.traced_arguments import called_name
from jitlint.absint.detectors.statics.counted_fields import is_counted
from jitlint.absint.detectors.statics.static_parts import COMPARING, Part, is_number, static_parts
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.loop_counters import measured_length
from jitlint.absint.detectors.surroundings.loop_variables import bound_in_loops, given_by_name
from jitlint.absint.detectors.surroundings.paths import lasting_loops, names_in
from jitlint.absint.detectors.surroundings.written import bound_to
from jitlint.absint.detectors.variants.fixed_values import makes_sizes, origins, picks_sizes
from jitlint.absint.detectors.variants.freshness import (
    OPTIMIZER,
    dependencies,
    is_only_computed_with,
    newness,
    shaping_names,
)
from jitlint.absint.events import VaryingStaticArgument
from jitlint.absint.machine.frames import Frame
from jitlint.absint.machine.given import Application, application_of
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed, observes
from jitlint.absint.program.classes import class_info
from jitlint.absint.values.domain import (
    Array,
    Const,
    Default,
    Function,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Unknown,
    Value,
    base_function,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel.transforms import CHECKS_HASHES, STRUCTURAL


@observes(ArgumentPassed)
def _argument_passed(it: Interpreter, passed: ArgumentPassed) -> None:
    node = passed.node
    if is_within_trace(it) or not it.running or isinstance(passed.value, Default):
        # Who compiles ahead, for each of some values, wants the programs.
        return
    if not passed.static:
        _in_static_parts(it, passed)
        if passed.function.transform not in STRUCTURAL:
            return
        if is_number(passed.value):
            _counted(it, passed)
            return
    elif passed.function.transform not in CHECKS_HASHES:
        return
    elif _is_compared(passed.value):
        _counted(it, passed)
        return
    elif _counts_in_fields(it, passed):
        return
    if isinstance(node, cst.BaseExpression):
        _made_anew(it, passed, Part(passed.value), node)


def _counts_in_fields(it: Interpreter, passed: ArgumentPassed) -> bool:
    """What is passed may be compared by its fields, one of which is another number each time."""
    node = passed.node
    contents = it.contents(passed.value) if isinstance(passed.value, Ref) else None
    if not isinstance(contents, Instance) or not isinstance(node, cst.BaseExpression):
        return False
    if class_info(it, contents.cls).kind != "dataclass":
        return False
    for name, held in contents.attributes.items():
        if is_number(held) and is_counted(it, name, node):
            _note(it, passed, field=name)
            return True
    return False


def _in_static_parts(it: Interpreter, passed: ArgumentPassed) -> None:
    """What is traced may have static parts, which are other ones each time."""
    node, transform = passed.node, passed.function.transform
    if transform in COMPARING and isinstance(node, cst.BaseExpression):
        for part in static_parts(it, passed.value, transform):
            if is_number(part.value):
                if is_counted(it, part.field, node):
                    _note(it, passed, field=part.field)
            else:
                _made_anew(it, passed, part, node)


#: what JAX finds again by its identity alone
_MADE_ANEW = ("lambda", "nested function", "partial", "callable instance", OPTIMIZER)


def _is_compared(value: Value) -> bool:
    """Whether a value may be a number, a text or a tuple of such."""
    if isinstance(value, (Const, Static)):
        return type_name(value) in (None, "int", "float", "str")
    return isinstance(value, (Tuple, Unknown))


#: parameters that say along which axis: JAX needs them static, and there is one value for each axis
_AXES: Final = frozenset({"axis", "axes"})


# -- counters -------------------------------------------------------------------------------------


def _counted(it: Interpreter, passed: ArgumentPassed) -> None:
    """What is passed is another number in every turn of a loop around, here or with callers."""
    node = passed.node
    if not isinstance(node, cst.BaseExpression) or passed.parameter in _AXES:
        return
    if passed.parameter is not None and picks_sizes(it, passed.function, passed.parameter):
        return
    loops = lasting_loops(it.frame, node) if it.frame.enclosing_loops else []
    for depth, loop in enumerate(loops):
        if makes_new(it, loop, node, outermost=not depth):
            sizes = makes_sizes(it, passed.function, passed.parameter)
            if not is_few(it, loop, sizes=sizes) and not is_sweep(it, loops[0], node):
                _note(it, passed)
            return
        name = measured_length(node, loop)
        if name is not None and isinstance(it.look_up(name), (Const, Static)):
            if _is_text(it.look_up(name)) and not _is_display(loop):
                _note(it, passed)
            return
    hangs_on = chosen_by_callers(it, node)
    if hangs_on is not None and not is_guarded(it.frame, node):
        fresh = _fresh(passed, Part(passed.value), "number")
        _add(it, passed, it.frame, node, Kind.STATIC_NUMBER, fresh, hangs_on)


def _is_text(value: Value) -> bool:
    return isinstance(value, (Const, Static)) and type_name(value) in ("str", "bytes")


def _is_display(loop: cst.CSTNode) -> bool:
    """Whether a loop runs over elements that stand there."""
    return isinstance(loop, (cst.For, cst.CompFor)) and isinstance(loop.iter, (cst.List, cst.Tuple))


# -- objects --------------------------------------------------------------------------------------


def _made_anew(
    it: Interpreter, passed: ArgumentPassed, part: Part, node: cst.BaseExpression
) -> None:
    """What is passed equals nothing that was passed before, as it was made in this call.

    A function that a caller made, and that is handed on to here, is noted where that caller hands
    it over.
    """
    kind = newness(it, part.value)
    if kind not in _MADE_ANEW:
        return
    frame = it.frame
    env, made_in = it.lifetime(part.value)
    if is_guarded(frame, node):
        return
    loops = lasting_loops(frame, node)
    makers = None
    if env != frame.env:
        makers = _makers(it, node) if made_in & set(map(id, loops)) else None
        if makers is None:
            _handed_on(it, passed, part, kind, env)
            return
    mentioned = _mentioned(it, part, _receiver(passed, node), makers)
    if made_in & set(map(id, loops)):
        if not _is_wanted(it, passed, part, mentioned, loops):
            _note(it, passed, kind, part.field)
        return
    code = frame.code
    if code is not None:
        hangs_on = frozenset(p.name for p in code.parameters if p.name in mentioned)
        needed = (
            hangs_on
            if kind in ("callable instance", OPTIMIZER)
            else _needed(it, code, part.value, node, hangs_on)
        )
        depends = hangs_on | frozenset(map(NEEDED.format, needed))
        _add(it, passed, frame, node, Kind.STATIC_ARGUMENT, _fresh(passed, part, kind), depends)


def _makers(it: Interpreter, node: cst.BaseExpression) -> list[tuple[cst.Call, Code]] | None:
    """The calls that give what an expression stands for, of functions that keep nothing of it.

    Returns:
      None where anything else gives it, too.
    """
    own = node.value if isinstance(node, cst.Name) else None
    found = []
    for source in _sources(it, node):
        if own is not None and own in names_in(source):
            # `state = step(state)` hands on what is static of it.
            continue
        if not isinstance(source, cst.Call):
            return None
        with it.speculating():
            function = base_function(it.ev(source.func))
        if function is None or function.code.unit.decorated or it.load(function.code) is None:
            return None
        if not it.frame.parsed.fact(_stores_nothing, function.code):
            return None
        found.append((source, function.code))
    return found or None


def _given_to_makers(
    it: Interpreter, part: Part, makers: Sequence[tuple[cst.Call, Code]]
) -> frozenset[str]:
    """The names in what functions are given that make something, as far as the part follows it."""
    found: set[str] = set()
    for call, code in makers:
        assert code.node is not None
        of_field = {
            name
            for inner in code.own_nodes
            if part.field and isinstance(inner, cst.Call)
            for arg in inner.args
            if arg.keyword is not None and arg.keyword.value == part.field
            for name in names_in(arg.value)
        }
        names = {parameter.name for parameter in code.parameters}
        follows = origins(it, code.node, names, frozenset(of_field)) if of_field else names
        for name, value in given_by_name(code, call):
            if name in follows:
                found.update(names_in(value))
    return frozenset(found)


def _stores_nothing(code: Code) -> bool:
    """Whether a function changes nothing but its own names, as far as its text tells."""
    return not any(
        isinstance(inner, (cst.Global, cst.Nonlocal, cst.NamedExpr))
        or (
            isinstance(inner, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign))
            and not isinstance(inner.target, (cst.Name, cst.Tuple, cst.List))
        )
        for inner in code.own_nodes
    )


def _fresh(passed: ArgumentPassed, part: Part, kind: str) -> str:
    """What is new each time, and where it gets to, for the verdict that is given in the end."""
    return ": ".join((kind, passed.parameter, part.field))


def _receiver(passed: ArgumentPassed, node: cst.BaseExpression) -> cst.BaseExpression:
    """What is passed, as it is written: the object of a method is only part of the call."""
    base = base_function(passed.function)
    parameters = () if base is None or base.code.cls is None else base.code.parameters
    if not parameters or parameters[0].name != passed.parameter or type(node) is not cst.Call:
        return node
    return node.func.value if isinstance(node.func, cst.Attribute) else node.func


def _handed_on(it: Interpreter, passed: ArgumentPassed, part: Part, kind: str, env: int) -> None:
    """A caller made a closure, and it comes to a jitted function that outlives the call."""
    value = part.value
    base, jitted = base_function(value), base_function(passed.function)
    if type(value) is not Function or base is None or jitted is None or jitted.closure:
        return
    frame = it.frame
    while frame.env != env:
        if frame.chain is None or frame.parent is None:
            return
        node, frame = frame.chain.step.place.node, frame.parent
        if is_guarded(frame, node):
            return
    code = frame.code
    if code is None or not isinstance(node, cst.Call) or lasting_loops(frame, node):
        return
    names = base.code.free_names
    hangs_on = frozenset(p.name for p in code.parameters if p.name in names)
    needed = _needed(it, code, value, None, hangs_on)
    depends = hangs_on | frozenset(map(NEEDED.format, needed))
    given = next((arg.value for arg in node.args if _is_named(arg.value, base)), node)
    _add(it, passed, frame, given, Kind.STATIC_ARGUMENT, _fresh(passed, part, kind), depends)


def _is_named(argument: cst.BaseExpression, function: Function) -> bool:
    """Whether an argument is the name of a function, or that lambda itself."""
    if isinstance(argument, cst.Lambda):
        return argument is function.code.node
    return isinstance(argument, cst.Name) and argument.value == function.code.name


def _needed(
    it: Interpreter,
    code: Code,
    value: Value,
    node: cst.BaseExpression | None,
    names: frozenset[str],
) -> frozenset[str]:
    """The parameters without which there is no telling what program is wanted.

    They are called by what is passed, or it makes lengths and shapes from them.
    """
    base = base_function(value)
    made = None if base is None else base.code.node
    shaping = frozenset() if made is None else names & shaping_names(made)
    return dependencies(it, code, value, node) | shaping


def _add(
    it: Interpreter,
    passed: ArgumentPassed,
    frame: Frame,
    node: cst.BaseExpression,
    kind: Kind,
    fresh: str,
    hangs_on: frozenset[str],
) -> None:
    """Leave it to the calls of the function around whether an argument is another one each time."""
    uses = it.observations(JitUses)
    if id(node) in uses.sites:
        return
    place = Place(frame.parsed, node)
    uses.add(
        node,
        JitSite(
            kind=kind,
            place=place,
            owner=frame.code,
            qualname=frame.qualname,
            chain=frame.chain,
            operand=place.text(),
            callee=called_name(passed.function),
            fresh=fresh,
            loop=None,
            repeated=False,
            guarded=False,
            depends=hangs_on,
            in_test=frame.in_test,
        ),
    )


def _mentioned(
    it: Interpreter,
    part: Part,
    node: cst.BaseExpression,
    makers: Sequence[tuple[cst.Call, Code]] | None,
) -> frozenset[str]:
    """The names that say what an object is, or the part of it that is static."""
    if makers is not None:
        return _given_to_makers(it, part, makers)
    base = base_function(part.value)
    found: set[str] = set()
    if base is not None and base.closure and base.code.node is not None:
        found.update(base.code.free_names)
    if part.field and type(part.value) is Function:
        return frozenset(found)
    sources = _sources(it, node)
    given = [
        inner
        for source in sources
        for value in _given_for(part, source)
        for inner in _sources(it, value)
    ]
    found.update(*map(names_in, given or sources))
    # `state = step(state)` hands on what is static of it.
    return frozenset(found - {node.value}) if isinstance(node, cst.Name) else frozenset(found)


def _given_for(part: Part, source: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What the call that makes an object is given for a field, as far as that is plain to see."""
    for arg in source.args if part.field and isinstance(source, cst.Call) else ():
        named = arg.keyword is not None and arg.keyword.value == part.field
        if named or (type(part.value) is Partial and isinstance(arg.value, cst.Call)):
            yield arg.value


def _sources(it: Interpreter, node: cst.BaseExpression) -> list[cst.CSTNode]:
    """An expression; of a name, what it is bound to."""
    if not isinstance(node, cst.Name):
        return [node]
    return [*bound_to(it.frame, node.value)]


def _is_wanted(
    it: Interpreter,
    passed: ArgumentPassed,
    part: Part,
    mentioned: frozenset[str],
    loops: Sequence[cst.CSTNode],
) -> bool:
    """Whether each turn makes another object, not only a new one, and of more than an array can be.

    A number that is only computed with could be passed as an argument of its own.
    """
    varying = mentioned & bound_in_loops(it)
    held = {name: it.look_up(name) for name in varying}
    numbers = {name for name, value in held.items() if is_number(value)}
    if any(
        name not in numbers and not isinstance(value, (Array, Tree, Function))
        for name, value in held.items()
    ):
        return True
    base = base_function(part.value)
    if not numbers:
        return False
    if base is None or base.code.node is None or not isinstance(passed.node, cst.BaseExpression):
        return True
    if not is_only_computed_with(base.code.node, numbers):
        return True
    few = any(_is_display(loop) or is_few(it, loop) for loop in loops)
    return few or is_sweep(it, loops[0], passed.node)


def _note(
    it: Interpreter, passed: ArgumentPassed, made: str | None = None, field: str = ""
) -> None:
    applied = _application(passed.function)
    it.note(
        VaryingStaticArgument,
        passed.node,
        callee=called_name(passed.function),
        parameter=passed.parameter,
        declared=passed.static,
        made=made,
        field=field,
        caller=None,
        application=None if applied is None else applied.place,
        positional=() if applied is None else applied.positional,
    )


def _application(function: Value) -> Application | None:
    """How the function that is called was made, if its parameters are those that are written."""
    base = base_function(function)
    if base is None or not isinstance(function, Transformed):
        return None
    return application_of(function, base.code)
