"""Running a function under a transform, and what comes out of the trace."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from jitlint.absint.limits import VALUE_LEVELS
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.frames import Chain, Context, Step, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import TraceLeft
from jitlint.absint.machine.tracers import level_of
from jitlint.absint.program.signatures import positional_parameters, signature
from jitlint.absint.traces.conversion import Entrance, convert
from jitlint.absint.traces.donation import donate, donation_of
from jitlint.absint.traces.kinds import iterates
from jitlint.absint.traces.listing import kind_of, record_entry
from jitlint.absint.traces.operands import owned
from jitlint.absint.values.buffers import new_buffer
from jitlint.absint.values.domain import (
    UNKNOWN,
    Array,
    ExternalInstance,
    Function,
    Level,
    Ref,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.absint.values.lattice import join_all
from jitlint.absint.values.traversal import rebuilt, rebuilt_object
from jitlint.jaxmodel.transforms import Transform
from jitlint.jaxmodel.wording import trace_note


def trace(
    it: Interpreter, function: Transformed, row: Transform, args: Arguments, node: cst.CSTNode
) -> Value:
    """Run what a transform was applied to on what the transform makes of the arguments."""
    level = Level.ABSTRACT if row.abstract else Level.VALUE
    step = Step(function.place, trace_note(function.transform))
    if row.traces == "none":
        entrance = Entrance(row, level, it.frame.context, step)
        converted = convert(it, function, entrance, args, node)
        result = _entered(it, function.function, converted, node, entrance)
        return outside(it, result, args)
    entrance = Entrance(row, level, _context(it, row), step)
    donation = donation_of(it, function, args)
    if donation is not None:
        args = donation.args
    fresh = _is_made_for_call(it, function, node)
    with it.tracing(row, node, fresh=fresh, donated=donation is not None):
        converted = convert(it, function, entrance, args, node)
        result = _entered(it, function.function, converted, node, entrance)
    if donation is not None:
        donate(it, donation, result, node)
    return outside(it, result, args)


def enter(
    it: Interpreter,
    row: Transform,
    function: Value,
    operands: Sequence[Value],
    node: cst.CSTNode,
    star: Value | None = None,
) -> Value:
    """Run a function that a transform calls itself; its arguments are traced already.

    Args:
      it: the interpreter.
      row: the transform.
      function: the body of a loop, a branch ...
      operands: what it is called with.
      node: the call of the transform.
      star: stands for an unknown number of further operands.
    """
    step = Step(it.place(node), trace_note(row.name))
    entrance = Entrance(row, Level.ABSTRACT, _context(it, row), step)
    code, offset = signature(it, function)
    if code is not None and row.abstract:
        names = [p.name for p in positional_parameters(code, offset)]
        kinds = {name: kind_of(it, value) for name, value in zip(names, operands, strict=False)}
        record_entry(it, code, row.name, kinds, step)
    loops = iterates(row)
    fresh = it.trace is None and not loops and it.is_fresh(function)
    try:
        if row.traces == "none":
            return _entered(it, function, Arguments(list(operands), star=star), node, entrance)
        with it.tracing(row, node, fresh=fresh, loops=loops):
            inside = [owned(it, value, (index,)) for index, value in enumerate(operands)]
            return _entered(it, function, Arguments(inside, star=star), node, entrance)
    except Terminated:
        return UNKNOWN


def _context(it: Interpreter, row: Transform) -> Context:
    outer = it.frame.context
    staging, cached = outer.staging or row.staging, outer.cached or row.cached
    return Context(staging, cached, outer.disabled, outer.replaced)


def _entered(
    it: Interpreter, function: Value, args: Arguments, node: cst.CSTNode, entrance: Entrance
) -> Value:
    """Call a function as a transform does, with the step that explains it."""
    frame = it.frame
    before_chain, before_context = frame.chain, frame.context
    frame.chain = Chain(entrance.step, frame.chain)
    frame.context = entrance.context
    it.entering = True
    result: Value | None = None
    try:
        result = it.call(function, args, node)
        return result
    finally:
        # What was recalled, or not followed, has not asked for it.
        it.entering = False
        it.signal(TraceLeft(entrance.row.name, function, result, node))
        frame.chain = before_chain
        frame.context = before_context


# -- functions that are made for one trace ---------------------------------------------------------


def _is_made_for_call(it: Interpreter, function: Transformed, node: cst.CSTNode) -> bool:
    """Whether a new function is transformed for this one call.

    ``jax.jit(f)(x)``, or a nested function that the one around it decorates and calls once, or
    has another one make: ``train = jax.jit(make_train(config))``.
    """
    if it.trace is not None or not isinstance(node, cst.Call):
        return False
    inner: Value = function
    while isinstance(inner, Transformed):
        inner = inner.function
    if not (it.is_fresh(inner) or _is_of_maker(it, function, inner)):
        return False
    return isinstance(node.func, cst.Call) or _is_only_use(it, node.func)


def _is_of_maker(it: Interpreter, function: Transformed, inner: Value) -> bool:
    """Whether the running function transforms what a call gives it, which made that anew."""
    made = function.place
    args = made.node.args if isinstance(made.node, cst.Call) else ()
    return (
        made.parsed is it.frame.parsed
        and bool(args)
        and isinstance(args[0].value, cst.Call)
        and isinstance(inner, Function)
        and it.lifetime(inner)[0] not in (0, it.frame.env, *it.frame.closure)
    )


def _is_only_use(it: Interpreter, name: cst.BaseExpression) -> bool:
    """Whether a function binds a name, uses it here, outside of loops, and nowhere else."""
    frame = it.frame
    if frame.code is None or frame.enclosing_loops or not isinstance(name, cst.Name):
        return False
    uses = 0
    for node in frame.code.own_nodes:
        if type(node) is cst.Name and node.value == name.value:
            uses += 1
        elif type(node) is cst.AssignTarget and type(node.target) is cst.Name:
            uses -= node.target.value == name.value
    return uses == 1


# -- what comes out --------------------------------------------------------------------------------


def outside(it: Interpreter, result: Value, args: Arguments) -> Value:
    """A traced result as the caller sees it: concrete again outside every trace."""
    if it.frame.context.staging:
        return result
    level = Level.CONCRETE
    for value in args.values():
        found = level_of(it, value)
        if found is not None and found > level:
            level = found
    return capped(it, result, level)


def capped(it: Interpreter, value: Value, level: Level, depth: int = VALUE_LEVELS) -> Value:
    """A value whose arrays have at most a level.

    Args:
      it: the interpreter.
      value: the value.
      level: the level.
      depth: levels of nested containers that are still looked into.
    """
    if isinstance(value, (Array, Tree)):
        if value.level > level:
            if isinstance(value, Array):
                return value.replace(
                    level=level, origin=None, python_type=None, seed=None, buffers=new_buffer()
                )
            return value.replace(level=level, origin=None, buffers=new_buffer())
        return value
    if depth == 0:
        return UNKNOWN
    if isinstance(value, Union):
        return join_all(capped(it, member, level, depth) for member in value.members)

    def inner(part: Value) -> Value:
        return capped(it, part, level, depth - 1)

    if isinstance(value, (Tuple, ExternalInstance)):
        return rebuilt(value, inner)
    contents = it.contents(value) if isinstance(value, Ref) else None
    if isinstance(value, Ref) and isinstance(contents, (ListObject, DictObject, Instance)):
        id_ = it.new_id("capped", value.id, int(level))
        it.state.put(id_, rebuilt_object(contents, inner))
        return Ref(id_)
    return value
