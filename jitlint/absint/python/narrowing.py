"""What a test tells about the values it mentions, where Python narrows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import libcst as cst

from jitlint.absint.code.conditions import filled_in_place, named_conditions
from jitlint.absint.code.functions import Code
from jitlint.absint.code.syntax import dotted, is_none, walk_own
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.objects.narrowing import Changes, narrow
from jitlint.absint.operations.settings import setting_of, settings_of
from jitlint.absint.operations.types import narrow_type
from jitlint.absint.python.scalars import scalar_outcome, take_for_scalars
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    Const,
    External,
    Flag,
    Function,
    Level,
    Tree,
    Tuple,
    Union,
    Unknown,
    Value,
    known_bool,
    members_of,
)
from jitlint.absint.values.heap import EAGER, Instance, State, Variables
from jitlint.absint.values.narrowed import (
    alternatives,
    by_callable,
    by_constant,
    by_none,
    by_truth,
    keyed,
    no_array,
    no_bare_array,
    no_tracer,
)
from jitlint.absint.values.statics import python_type
from jitlint.absint.values.told import is_none_of, is_one_of, of_kind, with_key
from jitlint.jaxmodel.functions import array_attribute, array_method


@contextmanager
def assumed(it: Interpreter, test: cst.BaseExpression, truth: bool) -> Iterator[None]:
    """Evaluate something under an assumption that ends with it."""
    before = dict(it.state.assumed)
    changed = assume(it, test, truth)
    try:
        yield
    finally:
        it.state.assumed = before
        for env, name, value in reversed(changed):
            contents = it.edit(env)
            if isinstance(contents, Variables):
                contents[name] = value
            elif isinstance(contents, Instance):
                contents.attributes[name] = value


def settled_flags(it: Interpreter) -> dict[str, bool]:
    """What the current state knows of the flags of objects."""
    return {key: truth for key, truth in it.state.assumed.items() if key.startswith("<flag")}


@contextmanager
def settled(it: Interpreter, flags: dict[str, bool]) -> Iterator[None]:
    """Evaluate something where some flags of objects are known."""
    if not flags:
        yield
        return
    before = dict(it.state.assumed)
    it.state.assumed.update(flags)
    try:
        yield
    finally:
        it.state.assumed = before


def assume(it: Interpreter, test: cst.BaseExpression, truth: bool) -> Changes:
    """Narrow the current state to the paths on which the test has this outcome."""
    if type(test) is cst.UnaryOperation and type(test.operator) is cst.Not:
        return assume(it, test.expression, not truth)
    if type(test) is cst.BooleanOperation:
        if (type(test.operator) is cst.And) is truth:
            return assume(it, test.left, truth) + assume(it, test.right, truth)
        return _by_either(it, test, truth)
    if scalar_outcome(it, test) is truth:
        return take_for_scalars(it)
    if type(test) is cst.Name:
        changes = _by_itself(it, test, truth)
        if it.frame.code is not None:
            _remember(it, it.frame.code, test.value, truth)
        for condition in _conditions_named(it, test.value, truth):
            changes += assume(it, condition, truth)
        return changes
    if type(test) is cst.NamedExpr:
        return narrow(it, test.target, lambda value: by_truth(value, truth))
    if type(test) is cst.Comparison and len(test.comparisons) == 1:
        return _by_comparison(it, test, truth)
    if type(test) is cst.Call:
        return _by_call(it, test, truth)
    return _by_itself(it, test, truth)


def _remember(it: Interpreter, code: Code, name: str, truth: bool) -> None:
    """Keep in mind how a variable of which little is known comes out, until it changes."""
    variables = it.contents(it.frame.env)
    value = variables.get(name) if isinstance(variables, Variables) else None
    if isinstance(value, (Unknown, Union)) and name not in it.frame.parsed.fact(
        filled_in_place, code
    ):
        it.state.assumed[name] = truth


def _conditions_named(it: Interpreter, name: str, truth: bool) -> Sequence[cst.BaseExpression]:
    """The conditions of which one outcome of a name tells the outcome."""
    code = it.frame.code
    if code is None or name not in (known := it.frame.parsed.fact(named_conditions, code)):
        return ()
    conditions, is_all = known[name]
    return conditions if truth or is_all else ()


def assuming(it: Interpreter, test: cst.BaseExpression, truth: bool) -> State:
    """A copy of the current state in which a test has come out one way."""
    before = it.state
    it.state = before.copy()
    try:
        assume(it, test, truth)
        return it.state
    finally:
        it.state = before


def _by_itself(it: Interpreter, test: cst.BaseExpression, truth: bool) -> Changes:
    """What is left of a value that counts as true, or as false."""
    filled = _is_filled(it, test)

    def settled(value: Value) -> Value:
        if type(value) is Flag:
            # It was passed on before, too.
            it.state.assumed[value.name] = truth
            return Const(truth, value.name)
        return alternatives(value, truth) if filled else by_truth(value, truth)

    return narrow(it, test, settled)


def _by_either(it: Interpreter, test: cst.BooleanOperation, truth: bool) -> Changes:
    """What is left of ``a and b`` that is false, of ``a or b`` that is true: if one is not so, ...

    ... the other one is.  Where both ask for tracers one of them has found none.
    """
    for part, other in ((test.left, test.right), (test.right, test.left)):
        if any(type(inner) is cst.Call for inner in walk_own(part)) and not _asks_type(part):
            continue
        with it.speculating(), it.branch(it.state.copy()):
            known = known_bool(it.ev(part))
        if known is (not truth):
            return assume(it, other, truth)
    if not truth and all(
        _asks_type(part) and "Tracer" in it.frame.parsed.source(part)
        for part in (test.left, test.right)
    ):
        it.state.assumed[EAGER] = True
    return []


def _asks_type(test: cst.BaseExpression) -> bool:
    return type(test) is cst.Call and dotted(test.func) == "isinstance"


def _by_comparison(it: Interpreter, test: cst.Comparison, truth: bool) -> Changes:
    target = test.comparisons[0]
    operator, other = type(target.operator), target.comparator
    positive = truth is (operator in (cst.Is, cst.Equal, cst.In))
    if operator in (cst.Is, cst.IsNot) and is_none(other):
        return narrow(it, test.left, lambda value: by_none(value, positive))
    if operator in (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual):
        setting = setting_of(it, other)
        if setting is None:
            return []
        return narrow(it, test.left, lambda value: by_constant(value, setting, positive))
    if operator not in (cst.In, cst.NotIn):
        return []
    listed = settings_of(it, other)
    if listed:
        told = is_one_of if positive else is_none_of
        return narrow(it, test.left, lambda value: told(value, listed))
    with it.speculating():
        sought = it.ev(test.left)
    if isinstance(sought, Const) and not _is_filled(it, other):
        return narrow(it, other, lambda value: with_key(keyed(value), sought, positive))
    return narrow(it, other, keyed) if python_type(sought) == "str" else []


def _is_filled(it: Interpreter, node: cst.BaseExpression) -> bool:
    """Whether the function at hand fills or empties something that it asks about."""
    code = it.frame.code
    return code is not None and dotted(node) in it.frame.parsed.fact(filled_in_place, code)


def _by_call(it: Interpreter, test: cst.Call, truth: bool) -> Changes:
    function = it.ev(test.func) if isinstance(test.func, (cst.Name, cst.Attribute)) else UNKNOWN
    if isinstance(function, Function) and _tells_tracers(function, test):
        answer = _answer_for_tracer(it, function, test)
        if answer is None:
            # No steps are left to find out which outcome is that of tracers.
            it.state.assumed[EAGER] = False
            return narrow(it, test.args[0].value, lambda value: UNKNOWN)
        if answer is not truth:
            it.state.assumed[EAGER] = True
    elif _asks_of_tree(it, function, test) and (
        _answer_for_tracer(it, function, test) is (not truth)
    ):
        return narrow(it, test.args[0].value, no_bare_array)
    elif isinstance(function, Function):
        return _by_arguments(it, test, truth)
    if not isinstance(function, External) or not test.args:
        return []
    first = test.args[0].value
    found = {"builtins.any": True, "builtins.all": False}.get(function.name)
    if found is (not truth) and "Tracer" in it.frame.parsed.source(first):
        it.state.assumed[EAGER] = True
        asked = (inner for inner in walk_own(first) if type(inner) is cst.Name)
        return [change for name in asked for change in narrow(it, name, no_tracer)]
    if function.name == "builtins.isinstance" and len(test.args) == 2:
        types = it.ev(test.args[1].value)
        if not truth and any(_is_tracer_type(kind) for kind in _classes(types)):
            it.state.assumed[EAGER] = True
        if not truth and any(type(kind) is Unknown for kind in _classes(types)):
            # It may be the class of tracers: `jax, jnp = load_jax()`.
            return narrow(it, first, no_tracer)
        return narrow(
            it, first, lambda value: of_kind(narrow_type(it, value, types, truth), types, truth)
        )
    if function.name == "builtins.hasattr" and len(test.args) == 2 and not truth:
        name = it.ev(test.args[1].value)
        if isinstance(name, Const) and _is_of_arrays(name.value):
            return narrow(it, first, no_array)
    if function.name == "builtins.callable":
        return narrow(it, first, lambda value: by_callable(value, truth))
    return []


def _by_arguments(it: Interpreter, test: cst.Call, truth: bool) -> Changes:
    """``if skip(is_traced(x), comm): return``: what goes on has no tracers, if that answers no."""
    changes: Changes = []
    for asked in (inner for arg in test.args for inner in walk_own(arg.value)):
        if type(asked) is not cst.Call or not isinstance(asked.func, (cst.Name, cst.Attribute)):
            continue
        function = it.ev(asked.func)
        if not isinstance(function, Function) or "Tracer" not in function.code.unit.text:
            continue
        answer = _answer_for_tracer(it, function, asked)
        if answer is not None and answer is not truth:
            it.state.assumed[EAGER] = True
            for argument in asked.args:
                changes += narrow(it, argument.value, lambda value: UNKNOWN)
    return changes


def _tells_tracers(function: Function, test: cst.Call) -> bool:
    """Whether a function of the project seems to ask whether its argument is a tracer."""
    return "Tracer" in function.code.unit.text and len(test.args) == 1


def _asks_of_tree(it: Interpreter, function: Value, test: cst.Call) -> bool:
    """Whether a function is asked about nothing but a traced pytree that may be one array."""
    if not isinstance(function, (Function, External)) or len(test.args) != 1:
        return False
    argument = test.args[0]
    if argument.star or not isinstance(argument.value, (cst.Name, cst.Attribute)):
        return False
    value = it.ev(argument.value)
    return isinstance(value, Tree) and not value.container and value.level is Level.ABSTRACT


def _answer_for_tracer(it: Interpreter, function: Value, test: cst.Call) -> bool | None:
    """What a function answers for a tracer."""
    with it.speculating(), it.branch(it.state.copy()):
        try:
            tracers: list[Value] = [Array(Level.ABSTRACT) for _ in test.args]
            return known_bool(it.call(function, Arguments(tracers), test))
        except Terminated:
            return None


def _classes(types: Value) -> tuple[Value, ...]:
    return types.items if isinstance(types, Tuple) else members_of(types)


_TRACER_TYPES: Final = frozenset({"Tracer", "DynamicJaxprTracer"})


def _is_tracer_type(value: Value) -> bool:
    """Whether a class is that of tracers, or of those that ``jax.jit`` makes."""
    return isinstance(value, External) and value.name.rpartition(".")[2] in _TRACER_TYPES


def _is_of_arrays(name: object) -> bool:
    return isinstance(name, str) and (
        array_attribute(name) is not None or array_method(name) is not None
    )
