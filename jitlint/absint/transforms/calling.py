"""Calls of what a transform made, and of its methods."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.code.functions import Code
from jitlint.absint.library.registry import Call, method
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import ProgramNeeded, WorkDispatched
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.signals import CacheCleared, TransformedCalled, TransformedLeft
from jitlint.absint.machine.verbs import calls_of, verb
from jitlint.absint.modules.names import global_value
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.packages.stages import FUNCTION, RESULT, as_each_call_gives, first_stage
from jitlint.absint.program.buffers import reads_arguments
from jitlint.absint.program.signatures import positional_parameters, visible_signature
from jitlint.absint.traces.opaque import certain_result, differentiated
from jitlint.absint.traces.options import static_parameters
from jitlint.absint.traces.running import trace
from jitlint.absint.transforms.circumstances import circumstances
from jitlint.absint.transforms.custom_rules import (
    WITH_RULES,
    define_rules,
    in_signature_order,
    is_differentiated,
    is_rule_of,
    primals_of,
    run_rules,
    staged_primals,
    value_without_rule,
)
from jitlint.absint.transforms.declared_static import run_variants
from jitlint.absint.transforms.derivatives import gradient, with_aux
from jitlint.absint.transforms.equinox import run_filter_rules
from jitlint.absint.transforms.wrapping import called_method
from jitlint.absint.values.domain import (
    NONE,
    REPORTED,
    STATIC,
    UNKNOWN,
    Array,
    BoundMethod,
    Class,
    External,
    Function,
    Level,
    Partial,
    Ref,
    Transformed,
    Tuple,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.statics import python_type
from jitlint.absint.values.traversal import rebuilt
from jitlint.jaxmodel.transforms import COMPILED, COMPILING

#: dtypes of arrays that stand for numbers
_NUMBERS: Final = frozenset({"bool", "int", "float"})


def use_key(made: Transformed) -> tuple[int, int]:
    """Which function a place transforms: a decorator of the project's own transforms many."""
    base = base_function(made.function)
    return id(made.place.node), 0 if base is None else id(base.code)


def receiver_class(it: Interpreter, made: Transformed) -> Class | None:
    """The class of the object that a transformed method is bound to, where it was made."""
    method = made.function
    if not isinstance(method, BoundMethod) or not isinstance(method.receiver, Ref):
        return None
    state = it.transformed.get(made) or it.inherited[made]
    contents = state.get(method.receiver.id)
    return contents.cls if isinstance(contents, Instance) else None


