"""Application of transforms: which function gets traced, and with what arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import NoneType

import libcst as cst

from jitlint.absint.code.functions import Code, Parameter
from jitlint.absint.library.builtin_models import PARTITION, leaf_of
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.entries import Entry, merge_kinds
from jitlint.absint.machine.frames import Chain, Context, Step, Terminated
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import TransformApplied, TransformedCalled
from jitlint.absint.machine.tracers import comparable_tracer, find_traced, level_of, sure_array
from jitlint.absint.machine.verbs import calls_of, verb
from jitlint.absint.program.classes import class_info
from jitlint.absint.program.declarations import decorator_names
from jitlint.absint.program.evidence import of_parameter
from jitlint.absint.program.instances import informed, prototype
from jitlint.absint.program.members import class_attribute
from jitlint.absint.program.traced_values import traced_argument
from jitlint.absint.python import narrowing, operations
from jitlint.absint.python.calls import constant, default_value
from jitlint.absint.transforms import jit_arguments
from jitlint.absint.values.domain import (
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    BoundMethod,
    Cached,
    Certainty,
    Class,
    Const,
    Descriptor,
    Dispatched,
    External,
    ExternalInstance,
    Function,
    Level,
    Origin,
    Partial,
    Ref,
    Static,
    Transformed,
    Tree,
    Tuple,
    Union,
    Value,
    base_function,
    partial_keywords,
)
from jitlint.absint.values.forwarding import handed_on, kept
from jitlint.absint.values.heap import DictObject, Instance, ListObject, SetObject
from jitlint.absint.values.lattice import join, join_all
from jitlint.jaxmodel.transforms import COMPILING, Transform, display_name


@verb("transform")
def apply_transform(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``jax.jit(f)``, ``jax.lax.scan(body, init, xs)`` ...: a call of an entry point itself."""
    handler = _KINDS.get(row.kind)
    if handler is None or (row.kind in _RUN_AS_PYTHON and it.frame.context.disabled):
        return UNKNOWN
    return handler(it, row, args, node)


# -- transforms that give a callable ---------------------------------------------------------------


