"""Functions of functions: ``functools``, ``operator``, ``contextlib``, descriptors, arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import libcst as cst

from jitlint.absint.library.inspection import attribute
from jitlint.absint.library.registry import Model, family, first, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.program.classes import replace
from jitlint.absint.python.calls import constant
from jitlint.absint.python.operations import array_result, binary, compare, get_item, iterate
from jitlint.absint.python.special_methods import call_special
from jitlint.absint.values.domain import (
    INT,
    STATIC,
    UNKNOWN,
    Array,
    Cached,
    Class,
    Const,
    Descriptor,
    External,
    ExternalInstance,
    Function,
    Partial,
    Static,
    Tree,
    Tuple,
    Value,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import join, join_all, type_name

# -- functools, contextlib ------------------------------------------------------------------------


@family("functools.partial", "functools.partialmethod", "jax.tree_util.Partial", "equinox.Partial")
def _partial(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if not args.positional or args.star is not None or args.star_keywords is not None:
        return UNKNOWN
    function, *bound = args.positional
    if function == UNKNOWN:
        return UNKNOWN
    keywords = tuple(args.keywords.items())
    made = Partial(function, tuple(bound), keywords, pytree=name == "Partial")
    if it.trace is None:
        it.made_here(made)
    return made


@model("functools.reduce")
def _reduce(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if len(args.positional) < 2:
        return UNKNOWN
    function, iterable, *start = args.positional
    element, items = iterate(it, iterable, node)
    if items is None or len(items) > 4:
        return fold(it, function, start[0] if start else element, element, node)
    parts = [*start[:1], *items]
    result = parts[0] if parts else UNKNOWN
    for part in parts[1:]:
        result = it.call(function, Arguments([result, part]), node)
    return result


def fold(
    it: Interpreter, function: Value, start: Value, element: Value, node: cst.CSTNode
) -> Value:
    """The result of folding at least one element into a start value."""
    value = start
    for _ in range(2):
        result = it.call(function, Arguments([value, element]), node)
        value = result if isinstance(result, Array) else join(value, result)
    return value


@model("functools.lru_cache", "functools.cache")
def _lru_cache(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if args.positional and not isinstance(args.positional[0], (Const, Static)):
        return Cached(args.positional[0])
    return External("functools.cache")


@model("functools.wraps")
def _wraps(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Partial(External("jitlint.wrapped"), (first(args),), ())


@model("jitlint.wrapped")
def _wrapped(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """``@wraps(f)``: the wrapper, which stands for a function with the signature of ``f``."""
    if len(args.positional) < 2:
        return UNKNOWN
    original, wrapper = args.positional[:2]
    if isinstance(wrapper, Function):
        it.reads.changed(wrapper.code.module)
        it.class_cache[("wraps", wrapper)] = original
    return wrapper


@model("contextlib.contextmanager")
def _contextmanager(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Partial(External("jitlint.managed"), (first(args),), ())


@model("jitlint.managed")
def _managed(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """A call of a ``@contextmanager`` function: what ``as`` binds is what it yields."""
    made = it.call(first(args), args.dropped(1), node)
    element, _ = iterate(it, made, node)
    return ExternalInstance("jitlint.managed", (("value", element),))


@family("jax.ensure_compile_time_eval", "jax.disable_jit")
def _eager_context(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return ExternalInstance(f"jax.{name}")


# -- what gives back what it is given, or makes another of it -------------------------------------


@model("jitlint.keep", "atexit.register", "jax.tree_util.register_pytree_node_class",
       "jax.block_until_ready", "jax.device_get")  # fmt: skip
def _identity(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return first(args)


@model("typing.cast")
def _cast(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return args.positional[1] if len(args.positional) > 1 else UNKNOWN


@family("property", "staticmethod", "classmethod")
def _descriptor(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return Descriptor(name, first(args))


@model("dataclasses.replace", "jitlint.replace")
def _replace(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    return replace(it, first(args), args, node)


@model("jitlint.create")
def _create(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """``State.create(**fields)`` of a class that derives from Flax's ``TrainState``."""
    cls = first(args)
    if not isinstance(cls, Class):
        return UNKNOWN
    return it.allocate(node, Instance(cls, dict(args.keywords)), "create")


# -- arithmetic -----------------------------------------------------------------------------------


