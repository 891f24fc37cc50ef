"""What the tables of functions say of a call: parameters that must be static, shapes, failures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Final

import libcst as cst

from jitlint.absint.events import (
    Conversion,
    DataDependentShape,
    NumpyCall,
    StaticParameter,
)
from jitlint.absint.library.concretization import compares
from jitlint.absint.library.registry import Call
from jitlint.absint.machine.always import facts_of_operands
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import Asked
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import DtypeAsked
from jitlint.absint.machine.tracers import find_traced, level_of, sure_array, sure_tree
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.packages.results import fact_result
from jitlint.absint.values.domain import (
    NONE,
    UNKNOWN,
    Array,
    Const,
    External,
    Level,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.jaxmodel.concretization import BOOL_ERRORS
from jitlint.jaxmodel.functions import FunctionFact, Parameter, is_of_pytorch
from jitlint.jaxmodel.wide_dtypes import BY_NAME, PARAMETERS


class Bound:
    """Arguments of a library call by parameter name."""

    __slots__ = ("nodes", "values")

    def __init__(self, parameters: Sequence[Parameter] | None, args: Arguments) -> None:
        self.values: dict[str, Value] = {}
        self.nodes: dict[str, cst.CSTNode] = {}
        positional = [p for p in parameters or () if p.kind in ("positional", "either")]
        variadic = next((p for p in parameters or () if p.kind == "var_positional"), None)
        for parameter, value in zip(positional, args.positional, strict=False):
            self.values[parameter.name] = value
        for parameter, where in zip(positional, args.nodes, strict=False):
            self.nodes[parameter.name] = where
        rest = args.positional[len(positional) :]
        if variadic is not None and rest:
            self.values[variadic.name] = rest[0] if len(rest) == 1 else Tuple(tuple(rest))
            if len(args.nodes) > len(positional):
                self.nodes[variadic.name] = args.nodes[len(positional)]
        self.values.update(args.keywords)
        self.nodes.update(args.keyword_nodes)


def may_be_traced(it: Interpreter, call: Call) -> bool:
    """Whether a tracer may be among the arguments: one is, or nothing is known of one."""
    return any(value == UNKNOWN or level_of(it, value) is not None for value in call.args.values())


def apply_fact(it: Interpreter, fact: FunctionFact, call: Call) -> Value:
    """Judge a call by its row and give its result."""
    bound = Bound(fact.parameters, call.args)
    if is_of_pytorch(fact, call.keywords):
        it.fails("TypeError")
    if fact.name.startswith("jax."):
        _tell_dtype(it, call, fact, bound)
    return (
        reports_static(it, call, fact.must_be_static, bound, fact.unless_given)
        or _reports_shape(it, call, fact, bound)
        or _reports_failure(it, call, fact, bound)
        or fact_result(it, fact, call, bound.values)
    )


def _tell_dtype(it: Interpreter, call: Call, fact: FunctionFact, bound: Bound) -> None:
    """Tell that an array of a dtype is asked for."""
    if fact.name in BY_NAME:
        callee = call.node.func if isinstance(call.node, cst.Call) else call.node
        it.signal(DtypeAsked(External(fact.name), callee, callee))
    if not fact.returns.startswith("array"):
        return
    for parameter in PARAMETERS:
        if parameter in bound.values:
            node = bound.nodes.get(parameter, call.node)
            it.signal(DtypeAsked(bound.values[parameter], node, call.node))


# -- parameters that must be static ---------------------------------------------------------------

#: what other spellings of an argument give (``n``, ``(n, 2)``)
_STATIC_ERRORS: Final = (
    "jax.errors.ConcretizationTypeError",
    "jax.errors.TracerIntegerConversionError",
    "jax.errors.TracerBoolConversionError",
    "TypeError",
    "ValueError",
)


def reports_static(
    it: Interpreter,
    call: Call,
    must_be_static: Mapping[str, tuple[str, ...]],
    bound: Bound,
    unless_given: Mapping[str, str] = MappingProxyType({}),
) -> Value | None:
    """Report a traced argument of a parameter that must be static; the result if reported."""
    for parameter, seen in must_be_static.items():
        value = bound.values.get(parameter)
        if value is None or unless_given.get(parameter) in bound.values:
            continue
        traced = _static_tracer(it, value)
        if traced is not None:
            place = _culprit(it, call, value, bound.nodes.get(parameter))
            known = "" if parameter in _UNNAMED else parameter
            raised = (*seen, *(error for error in _STATIC_ERRORS if error not in seen))
            callee = call.callee(it)
            return call.report(
                it, StaticParameter, traced, raised, place, callee=callee, parameter=known
            )
    return None


#: parameters that take several arguments, and have no name for callers
_UNNAMED: Final = frozenset({"args", "operands"})


def _culprit(
    it: Interpreter, call: Call, value: Value, node: cst.CSTNode | None
) -> cst.CSTNode | None:
    """Where the traced part of an argument stands, that may have several."""
    if not isinstance(value, Tuple):
        return node
    index = next((i for i, item in enumerate(value.items) if _static_tracer(it, item)), 0)
    nodes = call.args.nodes
    if node in nodes and call.args.positional[nodes.index(node)] is not value:
        index += nodes.index(node)
        return nodes[index] if index < len(nodes) else node
    if isinstance(node, cst.Tuple) and len(node.elements) == len(value.items):
        element = node.elements[index]
        return _culprit(it, call, value.items[index], element.value)
    return node


def _static_tracer(it: Interpreter, value: Value) -> Array | Tree | None:
    """The tracer in what must be static, itself or among the items of a shape."""
    traced = sure_array(value)
    if traced is not None:
        return traced
    if isinstance(value, Tree) and value.level is Level.ABSTRACT:
        return value
    found = None if isinstance(value, Static) else sequence_items(it, value)
    if found is None:
        return None
    element, items = found
    for item in (element,) if items is None else items:
        inner = _static_tracer(it, item) if isinstance(item, Tuple) else sure_array(item)
        if isinstance(inner, Array):
            return inner
        tree = sure_tree(item)
        if tree is not None:
            return tree
    return None


# -- shapes that depend on values -----------------------------------------------------------------


def _reports_shape(it: Interpreter, call: Call, fact: FunctionFact, bound: Bound) -> Value | None:
    rule = fact.data_dependent
    if rule is None or call.starred:
        return None
    if rule.when_arity is not None and len(call.positional) != rule.when_arity:
        return None
    if rule.when_arity is not None and {"x", "y"} & call.args.keywords.keys():
        # `where(c, x=0, y=1)` is no call for indices, in whichever release it is allowed.
        return None
    for escape in rule.escapes:
        given = bound.values.get(escape, NONE)
        if given == NONE:
            continue
        allowed = rule.escape_values.get(escape)
        if allowed is None or not isinstance(given, Const) or str(given.value) in allowed:
            return None
    if it.trace is None:
        # The shape is known once the values are.
        it.signal(Asked(call.operands, ()))
        return None
    # Under jit JAX stages what it is given besides, too.
    staged = rule.applies == "any" and it.frame.context.staging
    operands = [bound.values[name] for name in rule.operand if name in bound.values]
    of_array = isinstance(call.receiver, Array)
    if of_array and "self" in rule.operand:
        operands.append(call.receiver)
    if not operands and not of_array:
        operands = call.positional[:1]
    if staged:
        operands += call.operands
    tracers = (find_traced(it, value, 2) for value in operands)
    traced = next((tracer for tracer in tracers if tracer is not None), None)
    if traced is None and not staged:
        return None
    place = next((bound.nodes[name] for name in rule.operand if name in bound.nodes), None)
    raised = tuple(dict.fromkeys((*rule.exceptions, BOOL_ERRORS[0])))
    callee, help_ = call.callee(it), f"{rule.escapes[0]}=" if rule.escapes else None
    return call.report(it, DataDependentShape, traced, raised, place, callee=callee, escape=help_)


# -- operands that must not be traced -------------------------------------------------------------

#: what looks at everything that its arguments hold
_READ_ALL: Final = frozenset({"json", "numpy", "pickle", "scipy", "statistics"})
_SUM_UP: Final = frozenset({"math.dist", "math.fsum"})
#: options by which JSON's users say what becomes of objects that it does not know
_ENCODES: Final = frozenset({"default", "cls"})
#: NumPy makes an array of a list, but for these, which swap its items
_SWAP_ITEMS: Final = frozenset({"numpy.random.shuffle", "numpy.random.Generator.shuffle"})


def _reports_failure(it: Interpreter, call: Call, fact: FunctionFact, bound: Bound) -> Value | None:
    if not fact.fails_on_tracer:
        return None
    root = fact.name.partition(".")[0]
    makes_arrays = root in ("numpy", "scipy")
    orders = root in ("bisect", "heapq")
    reads_all = root in _READ_ALL and fact.name not in _SWAP_ITEMS
    if root == "json" and _ENCODES & call.keywords.keys():
        return None
    depth = 2 if reads_all or fact.name in _SUM_UP else 0
    for value, place in _operands(call, fact, bound):
        if orders and isinstance(value, Tuple) and value.items:
            # Entries are compared by their first parts.
            value = value.items[0]
        traced = None if value is None else converted_tracer(it, value, depth)
        if traced is None or (fact.silently_wrong and traced.level is not Level.ABSTRACT):
            continue
        raised = () if fact.silently_wrong else fact.fails_on_tracer
        callee = call.callee(it)
        if orders:
            return compares(it, call, traced, place)
        if makes_arrays:
            silent = fact.silently_wrong
            always = facts_of_operands(call.args.values())
            return call.report(
                it, NumpyCall, traced, raised, place, callee=callee, silent=silent, always=always
            )
        place = place or receiver_node(call.node)
        return call.report(it, Conversion, traced, raised, place, callee=callee)
    return None


def _operands(
    call: Call, fact: FunctionFact, bound: Bound
) -> Sequence[tuple[Value | None, cst.CSTNode | None]]:
    """The arguments of a call that must not be traced, and where they stand."""
    nodes = call.args.nodes[: len(call.positional)]
    positional = list(zip_longest(call.positional, nodes))
    if fact.silently_wrong:
        return positional[: len(nodes)]
    if fact.dispatches_to_method and isinstance(call.first, (Tuple, Ref)):
        # A list of tracers has no such method: NumPy converts each of them.
        others = [name for name in fact.fails_parameters if name in bound.nodes]
        return [*positional[:1], *((bound.values[name], bound.nodes[name]) for name in others)]
    if fact.name == "numpy.searchsorted" and isinstance(call.first, (Array, Tree)):
        return ()
    if fact.fails_parameters:
        return [(bound.values.get(name), bound.nodes.get(name)) for name in fact.fails_parameters]
    named = [(value, call.args.keyword_nodes.get(name)) for name, value in call.keywords.items()]
    return [*positional, *named]


def converted_tracer(it: Interpreter, value: Value, depth: int) -> Array | Tree | None:
    """The tracer that a function which needs its value would be given, None if none for sure."""
    traced = find_traced(it, value, depth, Level.VALUE)
    return sure_tree(traced) if isinstance(traced, Tree) else traced


def receiver_node(node: cst.CSTNode) -> cst.CSTNode:
    """The object whose method is called, the call itself if it is none of a method."""
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.value
    return node
