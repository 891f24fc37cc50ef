"""Transforms that give a callable: ``jax.jit(f)``, ``@partial(jax.vmap, in_axes=...)`` ..."""

from __future__ import annotations

from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.omissions import Reason
from jitlint.absint.machine.signals import TransformApplied
from jitlint.absint.modules.annotations import static_names
from jitlint.absint.packages.facts import Bound, reports_static
from jitlint.absint.packages.linen import LIFTED_CLASS
from jitlint.absint.program.members import class_attribute
from jitlint.absint.program.signatures import (
    positional_parameters,
    says_another,
    signature,
    visible_signature,
)
from jitlint.absint.traces.kinds import kind
from jitlint.absint.traces.opaque import is_opaque
from jitlint.absint.traces.options import (
    refuses_options,
    static_parameters,
    with_constant_options,
)
from jitlint.absint.transforms.circumstances import note_circumstances
from jitlint.absint.transforms.haiku import applied_by
from jitlint.absint.values.domain import (
    UNKNOWN,
    Class,
    Const,
    External,
    Partial,
    Ref,
    Static,
    Transformed,
    Tuple,
    Union,
    Value,
    base_function,
)
from jitlint.absint.values.lattice import guessed, join_all
from jitlint.absint.values.statics import constant
from jitlint.jaxmodel.functions import Parameter
from jitlint.jaxmodel.transforms import (
    COMPILING,
    STATIC_BY_ANNOTATION,
    STATIC_OPTIONS,
    Transform,
)

#: names of the parameter that takes the function
_FUNCTION = ("fun", "f", "func", "fn")
_STATIC: Final = ("static_argnums", "static_argnames")


@kind("wrap", "checkify", "custom_gradient")
def _wrap(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    options = list(args.keywords.items())
    if args.star_keywords is not None and row.name in COMPILING:
        # They may declare any parameter static.
        options += [(name, UNKNOWN) for name in _STATIC if name not in args.keywords]
    function = args.positional[0] if args.positional else None
    if function is None:
        function = next((args.keywords[name] for name in _FUNCTION if name in args.keywords), None)
        options = [(name, value) for name, value in options if name not in _FUNCTION]
    if function is None:
        return _with_options(row, tuple(options))
    options += zip(row.options, args.positional[1:], strict=False)
    reported = _reports_options(it, row, args, node)
    if reported is not None:
        return reported
    if isinstance(function, Union):
        made = join_all(
            _transformed(it, member, row.name, tuple(options), node) for member in function.members
        )
        return guessed(made) if function.exclusive else made
    argument = args.nodes[0] if args.nodes else None
    return _transformed(it, function, row.name, tuple(options), node, argument)


def _reports_options(
    it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode
) -> Value | None:
    """Report an option of a transform of JAX that is traced; the result if reported."""
    if not row.name.startswith("jax.") or not isinstance(node, cst.Call):
        return None
    parameters = [Parameter(name, "either", has_default=True) for name in ("", *row.options)]
    call = Call(row.name.rpartition(".")[2], args, node)
    return reports_static(it, call, STATIC_OPTIONS, Bound(parameters, args))


@kind("configured")
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
        return _with_options(row, tuple(args.keywords.items()))
    return _transformed(it, function, row.name, options, node)


@kind("custom_jvp", "custom_vjp", "custom_vmap", "filter_custom")
def _with_rules(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """A function that gets rules of its own later."""
    options = tuple(args.keywords.items())
    if not args.positional:
        return _with_options(row, options)
    return Transformed(args.positional[0], row.name, options, it.place(node))


#: which trace `__call__` with the arguments of a call, as a function of a module
_LIFTS_CALLS: Final = frozenset({"flax.linen.remat", "flax.linen.checkpoint", "flax.linen.jit"})


@kind("module_wrap")
def _lift(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """Flax linen's lifted transforms: of a class they give a class, of a function a function."""
    options = tuple(args.keywords.items())
    if not args.positional:
        return _with_options(row, options)
    target = args.positional[0]
    if isinstance(target, Class) and row.name in _LIFTS_CALLS:
        how = Transformed(UNKNOWN, row.name, options, it.place(node))
        return Partial(LIFTED_CLASS, (target, how), ())
    if isinstance(target, (Class, External)) or getattr(target, "function", None) == LIFTED_CLASS:
        return target
    if base_function(target) is None:
        return UNKNOWN
    made = Transformed(target, row.name, options, it.place(node))
    it.expect(made)
    return made


@kind("variants")
def _variants(it: Interpreter, row: Transform, args: Arguments, node: cst.CSTNode) -> Value:
    """``@chex.variants(with_jit=True)``: ``program.chex_tests`` says what it means."""
    if not args.positional:
        return _with_options(row, tuple(args.keywords.items()))
    return args.positional[0]


def _with_options(row: Transform, options: tuple[tuple[str, Value], ...]) -> Value:
    """A decorator that was given its options first."""
    return Partial(External(row.name), (), options)


def _transformed(
    it: Interpreter,
    function: Value,
    name: str,
    options: tuple[tuple[str, Value], ...],
    node: cst.CSTNode,
    argument: cst.CSTNode | None = None,
) -> Value:
    if is_opaque(function):
        unknown = Transformed(UNKNOWN, name, options, it.place(node))
        return with_constant_options(it, unknown)
    if isinstance(function, (Static, Const)):
        return UNKNOWN
    code, bound = signature(it, function)
    if name in STATIC_BY_ANNOTATION and code is not None:
        declared = tuple(Const(one) for one in static_names(it, code))
        options += (("static_argnames", Tuple(declared)),) if declared else ()
    made = with_constant_options(it, Transformed(function, name, options, it.place(node)))
    positional = positional_parameters(code, bound)
    otherwise = says_another(it, function)
    if otherwise and any(option.startswith("static") for option, _ in options):
        # Which of the parameters that it says to have are which of those that are written?
        if code is not None:
            it.omit(Reason.STATIC, node, code.qualname)
        return Transformed(UNKNOWN, name, options, it.place(node))
    certain = bool(options) and not otherwise
    if certain and refuses_options(it, made, *visible_signature(it, function), node):
        return UNKNOWN
    method = called_method(it, function)
    if method is not None:
        # What runs if nobody visibly calls it.
        it.expect(Transformed(method, name, made.options, made.place))
    if base_function(function) is not None:
        it.expect(made)
        note_circumstances(it, made)
    elif applied_by(function) is not None:
        it.expect(made)
    static = static_parameters(made, positional)
    names = {parameter.name for i, parameter in enumerate(positional) if static.at(i)}
    if code is not None and not static.known:
        it.omit(Reason.STATIC, node, code.qualname)
    it.signal(TransformApplied(made, argument, node, static.names | names))
    return made


def called_method(it: Interpreter, function: Value) -> Value | None:
    """The method that calling an instance runs, None for what is no instance."""
    method = class_attribute(it, function, "__call__") if isinstance(function, Ref) else None
    return method if method is not None and base_function(method) is not None else None
