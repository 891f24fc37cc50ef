"""Rules that a function brings for its derivatives: ``custom_jvp`` and ``custom_vjp``.

With ``custom_gradient`` it returns the rule itself, beside its value.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import find_traced, level_of
from jitlint.absint.modules.defaults import default_value
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.program.signatures import positional_parameters, visible_signature
from jitlint.absint.traces.running import capped, enter
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Level,
    Transformed,
    Tree,
    Tuple,
    Value,
    base_function,
)
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.transforms import Transform

#: kinds of functions with rules of their own for derivatives
WITH_RULES: Final = frozenset({"custom_jvp", "custom_vjp", "custom_gradient"})


def define_rules(it: Interpreter, function: Transformed, name: str, args: Arguments) -> Value:
    """``f.defvjp(fwd, bwd)``, ``f.defjvp(rule)``: the rules run when ``f`` is differentiated.

    Their arguments are those of ``f``, which are only traced where a transform traces ``f``; the
    tangents of a JVP rule are always abstract.
    """
    base = base_function(function)
    if base is None:
        return NONE
    it.reads.changed(base.code.module)
    key = ("rules", id(base.code))
    it.registered[key] = (*it.registered.get(key, ()), (name, args))
    it.expect(function)
    return args.positional[0] if args.positional else NONE


def is_differentiated(it: Interpreter, args: Arguments) -> bool:
    """Whether a function with rules is called to be differentiated, outside every other trace."""
    levels = [level_of(it, value) for value in args.values()]
    return Level.VALUE in levels and Level.ABSTRACT not in levels


def primals_of(it: Interpreter, args: Arguments) -> Arguments:
    """What a derivative alone hands to a function with rules: real arrays, no tracers of its own.

    Observed under JAX 0.10.2.
    """
    return replace(
        args,
        positional=[capped(it, value, Level.CONCRETE) for value in args.positional],
        keywords={name: capped(it, value, Level.CONCRETE) for name, value in args.keywords.items()},
    )


def staged_primals(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Arguments:
    """What a function with rules is given under jit: tracers, also of numbers that it is called by.

    What it declares as not differentiated stays as it is.  Observed under JAX 0.10.2.

    Args:
      it: the interpreter.
      function: the function.
      args: the arguments, in the order of its signature.
      node: the call.
    """
    kept = _nondiff(it, function)
    if kept is None or not it.frame.context.staging:
        return args
    positional = [
        value if index in kept else _staged(it, value, args.nodes, index, node)
        for index, value in enumerate(args.positional)
    ]
    return replace(args, positional=positional)


def _staged(
    it: Interpreter, value: Value, nodes: Sequence[cst.CSTNode], index: int, node: cst.CSTNode
) -> Value:
    if value == UNKNOWN or find_traced(it, value) is not None:
        return value
    place = nodes[index] if index < len(nodes) else node
    origin = it.origin(place, "an argument of a function with a derivative rule is traced")
    made = traced_argument(it, value, Level.ABSTRACT, origin=origin)
    return value if made == UNKNOWN else made


def is_rule_of(it: Interpreter, function: Transformed, code: Code | None) -> bool:
    """Whether some code is a rule of a function, which calls that without using it."""
    base = base_function(function)
    known = () if base is None or code is None else it.registered.get(("rules", id(base.code)), ())
    found = (base_function(rule) for _, rules in known for rule in rules.values())
    return any(rule is not None and rule.code is code for rule in found)


def run_rules(
    it: Interpreter, function: Transformed, args: Arguments, result: Value, node: cst.CSTNode
) -> None:
    """Run the differentiation rules of a function that a trace calls.

    Those of ``custom_vjp`` get real arrays where a derivative alone calls it.  Observed under JAX
    0.10.2.
    """
    base = base_function(function)
    if base is None:
        return
    if not it.frame.context.staging:
        if not is_differentiated(it, args):
            return
        args, result = primals_of(it, args), capped(it, result, Level.CONCRETE)
    key = ("rules", id(base.code))
    if key in it.resolving:
        # The derivative of a wrapper is a wrapper of the same kind, to any order.
        it.unfinished += 1
        return
    it.resolving.add(key)
    try:
        _run_all_rules(it, function, it.registered.get(key, ()), args, result, node)
    finally:
        it.resolving.discard(key)


def _run_all_rules(
    it: Interpreter,
    function: Transformed,
    registered: Iterable[tuple[str, Arguments]],
    args: Arguments,
    result: Value,
    node: cst.CSTNode,
) -> None:
    for name, rules in registered:
        nondiff = _nondiff(it, function)
        static = [args.positional[n] for n in nondiff or () if n < len(args.positional)]
        try:
            if name == "defvjp":
                residuals = _run_forward(it, rules, args, node)
                if nondiff is not None:
                    _run_backward(it, rules, static, residuals, result, node)
            elif not it.frame.context.staging:
                # A tangent of a derivative alone is its tracer.
                continue
            elif name == "defjvp" and nondiff is not None:
                primals = [v for i, v in enumerate(args.positional) if i not in nondiff]
                _run_jvp_rule(it, rules, static, primals, node)
            elif name == "defjvps":
                _run_jvp_rules(it, rules, args.positional, result, node)
        except Terminated:
            continue


def trace_rules(it: Interpreter, function: Transformed) -> None:
    """Run the rules of a function that nobody visibly calls, as derivatives in traced code do.

    What they are given certainly is a tracer there only for cotangents and tangents, and what is
    computed; of the rest annotations may tell. A function that cannot be traced itself is
    differentiated where nothing else is traced: all that its rules get are real arrays, but for the
    tangents of a derivative. Observed under JAX 0.10.2.
    """
    row = it.row(function.transform)
    base = base_function(function)
    nondiff = _nondiff(it, function)
    if row is None or base is None or nondiff is None:
        return
    node = function.place.node
    left_out = [UNKNOWN for _ in nondiff]
    code, offset = visible_signature(it, function.function)
    count = len(positional_parameters(code, offset)) - len(nondiff)
    if row.kind == "custom_gradient":
        returned = it.call(function.function, Arguments([UNKNOWN] * count), node)
        value_without_rule(it, row, returned, node, differentiated=True)
    for name, rules in it.registered.get(("rules", id(base.code)), ()):
        backward = name == "defvjp"
        rule = rules.get(1, "bwd") if backward else rules.get(0, "jvp")
        if rule is None or name not in ("defvjp", "defjvp") or count < 1:
            continue
        eager = _needs_values(it, function, row, nondiff, count)
        if backward and eager:
            continue
        origin = it.origin(node, "a cotangent" if backward else "a tangent")
        traced = Tree(Level.ABSTRACT, origin=origin)
        if backward:
            forward = rules.get(0, "fwd") or UNKNOWN
            made = enter(it, _traced(row), forward, [UNKNOWN] * (count + len(nondiff)), node)
            given = [_residuals(made), traced]
        else:
            given = [Tuple(tuple([UNKNOWN] * count)), Tuple(tuple([traced] * count))]
        enter(it, _traced(row, staging=not eager), rule, [*left_out, *given], node)


def value_without_rule(
    it: Interpreter, row: Transform, result: Value, node: cst.CSTNode, *, differentiated: bool
) -> Value:
    """The value of a function under ``custom_gradient``, which returns a rule beside it.

    The rule is traced by itself wherever the function is differentiated: its cotangents are
    abstract even where nothing else is traced.  Observed under JAX 0.10.2.

    Args:
      it: the interpreter.
      row: ``custom_gradient``.
      result: what the function returns.
      node: its call.
      differentiated: whether it certainly is, here.
    """
    if not isinstance(result, Tuple) or len(result.items) != 2:
        return UNKNOWN
    value, rule = result.items
    if differentiated or it.frame.context.staging:
        origin = it.origin(node, "the cotangent")
        cotangent: Value = Tree(Level.ABSTRACT, origin=origin)
        if value != UNKNOWN:
            cotangent = traced_argument(it, value, Level.ABSTRACT, origin=origin)
        enter(it, _traced(row), rule, [cotangent], node)
    return value


def _traced(row: Transform, *, staging: bool = True) -> Transform:
    """How a rule is run that JAX traces by itself."""
    return replace(row, abstract=True, staging=staging, traces="leaves")


def _needs_values(
    it: Interpreter, function: Transformed, row: Transform, nondiff: Sequence[int], count: int
) -> bool:
    """Whether a function with rules cannot be traced itself.

    It asks for values of what it is differentiated by or computes; a recalled call asks no more.
    """
    node = function.place.node
    traced = Tree(Level.ABSTRACT, origin=it.origin(node, "an argument"))
    given = [UNKNOWN if n in nondiff else traced for n in range(count + len(nondiff))]
    before, it.reported = it.reported, False
    try:
        with it.speculating(), it.branch(it.state.copy()):
            enter(it, _traced(row), function.function, given, node)
        if it.reported:
            it.registered["needs values", function] = True
    finally:
        it.reported = before
    return ("needs values", function) in it.registered


def in_signature_order(it: Interpreter, function: Transformed, args: Arguments) -> Arguments:
    """Arguments as JAX hands them to the rules: all positional, defaults filled in."""
    code, offset = visible_signature(it, function.function)
    if code is None or args.star is not None or args.star_keywords is not None:
        return args
    ordered = Arguments(list(args.positional), {}, nodes=list(args.nodes))
    rest = dict(args.keywords)
    for parameter in positional_parameters(code, offset)[len(args.positional) :]:
        if parameter.name in rest:
            ordered.positional.append(rest.pop(parameter.name))
        elif parameter.default is not None:
            ordered.positional.append(default_value(it, code, parameter))
        else:
            ordered.positional.append(UNKNOWN)
    ordered.keywords = rest
    return ordered


def _nondiff(it: Interpreter, function: Transformed) -> list[int] | None:
    """Positions that are not differentiated, in the order of the rules; None if not known."""
    given = [function.option(name) for name in ("nondiff_argnums", "nondiff_argnames")]
    numbers, names = (() if option is None else constant(option) for option in given)
    if numbers is ... or names is ...:
        return None
    found = [n for n in (numbers if isinstance(numbers, tuple) else (numbers,)) if n is not None]
    if names:
        code, offset = visible_signature(it, function.function)
        named = (names,) if isinstance(names, str) else names
        parameters = enumerate(positional_parameters(code, offset))
        found = sorted({*found, *(i for i, p in parameters if p.name in named)})
    return [n for n in found if isinstance(n, int)]


def _run_forward(it: Interpreter, rules: Arguments, args: Arguments, node: cst.CSTNode) -> Value:
    """The residuals that the forward rule leaves for the backward one."""
    forward = rules.get(0, "fwd")
    return UNKNOWN if forward is None else _residuals(it.call(forward, args, node))


def _residuals(made: Value) -> Value:
    """What a forward rule gives beside the value."""
    return made.items[1] if isinstance(made, Tuple) and len(made.items) == 2 else UNKNOWN


def _run_backward(
    it: Interpreter,
    rules: Arguments,
    static: Sequence[Value],
    residuals: Value,
    result: Value,
    node: cst.CSTNode,
) -> None:
    backward = rules.get(1, "bwd")
    if backward is None:
        return
    cotangent: Value = UNKNOWN
    if not it.frame.context.staging:
        cotangent = result
    elif result != UNKNOWN:
        origin = it.origin(node, "the cotangent")
        cotangent = traced_argument(it, result, Level.ABSTRACT, origin=origin)
    it.call(backward, Arguments([*static, residuals, cotangent]), node)


def _run_jvp_rule(
    it: Interpreter,
    rules: Arguments,
    static: Sequence[Value],
    primals: Sequence[Value],
    node: cst.CSTNode,
) -> None:
    rule = rules.get(0, "jvp")
    if rule is None:
        return
    origin = it.origin(node, "a tangent")
    tangents = (traced_argument(it, each, Level.ABSTRACT, origin=origin) for each in primals)
    it.call(rule, Arguments([*static, Tuple(tuple(primals)), Tuple(tuple(tangents))]), node)


def _run_jvp_rules(
    it: Interpreter,
    rules: Arguments,
    primals: Sequence[Value],
    result: Value,
    node: cst.CSTNode,
) -> None:
    """``f.defjvps(rule, None)``: one rule for each argument, given its tangent and the result."""
    origin = it.origin(node, "a tangent")
    for rule, primal in zip(rules.positional, primals, strict=False):
        if rule != NONE:
            tangent = traced_argument(it, primal, Level.ABSTRACT, origin=origin)
            it.call(rule, Arguments([tangent, result, *primals]), node)