@calls_of(Transformed)
def _call_in_program(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Value:
    base = base_function(function)
    if base is not None and it.frame.context.replaces(base.code):
        it.omit(Reason.REPLACED, node, base.code.qualname)
        return UNKNOWN
    if it.trace is not None:
        return _call_in_trace(it, function, args, node)
    compiled_for = _compiled_for(it, function, args)
    it.signal(TransformedCalled(function))
    reads_arguments(it, args, node)
    before, it.captured = it.captured, {}
    try:
        result = call_transformed(it, function, args, node)
    finally:
        it.signal(TransformedLeft(function, compiled_for, node))
        it.captured = before
    if function.transform in COMPILING and result != REPORTED:
        it.signal(ProgramNeeded(function, args, node, compiled_for))
    row = it.row(function.transform)
    if row is not None and row.gives != "static" and result != REPORTED:
        it.signal(WorkDispatched(function.transform, node, program=True, function=function))
    return _given_back(result) if function.transform in COMPILING else result


def _call_in_trace(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Value:
    """What is jitted in a trace is kept beyond it: the next trace finds it (seen under 0.10.2)."""
    if function.transform not in COMPILING:
        return call_transformed(it, function, args, node)
    before, it.captured = it.captured, {}
    try:
        return call_transformed(it, function, args, node)
    finally:
        it.signal(TransformedLeft(function, _compiled_for(it, function, args), node))
        found, it.captured = it.captured, before
        it.captures(found)


def _given_back(result: Value) -> Value:
    """What a compiled function gives to host code: numbers come back as arrays."""
    if isinstance(result, Tuple):
        return rebuilt(result, _given_back)
    kind = python_type(result)
    return Array(Level.CONCRETE, dtype=kind, rank=0) if kind in _NUMBERS else result


def _compiled_for(
    it: Interpreter, function: Transformed, args: Arguments
) -> tuple[tuple[int | str, Value], ...]:
    """The static arguments of a call, which decide what was compiled."""
    code, offset = visible_signature(it, function.function)
    static = static_parameters(function, positional_parameters(code, offset))
    given = [(index, value) for index, value in enumerate(args.positional) if static.at(index)]
    named = [(name, value) for name, value in args.keywords.items() if name in static.names]
    return (*given, *named)


def _misfits(code: Code, args: Arguments) -> bool:
    """Whether a call passes too many arguments, or leaves out some without a default."""
    if args.open or args.star is not None or args.star_keywords is not None:
        return False
    by_position = [each for each in code.parameters if each.kind.startswith("positional")]
    count = len(args.positional)
    if count > len(by_position) and not any(each.kind == "*" for each in code.parameters):
        return True
    by_name = [each for each in code.parameters if each.kind == "keyword"]
    return any(
        each.default is None and each.name not in args.keywords
        for each in (*by_position[count:], *by_name)
    )


def call_transformed(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Value:
    """Run a transformed function: its arguments become what the transform makes of them."""
    row = it.row(function.transform)
    if row is None:
        return UNKNOWN
    plain = function.function
    if type(plain) is Function and row.name in COMPILING and _misfits(plain.code, args):
        # A TypeError: nothing is traced, and what follows is never reached.
        raise Terminated
    if it.frame.context.disabled and row.name in COMPILING:
        base = base_function(function)
        if base is not None and (base.closure or _is_wrapped(it, base)):
            # A function within a function, or one of which a decorator has made another: nobody but
            # its own program calls it, and does so here.
            it.called[use_key(function)] = function
        return it.call(function.function, args, node)
    has_rules = row.kind in WITH_RULES
    if not (has_rules and is_rule_of(it, function, it.frame.code)):
        it.called[use_key(function)] = function
    method = called_method(it, function.function)
    if method is not None:
        through = Transformed(method, function.transform, (), function.place)
        it.called[use_key(through)] = through
    if has_rules:
        args = in_signature_order(it, function, args)
    differentiates = has_rules and is_differentiated(it, args)
    given = primals_of(it, args) if differentiates else args
    if has_rules:
        given = staged_primals(it, function, given, node)
    with circumstances(it, function):
        result = trace(it, function, row, given, node)
    if row.kind == "custom_gradient":
        result = value_without_rule(it, row, result, node, differentiated=differentiates)
    if differentiates:
        result = traced_argument(it, result, Level.VALUE)
    elif has_rules and it.frame.context.staging and result != UNKNOWN:
        result = traced_argument(it, result, Level.ABSTRACT)
    run_variants(it, function, row, given, node)
    if row.kind == "wrap":
        stand_in = Partial(External("jitlint.keep"), (result,), ())
        making = Arguments([stand_in], dict(function.options))
        it.run_source(row.name, [("", making), ("", args)], node)
    if has_rules:
        run_rules(it, function, args, result, node)
    elif row.kind == "filter_custom" and not is_rule_of(it, function, it.frame.code):
        run_filter_rules(it, function, args, result, node)
    if row.gives == "static":
        return STATIC
    if row.gives == "gradient":
        return with_aux(function, gradient(it, function, args, node), result)
    if row.gives == "value_and_gradient":
        value = differentiated(it, result, function.option("has_aux"), node)
        return Tuple((value, gradient(it, function, args, node)))
    return certain_result(it, function, row, result, node)


def _is_wrapped(it: Interpreter, base: Function) -> bool:
    """Whether a function of a module is decorated, and its name is that of another function."""
    code = base.code
    if not code.unit.decorated or code.unit.qualname != code.name:
        return False
    named = members_of(global_value(it, code.module, code.name))
    return UNKNOWN not in named and base not in map(base_function, named)


@verb("transformed method")
def _call_method(
    it: Interpreter, name: str, function: Value, args: Arguments, node: cst.CSTNode
) -> Value:
    """``jitted.lower(x)``, ``f.defvjp(fwd, bwd)`` ..."""
    if not isinstance(function, Transformed):
        return UNKNOWN
    if name == "clear_cache" and it.trace is None:
        it.signal(CacheCleared(function, node))
        return NONE
    if name in ("defvjp", "defjvp", "defjvps", "def_vmap", "def_jvp", "def_fwd", "def_bwd"):
        return define_rules(it, function, name, args)
    if name in ("lower", "trace", "eval_shape"):
        before, it.running = it.running, False
        try:
            result = call_transformed(it, function, args, node)
        finally:
            it.running = before
        if it.trace is None:
            it.signal(ProgramNeeded(function, args, node, ahead=True))
            return first_stage(name, function, _given_back(result))
    return UNKNOWN


@method(COMPILED, "__call__")
def _call_compiled(it: Interpreter, call: Call) -> Value:
    """A program that was compiled ahead of its calls; under a trace JAX refuses to call it."""
    kept: dict[str, Value] = dict(call.receiver.attributes)
    function = kept[FUNCTION]
    if it.trace is not None or not isinstance(function, Transformed):
        return UNKNOWN
    reads_arguments(it, call.args, call.node)
    it.signal(WorkDispatched(function.transform, call.node, program=True, function=function))
    options = [name for name, _ in function.options]
    row = it.row(function.transform)
    if row is None or not any(name.startswith("donate") for name in options):
        return kept[RESULT]
    if any(name.startswith("static") for name in options):
        # It is called without them.
        return kept[RESULT]
    return as_each_call_gives(_given_back(trace(it, function, row, call.args, call.node)))