@model("abs", "operator.abs")
def _abs(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = first(args)
    if isinstance(value, (Array, Tree)):
        return array_result(it, (value,), node=node)
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Const(abs(value.value))
    special = call_special(it, value, "__abs__", node)
    if special is not None:
        return special
    return value if isinstance(value, Static) else UNKNOWN


@model("operator.neg", "operator.pos", "operator.invert")
def _unary(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    value = first(args)
    if isinstance(value, (Array, Tree)):
        return array_result(it, (value,), node=node)
    return value if isinstance(value, Static) else UNKNOWN


@family("round", "pow", "divmod")
def _arithmetic(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    if any(isinstance(value, (Array, Tree)) for value in args.positional):
        array = array_result(it, args.positional, node=node)
        return Tuple((array, array)) if name == "divmod" else array
    return UNKNOWN if args.star is not None or UNKNOWN in args.positional else STATIC


@model("sum")
def _sum(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    element, items = iterate(it, first(args), node)
    parts = list(items) if items is not None else [element]
    if any(isinstance(part, Array) for part in parts):
        return array_result(it, parts, node=node)
    kinds = {type_name(part) for part in parts if isinstance(part, (Const, Static))}
    if not parts:
        return INT
    if all(isinstance(part, (Const, Static)) for part in parts):
        return Static(kinds.pop() if len(kinds) == 1 else None)
    return UNKNOWN


# -- operator -------------------------------------------------------------------------------------

_BINARY: Final[dict[str, type]] = {
    "add": cst.Add,
    "iadd": cst.Add,
    "sub": cst.Subtract,
    "mul": cst.Multiply,
    "truediv": cst.Divide,
    "floordiv": cst.FloorDivide,
    "mod": cst.Modulo,
    "pow": cst.Power,
    "matmul": cst.MatrixMultiply,
    "and_": cst.BitAnd,
    "or_": cst.BitOr,
    "xor": cst.BitXor,
}
_COMPARISONS: Final[dict[str, type]] = {
    "lt": cst.LessThan,
    "le": cst.LessThanEqual,
    "gt": cst.GreaterThan,
    "ge": cst.GreaterThanEqual,
    "eq": cst.Equal,
    "ne": cst.NotEqual,
}


def _operator(apply: Callable[..., Value], *operators: type) -> Model:
    """``operator.add(a, b)`` is ``a + b``."""

    def operate(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
        if len(args.positional) != 2:
            return UNKNOWN
        places = (node, node, node) if operators else (node,)
        return apply(it, *operators, *args.positional, *places)

    return operate


for _name, _op in _BINARY.items():
    model(f"operator.{_name}")(_operator(binary, _op))
for _name, _op in _COMPARISONS.items():
    model(f"operator.{_name}")(_operator(compare, _op))
model("operator.getitem")(_operator(get_item))


@family("operator.itemgetter", "operator.attrgetter", "operator.methodcaller")
def _getter(name: str, it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    """A function that takes an item or attribute, or calls a method, of what it is given."""
    if args.star is not None or args.star_keywords is not None:
        return UNKNOWN
    wanted = Tuple(tuple(args.positional))
    return Partial(External(f"jitlint.{name}"), (wanted,), tuple(args.keywords.items()))


@model("jitlint.itemgetter")
def _item_got(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    wanted, receiver = args.positional[0], args.get(1, "obj")
    if not isinstance(wanted, Tuple) or receiver is None:
        return UNKNOWN
    parts = tuple(
        join_all(get_item(it, member, index, node) for member in members_of(receiver))
        for index in wanted.items
    )
    return parts[0] if len(parts) == 1 else Tuple(parts)


@model("jitlint.attrgetter")
def _attribute_got(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    wanted, receiver = args.positional[0], args.get(1, "obj")
    if not isinstance(wanted, Tuple) or receiver is None:
        return UNKNOWN
    parts = []
    for name in map(constant, wanted.items):
        value = receiver if isinstance(name, str) else UNKNOWN
        for step in name.split(".") if isinstance(name, str) else ():
            value = attribute(it, value, step, node)
        parts.append(value)
    return parts[0] if len(parts) == 1 else Tuple(tuple(parts))


@model("jitlint.methodcaller")
def _method_called(it: Interpreter, args: Arguments, node: cst.CSTNode) -> Value:
    wanted, receiver = args.positional[0], args.get(1, "obj")
    if not isinstance(wanted, Tuple) or not wanted.items or receiver is None:
        return UNKNOWN
    name = constant(wanted.items[0])
    if not isinstance(name, str):
        return UNKNOWN
    rest = Arguments(list(wanted.items[1:]), dict(args.keywords))
    return join_all(
        it.call(attribute(it, member, name, node), rest, node) for member in members_of(receiver)
    )