def _wrap(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    options = list(args.keywords.items())
    function = args.positional[0] if args.positional else None
    if function is None:
        function = next(
            (args.keywords[name] for name in ("fun", "f", "func", "fn") if name in args.keywords),
            None,
        )
        options = [(n, v) for n, v in options if n not in ("fun", "f", "func", "fn")]
    if function is None:
        # A decorator that was given its options first.
        return Partial(External(row.name), (), tuple(options))
    for name, value in zip(row.options, args.positional[1:], strict=False):
        options.append((name, value))
    if isinstance(function, Union):
        made = join_all(
            _transformed(it, member, row.name, tuple(options), node) for member in function.members
        )
        if isinstance(made, Union) and function.exclusive:
            return Union(made.members, exclusive=True)
        return made
    argument = args.nodes[0] if args.nodes else None
    return _transformed(it, function, row.name, tuple(options), node, argument)


def _configured(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """A project's own transform, described in its configuration."""
    argument, static = row.options
    keywords = dict(args.keywords)
    if argument.isdigit():
        index = int(argument)
        function = args.positional[index] if index < len(args.positional) else None
    else:
        function = keywords.pop(argument, None) or next(iter(args.positional), None)
    names = keywords.get(static)
    options: tuple[tuple[str, Value], ...] = ()
    if names is not None:
        given = constant(names)
        first = given[0] if isinstance(given, tuple) and given else given
        options = (("static_argnums" if isinstance(first, int) else "static_argnames", names),)
    if function is None:
        return Partial(External(row.name), (), tuple(args.keywords.items()))
    return _transformed(it, function, row.name, options, node)


def _transformed(
    it: Interpreter,
    function: Value,
    name: str,
    options: tuple[tuple[str, Value], ...],
    node: cst.CSTNode,
    argument: cst.CSTNode | None = None,
) -> Value:
    if function == UNKNOWN or isinstance(function, (Static, Const)):
        return UNKNOWN
    made = Transformed(function, name, options, it.place(node))
    made = resolve_static_options(it, made)
    code, bound = _signature(it, function)
    if options and jit_arguments.check_options(it, made, *_visible_signature(it, function), node):
        return UNKNOWN
    method = _called_method(it, function)
    if method is not None:
        # What runs if nobody visibly calls it.
        it.expect(Transformed(method, name, made.options, made.place))
    if base_function(function) is not None:
        it.expect(made)
        flags = narrowing.settled_flags(it)
        known = it.made_under.setdefault(made, flags)
        if known != flags:
            it.made_under[made] = dict(known.items() & flags.items())
    if it.trace is None:
        it.signal(TransformApplied(made, argument, node))
    if code is not None and code.cls is not None:
        positional = _parameter_names(code, bound)
        jit_arguments.check_method(it, made, static_parameters(made, positional), node)
    return made


def _called_method(it: Interpreter, function: Value) -> Value | None:
    """The method that calling an instance runs, None for what is no instance."""
    method = class_attribute(it, function, "__call__") if isinstance(function, Ref) else None
    return method if method is not None and base_function(method) is not None else None


def use_key(made: Transformed) -> tuple[int, int]:
    """Which function a place transforms: a decorator of the project's own transforms many."""
    base = base_function(made.function)
    return id(made.place.node), 0 if base is None else id(base.code)


@calls_of(Transformed)
def call_transformed(
    it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode
) -> Value:
    """Call a transformed function: its arguments become what the transform makes of them."""
    if it.trace is None:
        it.signal(TransformedCalled(function))
    return _call(it, function, args, node)


def _call(it: Interpreter, function: Transformed, args: Arguments, node: cst.CSTNode) -> Value:
    row = it.row(function.transform)
    if row is None:
        return UNKNOWN
    if it.frame.context.disabled and row.name in COMPILING:
        return it.call(function.function, args, node)
    it.called[use_key(function)] = function
    method = _called_method(it, function.function)
    if method is not None:
        through = Transformed(method, function.transform, (), function.place)
        it.called[use_key(through)] = through
    if row.kind in ("custom_jvp", "custom_vjp"):
        args = _in_signature_order(it, function, args)
    with narrowing.settled(it, it.made_under.get(function, {})):
        result = trace(it, function, row, args, node)
    if row.kind in ("custom_jvp", "custom_vjp"):
        run_rules(it, function, args, result, node)
    if row.gives == "static":
        return STATIC
    if row.gives == "gradient":
        return _gradient(it, function, args, result, node)
    if row.gives == "value_and_gradient":
        return Tuple((result, _gradient(it, function, args, UNKNOWN, node)))
    return result


def _gradient(
    it: Interpreter, function: Transformed, args: Arguments, result: Value, node: cst.CSTNode
) -> Value:
    numbers = constant(function.option("argnums")) if function.option("argnums") else 0
    has_aux = function.option("has_aux") == Const(True)
    if isinstance(numbers, int):
        operand = args.get(numbers, "")
        gradient: Value = _like(it, operand, args, node)
    elif isinstance(numbers, tuple):
        gradient = Tuple(tuple(_like(it, args.get(n, ""), args, node) for n in numbers))
    else:
        gradient = UNKNOWN
    if has_aux and result != UNKNOWN:
        aux = result.items[1] if isinstance(result, Tuple) and len(result.items) == 2 else UNKNOWN
        return Tuple((gradient, aux))
    return gradient


def _like(it: Interpreter, operand: Value | None, args: Arguments, node: cst.CSTNode) -> Value:
    array = operations.array_result(it, args.values(), node=node)
    if operand is None or operand == UNKNOWN:
        if array.level is Level.ABSTRACT:
            return Tree(array.level, certainty=array.certainty, origin=array.origin)
        return UNKNOWN
    if isinstance(operand, (Const, Static, Array)):
        return array
    if isinstance(operand, Tree):
        return operand.replace(level=max(array.level, operand.level))
    return traced_argument(it, operand, array.level)


@dataclass(slots=True, eq=False, repr=False)
class _Entry:
    """What entering a function under a transform needs to know."""

    row: Transform
    level: Level
    context: Context
    step: Step


def trace(
    it: Interpreter, function: Transformed, row: Transform, args: Arguments, node: cst.CSTNode
) -> Value:
    """Run the function under a transform on what the transform makes of the arguments."""
    context = it.frame.context
    level = Level.ABSTRACT if row.abstract else Level.VALUE
    inner = Context(
        staging=context.staging or row.staging,
        cached=context.cached or row.cached,
        disabled=context.disabled,
    )
    if row.traces == "none":
        inner = context
    step = Step(function.place, f"traced by {display_name(function.transform)}")
    entry = _Entry(row, level, inner, step)
    if row.traces == "none":
        converted = _convert(it, function, entry, args)
        return outside(it, _entered(it, function.function, converted, node, step, inner), args)
    with it.tracing(row, node, anew=_is_made_for_call(it, function, node)):
        converted = _convert(it, function, entry, args)
        result = _entered(it, function.function, converted, node, step, inner)
    return outside(it, result, args)


def _is_made_for_call(it: Interpreter, function: Transformed, node: cst.CSTNode) -> bool:
    """Whether a new function is transformed for this one call.

    ``jax.jit(f)(x)``, or a nested function that the one around it decorates and calls once.
    """
    if it.trace is not None or not isinstance(node, cst.Call):
        return False
    inner: Value = function
    while isinstance(inner, Transformed):
        inner = inner.function
    if not it.is_fresh(inner):
        return False
    return isinstance(node.func, cst.Call) or _is_only_use(it, node.func)


def _is_only_use(it: Interpreter, name: cst.BaseExpression) -> bool:
    """Whether a function binds a name, uses it here, outside of loops, and nowhere else."""
    frame = it.frame
    if frame.code is None or frame.turns or not isinstance(name, cst.Name):
        return False
    uses = 0
    for node in frame.code.own_nodes:
        if type(node) is cst.Name and node.value == name.value:
            uses += 1
        elif type(node) is cst.AssignTarget and type(node.target) is cst.Name:
            uses -= node.target.value == name.value
    return uses == 1


def _entered(
    it: Interpreter,
    function: Value,
    args: Arguments,
    node: cst.CSTNode,
    step: Step,
    context: Context,
) -> Value:
    """Call a function as a transform does, with the step that explains it."""
    frame = it.frame
    before_chain, before_context = frame.chain, frame.context
    frame.chain = Chain(step, frame.chain)
    frame.context = context
    it.entering = True
    try:
        return it.call(function, args, node)
    finally:
        frame.chain = before_chain
        frame.context = before_context


def outside(it: Interpreter, result: Value, args: Arguments) -> Value:
    """A traced result as the caller sees it: concrete again outside every trace."""
    if it.frame.context.staging:
        return result
    level = Level.CONCRETE
    for value in args.values():
        found = level_of(it, value)
        if found is not None and found > level:
            level = found
    return lowered(it, result, level)


def lowered(it: Interpreter, value: Value, level: Level, depth: int = 6) -> Value:
    """A value whose arrays have at most a level."""
    if isinstance(value, (Array, Tree)):
        if value.level > level:
            if isinstance(value, Array):
                return value.replace(level=level, origin=None, python_type=None)
            return value.replace(level=level, origin=None)
        return value
    if depth == 0:
        return UNKNOWN
    if isinstance(value, Tuple):
        return Tuple(tuple(lowered(it, item, level, depth - 1) for item in value.items), value.cls)
    if isinstance(value, ExternalInstance):
        parts = ((name, lowered(it, part, level, depth - 1)) for name, part in value.attributes)
        return ExternalInstance(value.cls, tuple(parts))
    if isinstance(value, Union):
        return join_all(lowered(it, member, level, depth) for member in value.members)
    if isinstance(value, Ref):
        contents = it.contents(value)
        id_ = it.new_id("lowered", value.id, int(level))

        def inner(part: Value) -> Value:
            return lowered(it, part, level, depth - 1)

        if isinstance(contents, ListObject):
            items = contents.items
            it.state.put(
                id_,
                ListObject(
                    None if items is None else tuple(map(inner, items)),
                    inner(contents.element),
                    mutable=contents.mutable,
                ),
            )
            return Ref(id_)
        if isinstance(contents, DictObject):
            rest = None if contents.rest is None else inner(contents.rest)
            it.state.put(
                id_, DictObject({key: inner(v) for key, v in contents.items.items()}, rest)
            )
            return Ref(id_)
        if isinstance(contents, Instance):
            attributes = {name: inner(v) for name, v in contents.attributes.items()}
            it.state.put(id_, Instance(contents.cls, attributes, contents.rest))
            return Ref(id_)
        if isinstance(contents, SetObject):
            return value
    return value


# -- arguments ------------------------------------------------------------------------------------


def _signature(it: Interpreter, function: Value) -> tuple[Code | None, int]:
    """(code, number of leading parameters that are already bound) under a callable."""
    offset = 0
    while True:
        if isinstance(function, Function):
            return it.load(function.code), offset
        if isinstance(function, BoundMethod):
            offset += 1
            function = function.function
        elif isinstance(function, Partial):
            offset += len(function.args)
            function = function.function
        elif isinstance(function, (Transformed, Cached, Dispatched, Descriptor)):
            function = function.function
        else:
            return None, 0


def _visible_signature(it: Interpreter, function: Value) -> tuple[Code | None, int]:
    """The signature that JAX sees: of the wrapped function under ``functools.wraps``."""
    code, offset = _signature(it, function)
    base = base_function(function)
    original = None if base is None else it.registered.get(("wraps", base))
    if original is not None:
        wrapped, skip = _visible_signature(it, original)
        return wrapped, offset + skip
    return code, offset


def _parameter_names(code: Code | None, offset: int) -> list[Parameter]:
    if code is None:
        return []
    kinds = ("positional", "positional-only")
    return [p for p in code.parameters if p.kind in kinds][offset:]


def _convert(it: Interpreter, function: Transformed, entry: _Entry, args: Arguments) -> Arguments:
    code, offset = _visible_signature(it, function.function)
    positional = _parameter_names(code, offset)
    by_name = {p.name: p for p in code.parameters} if code is not None else {}
    static_numbers, static_names = static_parameters(function, positional)
    # JAX infers names from positions and the other way round only where one of them is given.
    literal = None not in (function.option("static_argnums"), function.option("static_argnames"))
    declared = all(number < 32 for number in static_numbers if isinstance(number, int))
    selected = _selected(function, entry.row)
    excluded = constant(function.option("excluded"))
    left_out = excluded if isinstance(excluded, tuple) else ()
    converted = Arguments(nodes=[], keyword_nodes={})
    kinds: dict[str, str] = {}
    for index, value in enumerate(args.positional):
        parameter = positional[index] if index < len(positional) else None
        name = parameter.name if parameter is not None else f"*{index}"
        where = args.nodes[index] if index < len(args.nodes) else None
        unpassed = isinstance(value, _Defaulted)
        static = index in static_numbers or (name in static_names and (unpassed or not literal))
        if static and (declared or not _is_lifted(it, value)):
            if where is not None and declared:
                jit_arguments.check_static(it, function, value, name, where)
            made = _as_static(it, value, code, parameter)
            kinds[name] = "static"
        elif (nested := _nested_axes(it, function, entry.row, index)) is not None:
            made = _mapped(
                it, value, nested, lambda part: _argument(it, part, entry, None, None, function)
            )
            kinds[name] = "container"
        elif not selected(index):
            made = value.value if isinstance(value, _Defaulted) else value
            kinds[name] = kind_of(it, value)
        else:
            if where is not None:
                jit_arguments.check_argument(it, function, value, name, where)
            seen = entry
            if not entry.context.staging and _keeps_value(function, index):
                seen = replace(entry, level=Level.VALUE)
            made = _argument(it, value, seen, code, parameter, function)
            kinds[name] = kind_of(it, made)
        converted.positional.append(made)
    for name, value in args.keywords.items():
        parameter = by_name.get(name)
        where = args.keyword_nodes.get(name)
        if name in static_names or (
            not literal
            and parameter is not None
            and parameter in positional
            and positional.index(parameter) in static_numbers
        ):
            if where is not None and declared:
                jit_arguments.check_static(it, function, value, name, where)
            converted.keywords[name] = _as_static(it, value, code, parameter)
            kinds[name] = "static"
        elif entry.row.traces in ("argnums", "first") or name in left_out:
            converted.keywords[name] = value.value if isinstance(value, _Defaulted) else value
            kinds[name] = kind_of(it, value)
        else:
            if where is not None:
                jit_arguments.check_argument(it, function, value, name, where)
            converted.keywords[name] = _argument(it, value, entry, code, parameter, function)
            kinds[name] = kind_of(it, converted.keywords[name])
    if args.star is not None:
        beyond = any(isinstance(n, int) and n >= len(args.positional) for n in static_numbers)
        beyond = beyond or any(p.name in static_names for p in positional[len(args.positional) :])
        converted.star = (
            UNKNOWN if beyond else _argument(it, args.star, entry, None, None, function)
        )
    if args.star_keywords is not None:
        converted.star_keywords = _argument(it, args.star_keywords, entry, None, None, function)
        # `f(x, **settings)`: what is declared static is static, whoever passes it.
        given = {p.name for p in positional[: len(args.positional)]} | args.keywords.keys()
        numbered = {p.name for i, p in enumerate(positional) if not literal and i in static_numbers}
        for name, parameter in by_name.items():
            if name in static_names | numbered and name not in given:
                converted.keywords[name] = _as_static(it, UNKNOWN, code, parameter)
                kinds[name] = "static"
    if code is not None and entry.row.traces != "none":
        for parameter in code.parameters[offset:]:
            if parameter.name not in kinds and parameter.default is not None:
                kinds[parameter.name] = "static"
        _record(it, code, function.transform, kinds, entry.step)
    return converted


def _is_lifted(it: Interpreter, value: Value) -> bool:
    """Whether a transform takes an object apart, so that nobody declares it static: nnx modules."""
    contents = it.contents(value) if isinstance(value, Ref) else None
    return isinstance(contents, Instance) and class_info(it, contents.cls).pytree == "variables"


def _record(
    it: Interpreter, code: Code, transform_name: str, kinds: dict[str, str], step: Step
) -> None:
    key = (id(code), transform_name, id(step.place.node))
    known = it.entries.get(key)
    if known is not None:
        kinds = merge_kinds(dict(known.parameters), kinds)
    it.entries[key] = Entry(code, transform_name, tuple(kinds.items()), Chain(step, it.frame.chain))


def kind_of(it: Interpreter, value: Value) -> str:
    """The word ``jitlint traced`` uses for what a parameter holds."""
    if isinstance(value, Array):
        return "traced" if value.level is not Level.CONCRETE else "static"
    if isinstance(value, Tree):
        return "container" if value.container else "traced"
    if isinstance(value, (Tuple, Ref)):
        return "container"
    if isinstance(value, (Const, Static, Function, External, Class)):
        return "static"
    if isinstance(value, Union):
        kinds = {kind_of(it, member) for member in value.members if member != NONE}
        return kinds.pop() if len(kinds) == 1 else "unknown"
    return "unknown"


def static_parameters(
    function: Transformed, positional: Sequence[Parameter]
) -> tuple[set[int], set[str]]:
    """Positions and names that ``static_argnums`` and ``static_argnames`` declare.

    JAX infers one from the other when only one is given.
    """
    numbers: set[int] = set()
    names: set[str] = set()
    nums = function.option("static_argnums") or function.option("static_broadcasted_argnums")
    given_names = function.option("static_argnames")
    unknown = False
    for option, into in ((nums, numbers), (given_names, names)):
        if option is None:
            continue
        value = constant(option)
        if value is ... and isinstance(option, Ref):
            value = ...
        if isinstance(value, (int, str)) and not isinstance(value, bool):
            into.add(value)  # type: ignore[arg-type]
        elif isinstance(value, tuple):
            into.update(v for v in value)
        elif value is ...:
            unknown = True
    count = len(positional)
    numbers = {n + count if isinstance(n, int) and n < 0 else n for n in numbers}
    if nums is None and given_names is not None:
        numbers |= {i for i, p in enumerate(positional) if p.name in names}
    if given_names is None and nums is not None:
        names |= {p.name for i, p in enumerate(positional) if i in numbers}
    if unknown:
        # Which parameters are static is not known: none counts as traced.
        numbers |= set(range(count + 32))
        names |= {p.name for p in positional}
    return numbers, names


def resolve_static_options(it: Interpreter, function: Transformed) -> Transformed:
    """Static options given as lists or named constants, as constants."""
    options = []
    for name, value in function.options:
        if isinstance(value, Ref):
            found = operations.sequence_items(it, value)
            if found is not None and found[1] is not None:
                value = Tuple(tuple(found[1]))
        options.append((name, value))
    return Transformed(function.function, function.transform, tuple(options), function.place)


def _selected(function: Transformed, row: Transform) -> Callable[[int], bool]:
    """Which positional arguments the transform touches."""
    if row.traces == "none":
        return lambda index: False
    if row.kind == "module_wrap":
        return lambda index: index > 0
    if row.traces == "first":
        return lambda index: index == 0
    excluded = function.option("excluded")
    if excluded is not None and function.transform == "jax.numpy.vectorize":
        left_out = constant(excluded)
        if isinstance(left_out, tuple):
            skipped = left_out
            return lambda index: index not in skipped
        return lambda index: False
    if row.traces == "argnums":
        option = function.option("argnums")
        numbers = 0 if option is None else constant(option)
        if isinstance(numbers, int):
            return lambda index: index == numbers
        if isinstance(numbers, tuple):
            return lambda index: index in numbers
        return lambda index: False
    if row.traces == "in_axes":
        option = function.option("in_axes")
        axes = 0 if option is None else _axes(option)
        if isinstance(axes, tuple):
            given = axes
            return lambda index: index < len(given) and given[index] is not None
        if axes is ...:
            return lambda index: False
        return lambda index: axes is not None
    if row.traces == "in_specs":
        return lambda index: _spec(function, index) != NONE
    return lambda index: True


def _spec(function: Transformed, index: int) -> Value:
    """How an argument of ``shard_map`` is split over the devices."""
    specs = function.option("in_specs")
    if isinstance(specs, Tuple):
        return specs.items[index] if index < len(specs.items) else UNKNOWN
    return UNKNOWN if specs is None else specs


def _keeps_value(function: Transformed, index: int) -> bool:
    """Whether every device gets the whole argument, and JAX knows that it is the same for all."""
    spec = _spec(function, index)
    if not isinstance(spec, ExternalInstance) or spec.cls != PARTITION:
        return False
    checked = (function.option("check_vma"), function.option("check_rep"))
    axes = dict(spec.attributes).get("axes")
    return (
        isinstance(axes, Tuple)
        and all(axis == NONE for axis in axes.items)
        and Const(False) not in checked
    )


def _nested_axes(
    it: Interpreter, function: Transformed, row: Transform, index: int
) -> Value | None:
    """The axes of one argument where they are given leaf by leaf, None if one holds for all."""
    option = function.option("in_axes") if row.traces == "in_axes" else None
    if not isinstance(option, Tuple) or index >= len(option.items):
        return None
    axes = option.items[index]
    if isinstance(axes, Tuple):
        return axes
    contents = it.contents(axes) if isinstance(axes, Ref) else None
    return axes if isinstance(contents, DictObject) and contents.rest is None else None


def _mapped(
    it: Interpreter, value: Value, axes: Value, trace_leaf: Callable[[Value], Value]
) -> Value:
    """An argument whose leaves are mapped where their axis is a number, and untouched elsewhere."""
    if axes == NONE:
        return value
    if isinstance(axes, Tuple):
        items = value.items if isinstance(value, Tuple) else (UNKNOWN,) * len(axes.items)
        if len(items) != len(axes.items) or not (isinstance(value, Tuple) or value == UNKNOWN):
            return UNKNOWN
        pairs = zip(items, axes.items, strict=True)
        return Tuple(tuple(_mapped(it, item, axis, trace_leaf) for item, axis in pairs))
    contents = it.contents(axes) if isinstance(axes, Ref) else None
    if isinstance(contents, DictObject):
        mine = it.contents(value) if isinstance(value, Ref) else None
        if not (isinstance(mine, DictObject) or value == UNKNOWN):
            return UNKNOWN
        held = mine.items if isinstance(mine, DictObject) else {}
        made = {
            key: _mapped(it, held.get(key, UNKNOWN), axis, trace_leaf)
            for key, axis in contents.items.items()
        }
        id_ = it.new_id("mapped", id(axes), it.frame.env)
        it.keep(axes)
        it.state.put(id_, DictObject(made, None))
        return Ref(id_)
    return trace_leaf(value) if isinstance(axes, Const) else UNKNOWN


def _axes(option: Value) -> object:
    """``in_axes`` argument by argument; a container of axes counts as not known."""
    if isinstance(option, Tuple):
        return tuple(
            0 if isinstance(item, Const) and isinstance(item.value, int) else None
            for item in option.items
        )
    return constant(option)


def _as_static(
    it: Interpreter, value: Value, code: Code | None, parameter: Parameter | None
) -> Value:
    if isinstance(value, _Defaulted):
        value = value.value
    if value == UNKNOWN and code is not None and parameter is not None:
        known = informed(it, code, parameter)
        # No array can be hashed, whatever the annotation says.
        return STATIC if known == UNKNOWN or isinstance(known, (Array, Tree)) else known
    if isinstance(value, (Array, Tree)):
        return STATIC
    return value


def _argument(
    it: Interpreter,
    value: Value,
    entry: _Entry,
    code: Code | None,
    parameter: Parameter | None,
    function: Transformed,
) -> Value:
    row = entry.row
    leaves = "arrays" if row.traces in ("arrays", "first") else "leaves"
    evidence = None
    origin: Origin | None = None
    certainty = Certainty.SURE
    if code is not None and parameter is not None:
        assert code.parsed is not None
        evidence = of_parameter(it, code, parameter)
        from jitlint.absint.code.functions import Place

        where = parameter_node(code, parameter)
        origin = Origin(
            Place(code.parsed, where),
            f"`{parameter.name}` is a parameter of the traced function",
        )
    if isinstance(value, _Defaulted):
        certainty = Certainty.DEFAULTED
        value = value.value
        by_name = row.maps_keywords and parameter is not None and parameter.kind == "keyword"
        if (row.traces == "in_axes" or by_name) and isinstance(value, (Const, Static)):
            # What a caller may pass has an axis to be mapped; a number or flag has none.
            return value
    level = entry.level
    if row.traces == "argnums" or row.traces == "first":
        if isinstance(value, (Array, Tree)) and value.level > level:
            level = value.level
        if it.frame.context.staging:
            level = Level.ABSTRACT if _is_abstract(it, value) else level
    return traced_argument(
        it,
        value,
        level,
        leaves=leaves,
        evidence=evidence,
        origin=origin,
        certainty=certainty,
    )


def _is_abstract(it: Interpreter, value: Value) -> bool:
    return find_traced(it, value) is not None


class _Defaulted(Value):
    """The default of a parameter, where no call is visible that leaves it out."""

    __slots__ = ("value",)

    def __init__(self, value: Value) -> None:
        self.value = value

    def key(self) -> tuple[Value, ...]:
        return (self.value,)


def parameter_node(code: Code, parameter: Parameter) -> cst.CSTNode:
    """The node of a parameter in the definition of its function."""
    assert code.node is not None
    params = code.node.params
    for param in (*params.posonly_params, *params.params, *params.kwonly_params):
        if param.name.value == parameter.name:
            return param.name
    for extra in (params.star_arg, params.star_kwarg):
        if isinstance(extra, cst.Param) and extra.name.value == parameter.name:
            return extra.name
    return code.node


def trace_unseen(it: Interpreter, function: Transformed) -> None:
    """Trace a function that no visible call reaches, on what its parameters say of themselves."""
    node = function.place.node
    code, offset = _signature(it, function.function)
    if code is None:
        return
    args = Arguments()
    positional = _parameter_names(code, offset)
    bound = partial_keywords(function.function)
    visible, skip = _visible_signature(it, function.function)
    if visible is not None and visible is not code:
        # The wrapper takes whatever the function that it wraps takes.
        for parameter in _parameter_names(visible, skip):
            if parameter.default is None:
                args.positional.append(_unseen(it, visible, parameter))
    elif any(p.kind == "*" for p in code.parameters):
        args.star = UNKNOWN
    names = constant(function.option("static_argnames"))
    if any(p.kind == "**" for p in code.parameters):
        # What is declared static by name alone is passed by name.
        for name in names if isinstance(names, tuple) else (names,):
            if isinstance(name, str) and name not in {p.name for p in code.parameters}:
                args.keywords[name] = UNKNOWN
    for parameter in positional:
        if parameter.name in bound or _lasting_default(it, code, parameter):
            break
        if offset == 0 and not args.positional and code.unit.cls is not None and _is_method(code):
            args.positional.append(prototype(it, Class(code.unit.cls, code.module)))
            continue
        args.positional.append(_unseen(it, code, parameter))
    for parameter in code.parameters:
        if parameter.kind == "keyword" and parameter.name not in bound:
            value = _unseen(it, code, parameter)
            if not isinstance(value, _Defaulted) or value.value != NONE:
                args.keywords[parameter.name] = value
    _call(it, function, args, node)


def _lasting_default(it: Interpreter, code: Code, parameter: Parameter) -> bool:
    """Whether a parameter is left at a mutable default, which the function may change."""
    if parameter.default is None:
        return False
    default = default_value(it, code, parameter)
    return isinstance(default, Ref) and default.id in it.defaults


def _is_method(code: Code) -> bool:
    """Whether a unit of a class body is a method, not a function nested in one."""
    if "staticmethod" in decorator_names(code.unit):
        return False
    first = code.parameters[0].name if code.parameters else ""
    return code.node is not None and code.cls is not None and first in ("self", "cls")


def _unseen(it: Interpreter, code: Code, parameter: Parameter) -> Value:
    if parameter.default is None:
        return UNKNOWN
    default = default_value(it, code, parameter)
    if default == NONE:
        return Union((NONE, UNKNOWN))
    return _Defaulted(default)


# -- transforms that call their function at once ---------------------------------------------------


#: kinds that trace their function once for many turns
_LOOPS = frozenset({"scan", "while", "fori", "map", "associative_scan"})
#: kinds that call their functions on arrays with values under ``jax.disable_jit``
_RUN_AS_PYTHON = frozenset({"scan", "while", "fori", "map", "cond", "switch"})


def _enter(
    it: Interpreter,
    row: Transform,
    function: Value,
    args: list[Value],
    node: cst.CSTNode,
) -> Value:
    """Run a body under a control-flow primitive; its arguments are traced already."""
    context = Context(
        staging=it.frame.context.staging or row.staging,
        cached=it.frame.context.cached or row.cached,
        disabled=it.frame.context.disabled,
    )
    step = Step(it.place(node), f"traced by {display_name(row.name)}")
    code, offset = _signature(it, function)
    if code is not None and row.abstract:
        names = [p.name for p in _parameter_names(code, offset)]
        found = {name: kind_of(it, value) for name, value in zip(names, args, strict=False)}
        _record(it, code, row.name, found, step)
    anew = it.trace is None and row.kind not in _LOOPS and it.is_fresh(function)
    try:
        if row.traces == "none":
            return _entered(it, function, Arguments(list(args)), node, step, context)
        with it.tracing(row, node, anew=anew):
            inside = [_stamped(it, value, (index,)) for index, value in enumerate(args)]
            return _entered(it, function, Arguments(inside), node, step, context)
    except Terminated:
        return UNKNOWN


def _stamped(
    it: Interpreter, value: Value, path: tuple[int, ...] | None = None, depth: int = 4
) -> Value:
    """An operand as one of the current trace: JAX makes the tracers and their containers anew.

    ``path`` is where the body gets it, None in an object that may change.
    """
    if isinstance(value, Array):
        return value.replace(trace=it.trace_number, operand=path)
    if isinstance(value, Tree):
        return value.replace(operand=path)
    if depth == 0:
        return value
    if isinstance(value, Tuple):
        items = (
            _stamped(it, item, None if path is None else (*path, index), depth - 1)
            for index, item in enumerate(value.items)
        )
        return Tuple(tuple(items), value.cls)
    if isinstance(value, Union):
        return join_all(_stamped(it, member, None, depth - 1) for member in value.members)
    if isinstance(value, Ref):
        contents = it.contents(value)
        parts: Sequence[Value] = ()
        if isinstance(contents, ListObject):
            parts = contents.items or (contents.element,)
        elif isinstance(contents, DictObject):
            parts = tuple(contents.items.values())
        elif isinstance(contents, Instance):
            parts = tuple(contents.attributes.values())
        if value.id not in it.defaults and not isinstance(contents, (SetObject, NoneType)):
            it.made_in[value.id] = it.trace_number
        for part in parts:
            if isinstance(part, (Ref, Union, Tuple)):
                _stamped(it, part, None, depth - 1)
    return value


def _traced(it: Interpreter, value: Value, node: cst.CSTNode, note: str) -> Value:
    """An operand as a body sees it: every leaf a tracer."""
    origin = it.origin(node, note)
    if isinstance(value, (Array, Tree)) and value.level is Level.ABSTRACT and value.origin:
        origin = value.origin
    return traced_argument(it, value, Level.ABSTRACT, origin=origin)


def _scan(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    body = args.get(0, "f")
    init = args.get(1, "init")
    xs = args.get(2, "xs")
    if body is None:
        return UNKNOWN
    _check_scan_options(it, args, node)
    carry = _traced(it, UNKNOWN if init is None else init, _at(args, 1, "init", node), "the carry")
    x = NONE if xs is None else _element(it, xs, _at(args, 2, "xs", node))
    carried: Value = UNKNOWN
    ys: Value = UNKNOWN
    for _ in range(3):
        result = _enter(it, row, body, [carry, x], node)
        if not (isinstance(result, Tuple) and len(result.items) == 2):
            break
        carried, ys = result.items
        merged = join(carry, traced_argument(it, result.items[0], Level.ABSTRACT))
        if merged == carry or UNKNOWN in (result.items[0],):
            break
        # The structure of the initial carry, the facts of both.
        carry = carry if isinstance(merged, Union) else merged
    stacked = _stacked(it, ys, node)
    if it.trace is not None:
        carry = kept(carry, carried, init or UNKNOWN, (0,))
        stacked = handed_on(stacked, [ys], [None, xs])
    return outside(it, Tuple((carry, stacked)), args)


def _check_scan_options(it: Interpreter, args: Arguments, node: cst.CSTNode) -> None:
    from jitlint.absint.machine.events import StaticParameter

    for index, name in ((3, "length"), (5, "unroll")):
        value = args.get(index, name)
        traced = comparable_tracer(value) if value is not None else None
        if traced is not None:
            it.emit(
                StaticParameter,
                node,
                traced,
                operand=_at(args, index, name, node),
                exceptions=("jax.errors.ConcretizationTypeError", "TypeError"),
                callee=it.text(node.func) if isinstance(node, cst.Call) else "jax.lax.scan",
                parameter=name,
            )


def _at(args: Arguments, index: int, name: str, node: cst.CSTNode) -> cst.CSTNode:
    return args.node(index, name) or node


def _element(it: Interpreter, xs: Value, node: cst.CSTNode) -> Value:
    """One slice of the scanned operands, every leaf a tracer."""
    if xs == NONE:
        return NONE
    value = _traced(it, xs, node, "an element of the scanned values")
    return _unranked(it, value)


def _unranked(it: Interpreter, value: Value) -> Value:
    if isinstance(value, Array):
        rank = None if not value.rank else value.rank - 1
        return value.replace(rank=rank, python_type=None)
    if isinstance(value, Tuple):
        return Tuple(tuple(_unranked(it, item) for item in value.items), value.cls)
    return value


def _stacked(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    if isinstance(value, Array):
        return value.replace(rank=None)
    if isinstance(value, Tuple):
        return Tuple(tuple(_stacked(it, item, node) for item in value.items), value.cls)
    if isinstance(value, (Const, Static)) and value != NONE:
        return operations.array_result(it, (), node=node)
    return value


def _while(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    condition = args.get(0, "cond_fun")
    body = args.get(1, "body_fun")
    init = args.get(2, "init_val")
    carry = _traced(
        it, UNKNOWN if init is None else init, _at(args, 2, "init_val", node), "the carry"
    )
    result: Value = UNKNOWN
    for _ in range(3):
        if condition is not None:
            _enter(it, row, condition, [carry], node)
        if body is None:
            break
        result = _enter(it, row, body, [carry], node)
        merged = join(carry, traced_argument(it, result, Level.ABSTRACT))
        if merged == carry or result == UNKNOWN or isinstance(merged, Union):
            break
        carry = merged
    if it.trace is not None:
        # Whether the condition uses a leaf is not known: what is kept may be a tracer or not.
        carry = kept(carry, result, init or UNKNOWN, (0,), certain=False)
    return outside(it, carry, args)


def _fori(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    body = args.get(2, "body_fun")
    init = args.get(3, "init_val")
    carry = _traced(
        it, UNKNOWN if init is None else init, _at(args, 3, "init_val", node), "the carry"
    )
    index = Array(
        Level.ABSTRACT,
        dtype="int",
        rank=0,
        origin=it.origin(node, "the loop index of fori_loop"),
    )
    result: Value = UNKNOWN
    for _ in range(3):
        if body is None:
            break
        result = _enter(it, row, body, [index, carry], node)
        merged = join(carry, traced_argument(it, result, Level.ABSTRACT))
        if merged == carry or result == UNKNOWN or isinstance(merged, Union):
            break
        carry = merged
    if it.trace is not None:
        carry = kept(carry, result, init or UNKNOWN, (1,))
    return outside(it, carry, args)


def _cond(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    operands = [
        _traced(it, value, _at(args, index + 3, "", node), "an operand of the branches")
        for index, value in enumerate(args.positional[3:])
    ]
    given = list(args.positional[3:])
    if "operand" in args.keywords:
        given = [args.keywords["operand"]]
        operands = [_traced(it, given[0], node, "the operand of the branches")]
    results = []
    for index, name in ((1, "true_fun"), (2, "false_fun")):
        function = args.get(index, name)
        if function is not None:
            results.append(_enter(it, row, function, operands, node))
    if len(args.positional) == 5 and not results:
        return UNKNOWN
    return outside(it, _of_branches(it, results, given), args)


def _of_branches(it: Interpreter, results: Sequence[Value], given: Sequence[Value]) -> Value:
    """What a choice between functions gives, all of which are traced."""
    joined = join_all(traced_argument(it, result, Level.ABSTRACT) for result in results)
    return joined if it.trace is None else handed_on(joined, results, given)


def _switch(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    branches = args.get(1, "branches")
    operands = [
        _traced(it, value, _at(args, index + 2, "", node), "an operand of the branches")
        for index, value in enumerate(args.positional[2:])
    ]
    if branches is None:
        return UNKNOWN
    element, items = operations.iterate(it, branches, node)
    results = []
    for function in items if items is not None else _functions(element):
        results.append(_enter(it, row, function, operands, node))
    return outside(it, _of_branches(it, results, args.positional[2:]), args)


def _functions(value: Value) -> tuple[Value, ...]:
    return value.members if isinstance(value, Union) else (value,)


def _map(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f")
    xs = args.get(1, "xs")
    if function is None or xs is None:
        return UNKNOWN
    result = _enter(it, row, function, [_element(it, xs, _at(args, 1, "xs", node))], node)
    stacked = _stacked(it, result, node)
    if it.trace is not None:
        stacked = handed_on(stacked, [result], [xs])
    return outside(it, stacked, args)


def _associative_scan(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fn")
    elements = args.get(1, "elems")
    if function is None or elements is None:
        return UNKNOWN
    _enter(it, row, function, [elements, elements], node)
    return elements


def _reduce(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(2, "computation")
    if function is None or isinstance(function, External):
        return operations.array_result(it, args.positional[:1], node=node)
    operand = Array(Level.ABSTRACT, origin=it.origin(node, "an operand of the reduction"))
    _enter(it, row, function, [operand, operand], node)
    return operations.array_result(it, args.positional[:1], node=node)


def _auxiliary(args: Arguments, result: Value) -> Value:
    """The result of a solver, which may come with what else it gave."""
    aux = args.keywords.get("has_aux")
    return result if aux is None or aux == Const(False) else Tuple((result, UNKNOWN))


def _custom_root(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    guess = args.get(1, "initial_guess") or UNKNOWN
    x = _traced(it, guess, node, "the guess of the solver")
    function = args.get(0, "f")
    if function is not None:
        _enter(it, row, function, [x], node)
        solve = args.get(2, "solve")
        if solve is not None:
            _enter(it, row, solve, [function, x], node)
        tangent = args.get(3, "tangent_solve")
        if tangent is not None:
            _enter(it, row, tangent, [function, x], node)
    return _auxiliary(args, outside(it, x, args))


def _linear_solve(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    right = _traced(it, args.get(1, "b") or UNKNOWN, node, "the right side of the system")
    matvec = args.get(0, "matvec")
    if matvec is not None:
        _enter(it, row, matvec, [right], node)
        for index, name in ((2, "solve"), (3, "transpose_solve")):
            solve = args.get(index, name)
            if solve is not None:
                _enter(it, row, solve, [matvec, right], node)
    return _auxiliary(args, outside(it, right, args))


def _linear_operator(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    right = _traced(it, args.get(1, "b") or UNKNOWN, node, "the right side of the system")
    matvec = args.get(0, "A")
    if matvec is not None and base_function(matvec) is not None:
        _enter(it, row, matvec, [right], node)
    return Tuple((outside(it, right, args), NONE))


def _apply(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    if function is None:
        return UNKNOWN
    operands = [
        _traced(it, value, _at(args, index + 1, "", node), "an argument of the traced function")
        for index, value in enumerate(args.positional[1:])
    ]
    if row.gives == "static" and it.is_fresh(function):
        # A new function is traced again each time that this runs.
        row = replace(row, cached=False)
    result = _enter(it, row, function, operands, node)
    if row.gives == "static":
        return _shapes(result)
    return result if row.gives == "same" else UNKNOWN


def _shapes(value: Value) -> Value:
    """The result of ``eval_shape``: shapes and dtypes, nothing traced."""
    return STATIC if not isinstance(value, (Tuple, Ref)) else UNKNOWN


def _jvp(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    primals = args.get(1, "primals")
    if function is None or primals is None:
        return UNKNOWN
    _, items = operations.iterate(it, primals, node)
    operands = [_differentiated(it, item, node) for item in items] if items is not None else []
    result = _enter(it, row, function, operands, node) if items is not None else UNKNOWN
    result = outside(it, result, args)
    return Tuple((result, result))


def _differentiated(it: Interpreter, value: Value, node: cst.CSTNode) -> Value:
    level = Level.ABSTRACT if find_traced(it, value) is not None else Level.VALUE
    return traced_argument(it, value, level, origin=it.origin(node, "a primal"))


def _vjp(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "fun")
    if function is None:
        return UNKNOWN
    operands = [_differentiated(it, value, node) for value in args.positional[1:]]
    result = outside(it, _enter(it, row, function, operands, node), args)
    pullback = ExternalInstance("jitlint.callable", (("gives", Const("unknown")),))
    if args.keywords.get("has_aux") == Const(True):
        return UNKNOWN
    return Tuple((result, pullback))


def _custom(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    if not args.positional:
        return Partial(External(row.name), (), tuple(args.keywords.items()))
    return Transformed(args.positional[0], row.name, tuple(args.keywords.items()), it.place(node))


def define_rules(
    it: Interpreter, function: Transformed, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
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
    return args.positional[0] if args.positional else NONE


def run_rules(
    it: Interpreter, function: Transformed, args: Arguments, result: Value, node: cst.CSTNode
) -> None:
    """Run the differentiation rules of a function that a trace calls."""
    base = base_function(function)
    if base is None or not it.frame.context.staging:
        return
    for name, rules in it.registered.get(("rules", id(base.code)), ()):
        try:
            if name == "defvjp":
                _run_vjp_rules(it, function, rules, args, result, node)
            elif name == "defjvp":
                _run_jvp_rule(it, function, rules, args, node)
        except Terminated:
            continue


def _in_signature_order(it: Interpreter, function: Transformed, args: Arguments) -> Arguments:
    """Arguments as JAX hands them to the rules: all positional, defaults filled in."""
    code, offset = _signature(it, function.function)
    if code is None or args.star is not None or args.star_keywords is not None:
        return args
    ordered = Arguments(list(args.positional), {}, nodes=list(args.nodes))
    rest = dict(args.keywords)
    for parameter in _parameter_names(code, offset)[len(args.positional) :]:
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
        code, offset = _signature(it, function.function)
        named = (names,) if isinstance(names, str) else names
        parameters = enumerate(_parameter_names(code, offset))
        found = sorted({*found, *(i for i, p in parameters if p.name in named)})
    return [n for n in found if isinstance(n, int)]


def _run_vjp_rules(
    it: Interpreter,
    function: Transformed,
    rules: Arguments,
    args: Arguments,
    result: Value,
    node: cst.CSTNode,
) -> None:
    forward = rules.get(0, "fwd")
    backward = rules.get(1, "bwd")
    residuals: Value = UNKNOWN
    if forward is not None:
        made = it.call(forward, args, node)
        if isinstance(made, Tuple) and len(made.items) == 2:
            residuals = made.items[1]
    if backward is None:
        return
    nondiff = _nondiff(it, function)
    if nondiff is None:
        return
    static = [args.positional[n] for n in nondiff if n < len(args.positional)]
    cotangent = traced_argument(it, result, Level.ABSTRACT, origin=it.origin(node, "the cotangent"))
    if result == UNKNOWN:
        cotangent = UNKNOWN
    it.call(backward, Arguments([*static, residuals, cotangent]), node)


def _run_jvp_rule(
    it: Interpreter, function: Transformed, rules: Arguments, args: Arguments, node: cst.CSTNode
) -> None:
    rule = rules.get(0, "jvp")
    if rule is None:
        return
    nondiff = _nondiff(it, function)
    if nondiff is None:
        return
    static = [args.positional[n] for n in nondiff if n < len(args.positional)]
    primals = [v for i, v in enumerate(args.positional) if i not in nondiff]
    tangents = [
        traced_argument(it, value, Level.ABSTRACT, origin=it.origin(node, "a tangent"))
        for value in primals
    ]
    it.call(rule, Arguments([*static, Tuple(tuple(primals)), Tuple(tuple(tangents))]), node)


def _tree_map(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "f")
    if function is None or len(args.positional) < 2:
        return UNKNOWN
    trees = args.positional[1:]
    return _map_trees(it, function, trees, node, row.kind == "tree_map_with_path", 4)


def _map_trees(
    it: Interpreter,
    function: Value,
    trees: Sequence[Value],
    node: cst.CSTNode,
    with_path: bool,
    depth: int,
) -> Value:
    first = trees[0]
    if first == NONE:
        return NONE
    if (
        depth
        and isinstance(first, Tuple)
        and all(isinstance(t, Tuple) and len(t.items) == len(first.items) for t in trees)
    ):
        rows = zip(*(t.items for t in trees if isinstance(t, Tuple)), strict=True)
        return Tuple(
            tuple(_map_trees(it, function, row, node, with_path, depth - 1) for row in rows),
            first.cls,
        )
    leaves = [_leaf_for(it, function, index, tree) for index, tree in enumerate(trees)]
    if with_path:
        leaves = [STATIC, *leaves]
    result = it.call(function, Arguments(list(leaves)), node)
    if isinstance(first, Array):
        return result
    if isinstance(first, Ref):
        contents = it.contents(first)
        if isinstance(contents, DictObject) and depth:
            return it.allocate(
                node, DictObject({key: _filled(v, result) for key, v in contents.items.items()},
                                 None if contents.rest is None else result)
            )  # fmt: skip
        if isinstance(contents, ListObject) and contents.items is None:
            return it.allocate(node, ListObject(None, _filled(contents.element, result)))
    traced = sure_array(result)
    if traced is not None and first != UNKNOWN:
        return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)
    return UNKNOWN


def _leaf_for(it: Interpreter, function: Value, index: int, tree: Value) -> Value:
    """A leaf as a function takes it: one that it writes to is a mutable reference."""
    leaf = leaf_of(it, tree)
    if not isinstance(tree, Tree) or not isinstance(function, Function):
        return leaf
    code = function.code
    if code.node is None or index >= len(code.parameters):
        return leaf
    used = of_parameter(it, code, code.parameters[index])
    return tree.replace(container=True) if used.used_as_reference else leaf


def _filled(part: Value, result: Value) -> Value:
    """A mapped subtree: the result itself where the subtree is a leaf."""
    if isinstance(part, (Array, Const, Static)):
        return result
    traced = sure_array(result)
    return UNKNOWN if traced is None else Tree(traced.level, certainty=traced.certainty)


def _host(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """A callback: it runs outside the trace on real arrays, nothing in it is hostile."""
    if row.name in ("jax.pure_callback", "jax.experimental.io_callback"):
        shapes = args.get(1, "result_shape_dtypes")
        array = operations.array_result(it, (), node=node)
        if isinstance(shapes, (ExternalInstance, Array)):
            return array
        return Tree(array.level, origin=array.origin)
    return NONE if row.name == "jax.debug.callback" else UNKNOWN


def _transformed_pair(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``hk.transform(f)``: an object whose ``init`` and ``apply`` run ``f``."""
    function = args.get(0, "f")
    if function is None:
        return UNKNOWN
    last = row.name.rpartition(".")[2]
    if isinstance(function, ExternalInstance) and function.cls == "jitlint.transformed":
        attributes = dict(function.attributes)
        if last == "without_apply_rng":
            skip = attributes["skip"]
            assert isinstance(skip, Const)
            attributes["skip"] = Const(skip.value - 1)
        return ExternalInstance("jitlint.transformed", tuple(sorted(attributes.items())))
    stateful = last.endswith("with_state") and last.startswith(("transform", "lift"))
    skip_count = 3 if stateful else 2
    if args.keywords.get("apply_rng") == Const(False):
        skip_count -= 1
    return ExternalInstance(
        "jitlint.transformed",
        (
            ("function", function),
            ("skip", Const(skip_count)),
            ("state", Const(stateful)),
        ),
    )


def _solver(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """An object that will call the function on traced values, such as ``diffrax.ODETerm``."""
    function = args.get(row.functions[0] if row.functions else 0, "")
    if function is not None:
        code, offset = _signature(it, function)
        if code is not None:
            names = _parameter_names(code, offset)
            operands: list[Value] = [
                traced_argument(
                    it, UNKNOWN, Level.ABSTRACT, evidence=of_parameter(it, code, parameter),
                    origin=it.origin(node, "passed by the solver"),
                )
                for parameter in names
            ]  # fmt: skip
            if len(operands) == 3:
                operands[2] = UNKNOWN
            _enter(it, row, function, operands, node)
    return UNKNOWN


def _piecewise(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    x = _traced(it, args.get(0, "x") or UNKNOWN, node, "the operand of the pieces")
    functions = args.get(2, "funclist")
    if functions is not None:
        element, items = operations.iterate(it, functions, node)
        for function in items if items is not None else _functions(element):
            if base_function(function) is not None:
                _enter(it, row, function, [x], node)
    return operations.array_result(it, args.positional[:1], node=node)


def _along_axis(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``apply_along_axis`` maps a 2-d array by vmap; a 1-d one is passed as it is."""
    operand = args.get(2, "arr") or UNKNOWN
    function = args.get(0, "func1d")
    if function is not None and find_traced(it, operand) is not None:
        _enter(it, row, function, [operand], node)
    return operations.array_result(it, [operand], node=node)


def _fromfunction(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "function")
    shape = args.get(1, "shape")
    found = operations.sequence_items(it, shape) if shape is not None else None
    if function is not None and found is not None and found[1] is not None:
        index = Array(Level.ABSTRACT, rank=0, origin=it.origin(node, "an index array"))
        _enter(it, row, function, [index for _ in found[1]], node)
    return operations.array_result(it, (), node=node)


def _minimize(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    x = _traced(it, args.get(1, "x0") or UNKNOWN, node, "the point of the minimiser")
    function = args.get(0, "fun")
    if function is not None:
        # What `args` holds is handed on as it is, enclosed by the function that is traced.
        extra = args.get(2, "args")
        found = None if extra is None else operations.sequence_items(it, extra)
        rest = list(found[1]) if found is not None and found[1] is not None else []
        _enter(it, row, function, [x, *rest], node)
    return UNKNOWN


def _odeint(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    function = args.get(0, "func")
    state = _traced(it, args.get(1, "y0") or UNKNOWN, node, "the state of the equation")
    time = Array(Level.ABSTRACT, rank=0, origin=it.origin(node, "the time of the equation"))
    rest = [_traced(it, arg, node, "an argument of the equation") for arg in args.positional[3:]]
    if function is not None:
        _enter(it, row, function, [state, time, *rest], node)
    return outside(it, state, args)


def _module_wrap(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """Flax linen's lifted transforms: of a class they give a class, of a function a function."""
    if not args.positional:
        return Partial(External(row.name), (), tuple(args.keywords.items()))
    target = args.positional[0]
    if isinstance(target, (Class, External)):
        return target
    if base_function(target) is None:
        return UNKNOWN
    made = Transformed(target, row.name, tuple(args.keywords.items()), it.place(node))
    it.expect(made)
    return made


def _none(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    return UNKNOWN


@verb("transformed method")
def transformed_method(
    it: Interpreter, name: str, function: Value, args: Arguments, node: cst.CSTNode
) -> Value:
    """``jitted.lower(x)``, ``f.defvjp(fwd, bwd)`` ..."""
    if not isinstance(function, Transformed):
        return UNKNOWN
    if name in ("defvjp", "defjvp", "defjvps", "def_vmap"):
        return define_rules(it, function, name, args, node)
    if name in ("lower", "trace", "eval_shape"):
        _call(it, function, args, node)
    return UNKNOWN


_KINDS = {
    "wrap": _wrap,
    "configured": _configured,
    "scan": _scan,
    "while": _while,
    "fori": _fori,
    "cond": _cond,
    "switch": _switch,
    "map": _map,
    "associative_scan": _associative_scan,
    "reduce": _reduce,
    "custom_root": _custom_root,
    "linear_solve": _linear_solve,
    "linear_operator": _linear_operator,
    "apply": _apply,
    "jvp": _jvp,
    "vjp": _vjp,
    "linearize": _vjp,
    "custom_jvp": _custom,
    "custom_vjp": _custom,
    "custom_vmap": _custom,
    "tree_map": _tree_map,
    "tree_map_with_path": _tree_map,
    "host": _host,
    "transformed": _transformed_pair,
    "solver": _solver,
    "piecewise": _piecewise,
    "apply_along_axis": _along_axis,
    "fromfunction": _fromfunction,
    "minimize": _minimize,
    "odeint": _odeint,
    "module_wrap": _module_wrap,
    "checkify": _wrap,
    "none": _none,
}
