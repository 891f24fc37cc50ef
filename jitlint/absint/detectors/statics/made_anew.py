"""Objects and functions that equal nothing that was passed before: they are made anew each time.

A static argument or a static part of one that is new in every turn of a loop has JAX compile in
every turn; what is new in every call of the function around is judged with its calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted
from jitlint.absint.detectors.compilation.counted_numbers import is_display, is_few
from jitlint.absint.detectors.compilation.eager_calls import is_sweep
from jitlint.absint.detectors.compilation.jit_sites import NEEDED, Kind
from jitlint.absint.detectors.statics.static_parts import Part
from jitlint.absint.detectors.statics.varying_notes import add_site, freshly, note_varying
from jitlint.absint.detectors.surroundings.filling import is_guarded
from jitlint.absint.detectors.surroundings.loop_variables import bound_in_loops, given_by_name
from jitlint.absint.detectors.surroundings.paths import lasting_loops, names_in
from jitlint.absint.detectors.surroundings.written import bound_to
from jitlint.absint.detectors.variants.fixed_arguments import value_named
from jitlint.absint.detectors.variants.freshness import (
    OPTIMIZER,
    dependencies,
    is_made_below,
    newness,
    shaping_names,
)
from jitlint.absint.detectors.variants.numeric import is_of_numbers, is_only_computed_with
from jitlint.absint.detectors.variants.origins import origins
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import ArgumentPassed
from jitlint.absint.program.members import find_in_class
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Class,
    External,
    ExternalInstance,
    Function,
    Partial,
    Transformed,
    Tree,
    Value,
    base_function,
)
from jitlint.absint.values.statics import is_int_or_float
from jitlint.jaxmodel import frameworks
from jitlint.jaxmodel.transforms import COMPILING

#: what JAX finds again by its identity alone
_MADE_ANEW: Final = frozenset(
    {"lambda", "nested function", "partial", "callable instance", "transformed function", OPTIMIZER}
)


def note_made_anew(
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
    jitted = type(part.value) is Transformed and part.value.transform in COMPILING
    env, made_in = it.lifetime(base_function(part.value) or part.value if jitted else part.value)
    if is_guarded(frame, node):
        return
    loops = lasting_loops(frame, node)
    makers = None
    if env != frame.env:
        ended = all(active.env != env for active in it.active_frames())
        below = ended and is_made_below(it, part.value, env)
        looped = made_in & set(map(id, loops))
        makers = _makers(it, node, below=below) if ended or looped else None
        if makers is None:
            _handed_on(it, passed, part, kind, env)
            return
    mentioned = _mentioned(it, part, _receiver(passed, node), makers)
    if made_in & set(map(id, loops)):
        if not _is_wanted(it, passed, part, mentioned, loops):
            note_varying(it, passed, kind, part.field)
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
        add_site(
            it, passed, frame, node, Kind.STATIC_ARGUMENT, freshly(passed, part, kind), depends
        )


def _makers(
    it: Interpreter, node: cst.BaseExpression, *, below: bool
) -> list[tuple[cst.Call, Code]] | None:
    """The calls that give what an expression stands for, of functions that keep nothing of it.

    Args:
      it: the interpreter.
      node: the expression.
      below: whether it was made in the course of the running call.

    Returns:
      None where anything else gives it, too.
    """
    sources, found = _sources(it, node), []
    if isinstance(node, cst.Name):
        # `state = step(state)` hands on what is static of it.
        others = [source for source in sources if node.value not in names_in(source)]
        sources = others or (sources if below else [])
    for source in sources:
        if not isinstance(source, cst.Call):
            return None
        with it.speculating():
            maker = it.ev(source.func)
        rule = _fills_itself if isinstance(maker, Class) else _stores_nothing
        if isinstance(maker, Class):
            own_init = find_in_class(it, maker, "__init__")
            maker = UNKNOWN if own_init is None else own_init[1]
        function = base_function(maker)
        if function is None or function.code.unit.decorated or it.load(function.code) is None:
            return None
        if not it.frame.parsed.fact(rule, function.code):
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
        of_field = {name for value in _given_to_field(code, part) for name in names_in(value)}
        names = {parameter.name for parameter in code.parameters}
        follows = origins(it, code.node, names, frozenset(of_field)) if of_field else names
        for name, value in given_by_name(code, call):
            if name in follows:
                found.update(names_in(value))
    return frozenset(found)


def _given_to_field(code: Code, part: Part) -> Iterator[cst.BaseExpression]:
    """What a function that makes an object gives a field: by keyword, or as its constructor."""
    for inner in code.own_nodes if part.field else ():
        if isinstance(inner, cst.Call):
            for arg in inner.args:
                if arg.keyword is not None and arg.keyword.value == part.field:
                    yield arg.value
        elif isinstance(inner, cst.Assign):
            targets = (dotted(target.target) for target in inner.targets)
            yield from (inner.value for path in targets if path == f"self.{part.field}")


def _stores_nothing(code: Code) -> bool:
    """Whether a function changes nothing but its own names, as far as its text tells."""
    return not any(True for _ in _stored(code))


def _fills_itself(code: Code) -> bool:
    """Whether a constructor changes nothing but the object that it makes."""
    return all(
        isinstance(target, cst.Attribute) and dotted(target) == f"self.{target.attr.value}"
        for target in _stored(code)
    )


_STORING: Final = (cst.AssignTarget, cst.AugAssign, cst.AnnAssign)
_OWN_NAMES: Final = (cst.Name, cst.Tuple, cst.List)


def _stored(code: Code) -> Iterator[cst.BaseExpression | None]:
    """What a function changes that is no name of its own; None for other names."""
    for inner in code.own_nodes:
        if isinstance(inner, (cst.Global, cst.Nonlocal, cst.NamedExpr)):
            yield None
        elif isinstance(inner, _STORING) and not isinstance(inner.target, _OWN_NAMES):
            yield inner.target


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
    add_site(it, passed, frame, given, Kind.STATIC_ARGUMENT, freshly(passed, part, kind), depends)


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
        for value in _given_for(it, part, source)
        for inner in _sources(it, value)
    ]
    found.update(*map(names_in, given or sources))
    # `state = step(state)` hands on what is static of it.
    return frozenset(found - {node.value}) if isinstance(node, cst.Name) else frozenset(found)


def _given_for(it: Interpreter, part: Part, source: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """What the call that makes an object is given for a field, as far as that is plain to see."""
    value = part.value
    for arg in source.args if part.field and isinstance(source, cst.Call) else ():
        named = arg.keyword is not None and arg.keyword.value == part.field
        of_partial = type(value) is Partial and isinstance(arg.value, cst.Call)
        cls = value.cls if isinstance(value, ExternalInstance) and arg.keyword is None else None
        if named or of_partial or (cls is not None and _gives(it, arg.value, cls)):
            yield arg.value


def _gives(it: Interpreter, node: cst.BaseExpression, cls: str) -> bool:
    """Whether an expression plainly gives an object of a class of a library."""
    if isinstance(node, cst.Call):
        callee = value_named(it, node.func)
        fact = frameworks.lookup(callee.name) if isinstance(callee, External) else None
        return fact is not None and fact.returns == f"object:{cls}"
    value = it.look_up(node.value) if isinstance(node, cst.Name) else None
    return isinstance(value, ExternalInstance) and value.cls == cls


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
    if isinstance(passed.node, cst.Name) and is_of_numbers(it, passed.node.value):
        # What is made of numbers alone can be made of arguments, in the function itself.
        return any(is_display(loop) or is_few(it, loop) for loop in loops)
    held = {name: it.look_up(name) for name in varying}
    numbers = {name for name, value in held.items() if is_int_or_float(value)}
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
    if not is_only_computed_with(it, base.code.node, numbers, base.code):
        return True
    few = any(is_display(loop) or is_few(it, loop) for loop in loops)
    return few or is_sweep(it, loops[0], passed.node)
