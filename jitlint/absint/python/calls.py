"""Calls: binding of arguments, following a function of the project, memoised summaries."""

from __future__ import annotations

from typing import Any

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.machine import summaries
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import Hash
from jitlint.absint.machine.frames import Chain, Context, Frame, Step, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import (
    CachedCalled,
    FunctionCalled,
    Kept,
    TransformedCalled,
    UnknownCalled,
)
from jitlint.absint.machine.tracers import find_traced
from jitlint.absint.machine.verbs import calls_of, verb
from jitlint.absint.program.annotations import of_return
from jitlint.absint.program.instances import informed
from jitlint.absint.python import namespaces, operations
from jitlint.absint.values.domain import (
    INT,
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Cached,
    Const,
    Descriptor,
    Function,
    Level,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.heap import DictObject, ListObject, SetObject, Variables
from jitlint.absint.values.lattice import join, join_all

# -- making functions -----------------------------------------------------------------------------


def make_function(it: Interpreter, code: Code) -> Function:
    """The function object of a nested definition or lambda in the current frame."""
    frame = it.frame
    closure = () if frame.code is None and frame.parsed.unit.cls else (frame.env, *frame.closure)
    defaults = tuple(
        (parameter.name, it.ev(parameter.default))
        for parameter in code.parameters
        if parameter.default is not None
    )
    for name, value in defaults:
        _note_default(it, name, value)
    made = Function(code, closure, defaults)
    if it.trace is None:
        it.made_here(made)
    if not frame.context.staging and code.name != "<lambda>":
        it.nested.setdefault(id(code), made)
    return made


# -- dispatch -------------------------------------------------------------------------------------


def call_expression(it: Interpreter, node: cst.Call) -> Value:
    """The value of a call as it stands in the code."""
    function = it.ev(node.func)
    if it.trace is None and type(node.func) is cst.Call and type(function) is Transformed:
        it.signal(TransformedCalled(function, node.func))
    args = evaluate_arguments(it, node)
    return it.call(function, args, node)


def evaluate_arguments(it: Interpreter, node: cst.Call) -> Arguments:
    """Evaluate the arguments of a call from left to right."""
    args = Arguments()
    for arg in node.args:
        value = it.ev(arg.value)
        if arg.star == "*":
            element, items = operations.iterate(it, value, arg.value)
            if items is not None and args.star is None:
                args.positional.extend(items)
                args.nodes.extend(arg.value for _ in items)
            else:
                args.star = element if args.star is None else join(args.star, element)
        elif arg.star == "**":
            contents = dict_contents(it, value)
            if contents is None:
                args.star_keywords = value if isinstance(value, Tree) else UNKNOWN
            else:
                for key, item in contents.items.items():
                    if isinstance(key, str):
                        args.keywords[key] = item
                        args.keyword_nodes[key] = arg.value
                if contents.rest is not None:
                    args.star_keywords = contents.rest
        elif arg.keyword is not None:
            args.keywords[arg.keyword.value] = value
            args.keyword_nodes[arg.keyword.value] = arg.value
        elif args.star is not None:
            args.star = join(args.star, value)
        else:
            args.positional.append(value)
            args.nodes.append(arg.value)
    return args


def dict_contents(it: Interpreter, value: Value) -> DictObject | None:
    """The contents of a dict, None for anything else."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    return contents if isinstance(contents, DictObject) else None


@calls_of(Value)
def _call_unknown(it: Interpreter, function: Value, args: Arguments, node: cst.CSTNode) -> Value:
    if it.trace is not None and isinstance(node, cst.Call):
        namespaces.update_by_method(it, args, node)
    it.signal(UnknownCalled(args, node))
    return UNKNOWN


@calls_of(Function)
def _call_function(
    it: Interpreter, function: Function, args: Arguments, node: cst.CSTNode
) -> Value:
    return it.follow(function, args, node)


@calls_of(BoundMethod)
def _call_bound(
    it: Interpreter, function: BoundMethod, args: Arguments, node: cst.CSTNode
) -> Value:
    args = args.prepended(function.receiver, node=node)
    if isinstance(function.function, Function):
        return it.follow(function.function, args, node)
    return it.call(function.function, args, node)


@calls_of(Partial)
def _call_partial(it: Interpreter, function: Partial, args: Arguments, node: cst.CSTNode) -> Value:
    merged = args.prepended(*function.args, node=node) if function.args else args
    if function.keywords:
        merged = Arguments(
            merged.positional,
            {**dict(function.keywords), **merged.keywords},
            merged.star,
            merged.star_keywords,
            merged.nodes,
            merged.keyword_nodes,
        )
    return it.call(function.function, merged, node)


@calls_of(Cached)
def _call_cached(it: Interpreter, function: Cached, args: Arguments, node: cst.CSTNode) -> Value:
    for index, value in enumerate(args.positional):
        traced = operations.hashed_tracer(it, value)
        if traced is not None:
            where = args.nodes[index] if index < len(args.nodes) else node
            it.emit(
                Hash,
                node,
                traced,
                operand=where,
                exceptions=operations.HASH_ERRORS,
                construct="argument of a cached function",
            )
            return UNKNOWN
    if isinstance(function.function, Function):
        it.signal(CachedCalled(function.function.code))
    it.in_cached += 1
    try:
        result = it.call(function.function, args, node)
    finally:
        it.in_cached -= 1
    it.signal(Kept(result))
    return result


@calls_of(Descriptor)
def _call_descriptor(
    it: Interpreter, function: Descriptor, args: Arguments, node: cst.CSTNode
) -> Value:
    """A static method called by its name in the class body."""
    return it.call(function.function, args, node)


@calls_of(Static)
def _call_static(it: Interpreter, function: Value, args: Arguments, node: cst.CSTNode) -> Value:
    return UNKNOWN


# -- following a function -------------------------------------------------------------------------


@verb("follow")
def follow(
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
    """Run a function of the project on abstract arguments.

    Args:
      it: the interpreter, in the caller's frame.
      function: what is called.
      args: what it is given.
      node: the call, or what stands for it.
      context: how it runs; the caller's way if None.
      step: the step of the explanation; "called here" if None.
      follow: run it even where host code would not be followed.
      root: it is a starting point, run however often it was interpreted before.

    Raises:
      Terminated: if every path through it raises.
    """
    code = function.code
    if context is None:
        context = it.frame.context
    if it.trace is None and node is not code.node:
        it.signal(FunctionCalled(code, node))
    traced = context.staging or any(find_traced(it, value) is not None for value in args.values())
    if not traced and not follow and not _follows_host(it, code):
        return UNKNOWN
    if _too_many(code, args):
        # The call itself raises: nothing of the function runs.
        return UNKNOWN
    if len(it.stack) >= it.limits.call_depth or _recurs(it, code, args):
        return UNKNOWN
    if it.load(code) is None:
        return UNKNOWN
    if code.is_async and not root:
        return UNKNOWN
    key, given = summaries.key_of(it, function, args, context)
    if key is not None:
        summary = it.summaries.get(key)
        if summary is not None:
            known = summaries.replay(it, summary, function, given, node)
            if known is not None:
                return known
    place = (id(code), traced)
    seen = it.contexts.get(place, 0)
    limit = _contexts(it, code, traced)
    if seen >= limit and not root:
        return UNKNOWN
    it.contexts[place] = seen + 1
    return _run(it, function, args, node, context, step, key, given)


def _recurs(it: Interpreter, code: Code, args: Arguments) -> bool:
    """Whether a function is active too often to be followed once more."""
    active = it.stack.count(code)
    if active < it.limits.recursion:
        return False
    if active >= it.limits.counted_recursion:
        return True
    names = [parameter.name for parameter in code.parameters]
    numbers = {
        name: value.value
        for name, value in [*zip(names, args.positional, strict=False), *args.keywords.items()]
        if isinstance(value, Const) and type(value.value) is int
    }
    frame: Frame | None = it.frame
    while frame is not None and numbers:
        if frame.code is code:
            variables = it.contents(frame.env) or {}
            for name, number in list(numbers.items()):
                before = variables.get(name)
                if not isinstance(before, Const) or before.value == number:
                    del numbers[name]
        frame = frame.parent
    return not numbers


def _too_many(code: Code, args: Arguments) -> bool:
    """Whether more positional arguments are passed than a function takes."""
    if args.star is not None or not args.positional:
        return False
    kinds = [parameter.kind for parameter in code.parameters]
    if "*" in kinds or not (code.node is not None or kinds):
        return False
    return len(args.positional) > sum(k in ("positional", "positional-only") for k in kinds)


def _contexts(it: Interpreter, code: Code, traced: bool) -> int:
    """Under how many argument facts a function is interpreted."""
    limits = it.limits
    most = limits.contexts_per_function if traced else limits.host_contexts
    return max(limits.least_contexts, min(most, limits.context_rows // code.own_rows))


def _follows_host(it: Interpreter, code: Code) -> bool:
    """Whether a call is followed although nothing is traced: it may make what is traced later."""
    if len(it.stack) >= it.limits.host_depth and not it.in_module_code:
        return False
    return it.has_loaded(code) or it.may_inline(code)


def _run(
    it: Interpreter,
    function: Function,
    args: Arguments,
    node: cst.CSTNode,
    context: Context,
    step: Step | None,
    key: Any,
    given: summaries.Given,
) -> Value:
    code = function.code
    assert code.node is not None and code.parsed is not None
    caller = it.frame
    since = it.clock
    env = it.new_id("call", id(code), id(node), caller.env)
    frame = Frame(
        module=code.module,
        parsed=code.parsed,
        code=code,
        qualname=code.qualname,
        context=context,
        env=env,
        closure=function.closure,
        chain=_chain(it, code, node, step),
        parent=caller,
        # One way through a function that calls itself multiplies with each level of the calls.
        partitions=it.limits.partitions if code in it.stack else 0,
    )
    before = it.state
    variables = bind(it, function, args, frame)
    it.state = before.copy()
    it.state.put(env, variables)
    it.stack.append(code)
    it.frame = frame
    failed = False
    outer_consulted, it.consulted = it.consulted, set()
    stores, reached_out, open_before = it.stores, it.reached_out, dict(it.open)
    try:
        if type(code.node) is not cst.FunctionDef:
            it.returns(it.ev(code.node.body))
        else:
            try:
                it.run(code.node.body.body)
                it.returns(NONE)
            except Terminated:
                pass
    except Terminated:
        failed = True
    finally:
        it.frame = caller
        it.stack.pop()
        after = frame.return_state
        it.state = before
        consulted, it.consulted = it.consulted, outer_consulted
        outer_consulted |= consulted
    if failed or after is None or frame.returned is None:
        if code.is_generator and frame.yielded is not None:
            return it.allocate(node, ListObject(None, frame.yielded), "generator")
        raise Terminated
    result = frame.returned
    if (
        type(result) is Array
        and result.level is Level.CONCRETE
        and of_return(it, code).value == INT
    ):
        # What an annotation calls an array is a Python number then.
        result = UNKNOWN
    changes = summaries.changes_of(it, since, before, after)
    if changes is None:
        after.assumed = dict(before.assumed)
        it.state = after
    else:
        values = [result] if frame.yielded is None else [result, frame.yielded]
        made = summaries.carry_over(it, since, values, before, after, changes)
        quiet = it.reached_out == reached_out and it.open == open_before
        if key is not None and quiet and not code.is_generator:
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
            )
    if code.is_generator:
        element = frame.yielded or UNKNOWN
        return it.allocate(node, ListObject(None, element), "generator")
    return result


def _chain(it: Interpreter, code: Code, node: cst.CSTNode, step: Step | None) -> Chain:
    """The explanation one call further; what a transform calls itself is said by its own step."""
    chain = it.frame.chain
    entered, it.entering = it.entering, False
    if step is None and chain is not None and entered:
        return chain
    return Chain(step or Step(it.place(node), f"`{code.qualname}` is called"), chain)


def bind(it: Interpreter, function: Function, args: Arguments, frame: Frame) -> Variables:
    """Bind arguments to the parameters of a function."""
    code = function.code
    variables = Variables()
    defaults = dict(function.defaults)
    keywords = dict(args.keywords)
    position = 0
    for parameter in code.parameters:
        name = parameter.name
        if parameter.kind == "*":
            rest = tuple(args.positional[position:])
            position = len(args.positional)
            if args.star is None:
                variables[name] = Tuple(rest)
            else:
                id_ = it.new_id("star", frame.env, name)
                element = join_all([*rest, args.star])
                it.state.put(id_, ListObject(None, element))
                variables[name] = Ref(id_)
            continue
        if parameter.kind == "**":
            id_ = it.new_id("keywords", frame.env, name)
            it.state.put(id_, DictObject(dict(keywords), args.star_keywords))
            variables[name] = Ref(id_)
            continue
        place: cst.CSTNode | None = None
        if parameter.kind != "keyword" and position < len(args.positional):
            variables[name] = args.positional[position]
            place = args.node(position, name)
            position += 1
        elif name in keywords and parameter.kind != "positional-only":
            variables[name] = keywords.pop(name)
            place = args.keyword_nodes.get(name)
        elif parameter.kind != "keyword" and args.star is not None:
            # It may come from the star or keep its default.
            variables[name] = args.star if parameter.default is None else UNKNOWN
        else:
            variables[name] = _missing(it, function, parameter, defaults, args)
        value = variables[name]
        if value == UNKNOWN and parameter.annotated:
            known = informed(it, code, parameter)
            if not isinstance(known, Array) or not _is_setting(it, place):
                variables[name] = known
        elif type(value) is Tree and not value.container and it.trace is not None:
            variables[name] = _by_use(it, code, parameter, value)
    return variables


def _is_setting(it: Interpreter, node: cst.CSTNode | None) -> bool:
    """Whether an argument is read from an object from outside of the trace: ``config.loss.scale``.

    It can be no tracer then, and is more likely a number than the array that an annotation of the
    function says it is.
    """
    if it.trace is None or not isinstance(node, cst.Attribute):
        return False
    root: cst.CSTNode = node
    while isinstance(root, cst.Attribute):
        root = root.value
    if not isinstance(root, cst.Name):
        return False
    own = it.contents(it.frame.env)
    return not isinstance(own, Variables) or root.value not in own


def _by_use(it: Interpreter, code: Code, parameter: Parameter, value: Tree) -> Value:
    """A pytree of unknown structure in a function that uses it as an array."""
    from jitlint.absint.program.evidence import of_parameter

    if not of_parameter(it, code, parameter).used_as_array:
        return value
    return Array(value.level, certainty=value.certainty, origin=value.origin, trace=it.trace_number)


def _missing(
    it: Interpreter,
    function: Function,
    parameter: Parameter,
    defaults: dict[str, Value],
    args: Arguments,
) -> Value:
    default = defaults.get(parameter.name)
    if default is None and parameter.default is not None:
        default = default_value(it, function.code, parameter)
    if args.star_keywords is not None:
        return args.star_keywords if default is None else UNKNOWN
    return UNKNOWN if default is None else default


def default_value(it: Interpreter, code: Code, parameter: Parameter) -> Value:
    """The default of a parameter of a module-level function or method."""
    assert parameter.default is not None
    key = ("default", id(parameter.default))
    it.reads.touch(code.module)
    known: Value | None = it.facts.get(key)
    if known is None:
        with it.reads.of(it, code.module, key[0]):
            known = it.facts[key] = evaluate_in_module(it, code, parameter.default)
        _note_default(it, parameter.name, known)
    return known


def _note_default(it: Interpreter, name: str, value: Value) -> None:
    """Remember that an object is the default of a parameter: it lives as long as the function."""
    if isinstance(value, Ref) and isinstance(
        it.contents(value), (ListObject, DictObject, SetObject)
    ):
        it.defaults[value.id] = name


def evaluate_in_module(it: Interpreter, code: Code, node: cst.BaseExpression) -> Value:
    """Evaluate an expression of a definition's header where the definition stands."""
    from jitlint.absint.machine.frames import HOST

    assert code.parsed is not None
    frame = Frame(
        module=code.module,
        parsed=code.parsed,
        code=None,
        qualname=code.qualname,
        context=HOST,
        env=it.new_id("header", id(code)),
        row_limit=None,
    )
    try:
        with it.at_module_level(), it.entered(frame):
            it.state.put(frame.env, Variables())
            return it.ev(node)
    except Terminated:
        return UNKNOWN


def constant(value: Value | None) -> Any:
    """The Python constant of a value, ``...`` if it has none."""
    if isinstance(value, Const):
        return value.value
    if isinstance(value, Tuple):
        parts = tuple(constant(item) for item in value.items)
        return ... if ... in parts else parts
    return ...
