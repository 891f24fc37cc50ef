"""Activations: a call runs a function of the project, recalls what a like one gave, or gives up."""

from __future__ import annotations

from typing import Any

import libcst as cst
from msgspec.structs import replace

from jitlint.absint.activations import summaries
from jitlint.absint.activations.likeness import Given, key_of
from jitlint.absint.activations.programs import program_of
from jitlint.absint.code.functions import Code
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.clock_signals import NotFollowed
from jitlint.absint.machine.frames import (
    Block,
    Chain,
    Context,
    Ending,
    Frame,
    Step,
    Terminated,
    with_stand_ins,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.signals import (
    FunctionCalled,
    FunctionEntered,
    FunctionTraced,
    ResultKept,
)
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.machine.verbs import verb
from jitlint.absint.values.domain import (
    NDARRAY,
    NONE,
    UNKNOWN,
    Array,
    Const,
    Function,
    Level,
    Ref,
    Static,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, Instance, ListObject
from jitlint.foundation.certainty import GUESSED


@verb("follow")
def _follow(
    it: Interpreter,
    function: Function,
    args: Arguments,
    node: cst.CSTNode,
    *,
    context: Context | None = None,
    step: Step | None = None,
    follow: bool = False,
    root: bool = False,
) -> Value:
    code = function.code
    if context is None:
        context = it.frame.context
    if context.replaces(code):
        it.omit(Reason.REPLACED, node, code.qualname)
        return UNKNOWN
    context = with_stand_ins(context, code, it.written)
    if not context.staging and node is not code.node:
        it.signal(FunctionCalled(function, args, node))
    # A tracer of a derivative refuses what needs a value of NumPy, and is left behind like others.
    least = Level.ABSTRACT if it.trace is None else Level.VALUE
    traced = context.staging or any(
        find_traced(it, value, least=least) is not None for value in args.values()
    )
    if not traced and not follow and not _follows_host(it, code):
        return _not_followed(it, code, args, node)
    left_out = _left_out(it, function, args)
    if left_out is not None and not root:
        it.omit(left_out, node, code.qualname)
        ended = _ended_with(it, function, node) if left_out is Reason.RECURSION else UNKNOWN
        return _left_out_result(it, code, args, node) if ended == UNKNOWN else ended
    if it.load(code) is None or not _fits(function, args):
        it.signal(NotFollowed(code, args, node))
        if _is_the_one(code):
            it.omit(Reason.MISFIT, node, code.qualname)
            it.fails("TypeError")
        # The call itself raises, so that nothing of the function runs; or it is another one.
        return UNKNOWN
    if code.is_async and not root:
        return _not_followed(it, code, args, node)
    block = it.block if it.block is not None and it.block.code is code else None
    # The block that runs in it is another one each time.
    key, given = key_of(it, function, args, context) if block is None else (None, Given([], []))
    if key is not None:
        known = _recalled(it, key, function, given, node)
        if known is not None:
            return known
        if it.under:
            key = (key, it.under)
            known = _recalled(it, key, function, given, node)
            if known is not None:
                return known
    if not (root or block is not None or _has_context_left(it, function, args, traced)):
        # What holds of any numbers holds of these.
        args = _of_any_numbers(args)
        key, given = key_of(it, function, args, context)
        known = None if key is None else _recalled(it, key, function, given, node)
        if known is not None:
            return known
        if key is None or not traced or not _has_last_context(it, code):
            it.omit(Reason.CONTEXTS, node, code.qualname)
            return _left_out_result(it, code, args, node)
    return _run(it, function, args, node, context, step, key, given, block, root=root)


def _left_out_result(it: Interpreter, code: Code, args: Arguments, node: cst.CSTNode) -> Value:
    """What is known of a call that is not looked into although it should be."""
    value = _not_followed(it, code, args, node)
    return it.result(code, value, args, node)


def _not_followed(it: Interpreter, code: Code, args: Arguments, node: cst.CSTNode) -> Value:
    """What is known of a call that nobody looks into: which containers it makes, at most."""
    if it.trace is not None:
        it.forget(args.values())
        return UNKNOWN
    it.signal(NotFollowed(code, args, node))
    whole = code.is_unit and not code.is_async
    made = _containers(it, code.unit.returned, node) if whole else UNKNOWN
    return it.result(code, None, args, node) if made == UNKNOWN else made


def _containers(it: Interpreter, kind: object, node: cst.CSTNode, role: str = "made") -> Value:
    """New containers of which nothing is known but their kind, as ``Unit.returned`` tells it."""
    if isinstance(kind, tuple):
        parts = enumerate(kind)
        return Tuple(tuple(_containers(it, part, node, f"{role}.{n}") for n, part in parts))
    if kind == "dict":
        return it.allocate(node, DictObject({}, UNKNOWN), role)
    if kind == "list":
        return it.allocate(node, ListObject(None, UNKNOWN, mutable=True), role)
    return UNKNOWN


def _recalled(
    it: Interpreter, key: Any, function: Function, given: Given, node: cst.CSTNode
) -> Value | None:
    """What an earlier call with like arguments gave, None where there was none."""
    summary = it.summaries.get(key)
    return None if summary is None else summaries.replay(it, summary, function, given, node)


def _of_any_numbers(args: Arguments) -> Arguments:
    """Arguments with arrays and floats of which less is known."""
    return replace(
        args,
        positional=[_any_number(value) for value in args.positional],
        keywords={name: _any_number(value) for name, value in args.keywords.items()},
    )


def _any_number(value: Value) -> Value:
    if isinstance(value, Const) and type(value.value) is float:
        return Static("float")
    if type(value) is not Array:
        return value
    return value.replace(
        dtype=None, rank=None, python_type=None, extent=None, buffers=value.buffers
    )


def _has_last_context(it: Interpreter, code: Code) -> bool:
    """Whether a function that is short of contexts is interpreted once more, of any numbers."""
    place = (id(code), "last", bool(it.under))
    seen = it.contexts[place] = it.contexts.get(place, 0) + 1
    limits = it.limits
    return seen <= min(limits.last_contexts, limits.context_statements // max(1, code.statements))


def _left_out(it: Interpreter, function: Function, args: Arguments) -> Reason | None:
    """Why a call is not followed, None if it is."""
    if it.finishing:
        return Reason.LATE
    if len(it.stack) >= it.limits.call_depth:
        return Reason.DEPTH
    return Reason.RECURSION if _recurs(it, function, args) else None


def _ended_with(it: Interpreter, function: Function, node: cst.CSTNode) -> Value:
    """The arrays of NumPy that a function gave where it did not call itself; else nothing is known.

    What is made of them on the way back is NumPy's as well, or is seen in the calls around.
    """
    active = (frame for frame in it.active_frames() if frame.code is function.code)
    ended = next((frame.returned for frame in active if frame.returned is not None), UNKNOWN)
    contents = it.contents(ended) if isinstance(ended, Ref) else None
    if not isinstance(contents, Instance):
        return _host_array(ended)
    held = {name: _host_array(value) for name, value in contents.attributes.items()}
    if NDARRAY not in held.values():
        return UNKNOWN
    return it.allocate(node, contents.with_attributes(held), "ended")


def _host_array(value: Value) -> Value:
    return NDARRAY if isinstance(value, Static) and value.type == "ndarray" else UNKNOWN


def _recurs(it: Interpreter, function: Function, args: Arguments) -> bool:
    """Whether a function is active too often to be followed once more.

    What a decorator made of one function is not what it made of another.
    """
    code = function.code
    active = it.stack.count(code)
    if active < it.limits.recursion:
        return False
    frames = [frame for frame in it.active_frames() if frame.code is code]
    if active < it.limits.wrappers:
        same = sum(frame.closure == function.closure for frame in frames)
        if same < it.limits.recursion:
            return False
    if active >= it.limits.counted_recursion:
        return True
    names = [parameter.name for parameter in code.parameters]
    numbers = {
        name: value.value
        for name, value in [*zip(names, args.positional, strict=False), *args.keywords.items()]
        if isinstance(value, Const) and type(value.value) is int
    }
    for frame in frames:
        variables = it.contents(frame.env) or {}
        for name, number in list(numbers.items()):
            before = variables.get(name)
            if not isinstance(before, Const) or before.value == number:
                del numbers[name]
    return not numbers


def _fits(function: Function, args: Arguments) -> bool:
    """Whether a function takes the arguments that are passed, as far as all of them are known.

    Of a table of functions a call means those that it can mean.
    """
    signature = function.code.signature
    count = len(args.positional)
    if args.star is None and not signature.takes_more and count > len(signature.plain):
        return False
    named = args.keywords.keys() & signature.named
    if not named.isdisjoint(signature.plain[:count]):
        return False
    if not signature.takes_other_names and len(named) < len(args.keywords):
        return False
    if args.open or args.star is not None or args.star_keywords is not None:
        return True
    missing = signature.needed.difference(signature.plain[:count], args.keywords)
    return not missing or missing.issubset(dict(function.defaults))


def _is_the_one(code: Code) -> bool:
    """Whether a function of a module is the only thing that its name stands for there."""
    unit = code.unit
    return (
        code.node is not None
        and unit.is_function
        and unit.cls is None
        and not unit.decorated
        and code.qualname == unit.qualname == unit.name
        and len(code.module.bound(unit.name)) == 1
    )


def _has_context_left(it: Interpreter, function: Function, args: Arguments, traced: bool) -> bool:
    """Whether a function is interpreted on these arguments too; if so, that is counted.

    What runs other code each time says nothing of one run by another: each has contexts of its own.
    """
    code = function.code
    place: tuple[Any, ...] = (id(code), traced, bool(it.under))
    seen = it.contexts.get(place, 0)
    it.contexts[place] = seen + 1
    if seen < it.limits.least_contexts or seen < _contexts(it, code, traced):
        return True
    if function.closure and _is_new_inside(it, function, place):
        return True
    program = program_of(it, function, args)
    granted = it.contexts.get((*place, "programs"), 0)
    if not program or (*place, program) in it.contexts or granted >= it.limits.given_functions:
        return False
    it.contexts[(*place, program)] = 1
    it.contexts[(*place, "programs")] = granted + 1
    return True


def _is_new_inside(it: Interpreter, function: Function, place: tuple[Any, ...]) -> bool:
    """Whether the function around a function has just made it, and seldom called it yet.

    It is a part of that one, which is interpreted anew and is short of contexts itself, or not.
    """
    inside = (*place, "inside", function.closure[0])
    seen = it.contexts[inside] = it.contexts.get(inside, 0) + 1
    return seen <= it.limits.inner_contexts


def _contexts(it: Interpreter, code: Code, traced: bool) -> int:
    """Under how many argument facts a function is interpreted, if it is not short of them."""
    limits = it.limits
    statements = max(1, code.statements)
    if not traced and it.makes_functions(code):
        return min(limits.factory_contexts, limits.factory_statements // statements)
    most = limits.contexts_per_function if traced else limits.host_contexts
    return min(most, limits.context_statements // statements)


def _follows_host(it: Interpreter, code: Code) -> bool:
    """Whether a call is followed although nothing is traced: it may make what is traced later.

    One that only answers may decide whether anything is traced: ``is_jax(xp)``.
    """
    deep = it.limits.module_depth if it.in_module_code else it.limits.host_depth
    near = len(it.stack) - it.other_threads < deep
    near = near or code.statements <= it.limits.answer_statements
    if near and (it.has_loaded(code) or it.may_inline(code)):
        return True
    return it.makes_functions(code)


def _run(
    it: Interpreter,
    function: Function,
    args: Arguments,
    node: cst.CSTNode,
    context: Context,
    step: Step | None,
    key: Any,
    given: Given,
    block: Block | None,
    *,
    root: bool,
) -> Value:
    code = function.code
    assert code.node is not None and code.parsed is not None
    caller = it.frame
    since = it.clock
    env = it.new_id("call", id(code), id(node), caller.env, caller.turns)
    frame = Frame(
        module=code.module,
        parsed=code.parsed,
        code=code,
        qualname=code.qualname,
        context=context,
        env=env,
        closure=function.closure,
        chain=_chain(it, code, args, node, step),
        parent=caller,
        # One way through a function that calls itself multiplies with each level of the calls.
        partitions=it.limits.partitions if code in it.stack else 0,
        is_root=root,
    )
    if block is not None:
        frame.block, block.frame, it.block = block, frame, None
    before = it.state
    variables = it.bind(function, args, frame)
    it.state = before.copy()
    it.state.put(env, variables)
    it.stack.append(code)
    it.frame = frame
    if it.trace is not None:
        it.signal(FunctionTraced(code, variables))
    if it.lists_functions:
        it.signal(FunctionEntered(code, variables))
    failed = False
    outer_consulted, it.consulted = it.consulted, set()
    outer_in_force, it.in_force = it.in_force, {}
    outer_captured, it.captured = it.captured, {}
    stores, reached_out, open_before = it.stores, it.reached_out, dict(it.open)
    operations = it.operations
    try:
        if type(code.node) is not cst.FunctionDef:
            value = it.ev(code.node.body)
            it.returns(value)
            if it.keeping and it.keeping[-1] is code:
                it.signal(ResultKept(value, code.node.body))
        else:
            try:
                it.run(code.node.body.body)
                it.returns(NONE)
            except Terminated:
                pass
    except Terminated:
        failed = True
    finally:
        it.leave_doubts(frame)
        it.frame = caller
        it.stack.pop()
        after = frame.return_state
        it.state = before
        consulted, it.consulted = it.consulted, outer_consulted
        outer_consulted |= consulted
        in_force, it.in_force = it.in_force, outer_in_force
        outer_in_force |= in_force
        captured, it.captured = it.captured, outer_captured
        it.captures(captured)
    if failed or after is None or frame.returned is None:
        if code.is_generator and frame.yielded is not None:
            generator = ListObject(None, frame.yielded, iterator=True)
            return it.allocate(node, generator, "generator")
        ending = frame.ending or (Ending.PLAIN if code.only_raises else None)
        if ending is None and not root:
            # What is known of the program says that it raises, which may not hold when it runs.
            return UNKNOWN
        caller.ending = ending
        it.omit(Reason.NO_RETURN, node, code.qualname)
        raise Terminated
    result = it.result(code, frame.returned, args, node)
    changes = None if block is not None else summaries.changes_of(it, since, before, after)
    if changes is None:
        after.assumed = dict(before.assumed)
        it.state = after
    else:
        values = [result] if frame.yielded is None else [result, frame.yielded]
        made = summaries.carry_over(it, since, values, before, after, changes)
        quiet = it.reached_out == reached_out and it.open == open_before
        if key is not None and quiet and not code.is_generator and not it.finishing:
            side = summaries.side_of(it, given) if changes or it.stores != stores else None
            it.summaries[key] = summaries.Summary(
                result,
                given,
                it.trace_number,
                function.closure,
                made,
                changes,
                summaries.found_by(it, since, consulted, before, changes),
                side,
                it.operations - operations,
                captured,
                in_force,
            )
    if code.is_generator:
        element = frame.yielded or UNKNOWN
        return it.allocate(node, ListObject(None, element, iterator=True), "generator")
    return result


def _chain(
    it: Interpreter, code: Code, args: Arguments, node: cst.CSTNode, step: Step | None
) -> Chain:
    """The explanation one call further; what a transform calls itself is said by its own step."""
    chain = it.frame.chain
    entered, it.entering = it.entering, False
    if step is None and chain is not None and entered:
        return chain
    receiver = args.positional[0] if code.cls is not None and args.positional else None
    return Chain(step or it.step_to(code, receiver, node), chain)


@verb("step to")
def _step_to(it: Interpreter, code: Code, receiver: Value | None, node: cst.CSTNode) -> Step:
    """The step of a call: which method runs is not known of all objects.

    Of some nothing but the names in use tells their class; others are of one of several.
    """
    note = f"`{code.qualname}` is called"
    if not isinstance(receiver, Ref) or not (receiver.id in it.by_use or receiver.id in it.taken):
        return Step(it.place(node), note)
    if receiver.id in it.taken and _is_own_object(it, receiver):
        # It was taken for one of that class further up.
        return Step(it.place(node), note)
    called = node.func if isinstance(node, cst.Call) else node
    name = it.contents(receiver).cls.definition.name
    owner = "its object"
    if isinstance(called, cst.Attribute) and called.attr.value == code.name:
        owner = f"`{it.text(called.value)}`"
    elif code.name == "__call__" and isinstance(called, (cst.Attribute, cst.Name)):
        owner = f"`{it.text(called)}`"
    # Whatever a class inherits runs on its own objects, too, once there are any.
    own = isinstance(called, cst.Attribute) and _is_first(it, called.value)
    note = f"{note}, if {owner} is a `{name}`"
    return Step(it.place(node), note, GUESSED, several=receiver.id in it.taken and not own)


def _is_first(it: Interpreter, node: cst.CSTNode) -> bool:
    """Whether an expression is the first parameter of a method, in it or in a function within."""
    code = it.frame.code
    if code is None or code.unit.cls is None or not isinstance(node, cst.Name):
        return False
    return it.store.of_unit(code.unit).parameter_names[:1] == [node.value]


def _is_own_object(it: Interpreter, receiver: Ref) -> bool:
    """Whether an object is the one whose method runs."""
    code, variables = it.frame.code, it.contents(it.frame.env)
    first = code.parameters[0].name if code is not None and code.parameters else None
    return variables is not None and variables.get(first) == receiver
