"""Functions of functions: ``functools``, ``operator``, ``contextlib``, descriptors, arithmetic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import libcst as cst

from jitlint.absint.library.inspection import attribute
from jitlint.absint.library.registry import Call, Model, gives, method, model
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, sure_tree
from jitlint.absint.objects.construction import replace
from jitlint.absint.operations.arithmetic import as_number, binary
from jitlint.absint.operations.comparison import compare
from jitlint.absint.program.classes import PLAIN_KINDS, class_info
from jitlint.absint.program.members import MANAGED
from jitlint.absint.program.special_methods import call_special
from jitlint.absint.python.contexts import BINDING, EXIT_STACKS, enter
from jitlint.absint.values.domain import (
    INT,
    NDARRAY,
    STATIC,
    TRUE,
    UNKNOWN,
    Array,
    Cached,
    Class,
    Const,
    Descriptor,
    External,
    ExternalInstance,
    Function,
    Level,
    Partial,
    Static,
    Tree,
    Tuple,
    Unknown,
    Value,
    base_function,
    members_of,
)
from jitlint.absint.values.heap import Instance
from jitlint.absint.values.lattice import join, join_all, type_name
from jitlint.absint.values.statics import constant

# -- functools, contextlib ------------------------------------------------------------------------


def _bound(it: Interpreter, call: Call, name: str) -> Value:
    """What ``partial`` keeps for a name.

    ``partial(f, size=table.size)``, where all that is known of ``table`` is that it is traced: the
    field is a static one that replaces a default, so it does not stand for None.
    """
    value, node = call.keywords[name], call.args.keyword_nodes.get(name)
    if not isinstance(value, Unknown) or not isinstance(node, cst.Attribute):
        return value
    with it.speculating():
        holder = it.ev(node.value)
    present = isinstance(holder, Tree) and holder.present
    return Unknown(given=True, buffers=value.buffers) if present else value


@model("functools.partial", "functools.partialmethod", "jax.tree_util.Partial", "equinox.Partial")
def _partial(it: Interpreter, call: Call) -> Value:
    if not call.positional or call.starred:
        return UNKNOWN
    function, *bound = call.positional
    if function == UNKNOWN:
        return UNKNOWN
    keywords = tuple((name, _bound(it, call, name)) for name in call.keywords)
    made = Partial(function, tuple(bound), keywords, pytree=call.name == "Partial")
    if it.trace is None:
        it.made_here(made)
    return made


@model("functools.reduce")
def _reduce(it: Interpreter, call: Call) -> Value:
    if len(call.positional) < 2:
        return UNKNOWN
    function, iterable, *start = call.positional
    element, items = it.iterate(iterable, call.node)
    if items is None or len(items) > 4:
        return fold(it, function, start[0] if start else element, element, call.node)
    parts = [*start[:1], *items]
    result = parts[0] if parts else UNKNOWN
    for part in parts[1:]:
        result = it.call(function, Arguments([result, part]), call.node)
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
def _lru_cache(it: Interpreter, call: Call) -> Value:
    if call.positional and not isinstance(call.positional[0], (Const, Static)):
        return Cached(call.positional[0])
    return External("functools.cache")


model("functools.wraps")(lambda it, call: Partial(External("jitlint.wrapped"), (call.first,), ()))


@model("jitlint.wrapped")
def _wrapped(it: Interpreter, call: Call) -> Value:
    """``@wraps(f)``: the wrapper, which stands for a function with the signature of ``f``."""
    if len(call.positional) < 2:
        return UNKNOWN
    original, wrapper = call.positional[:2]
    if isinstance(wrapper, Function):
        key = ("wraps", wrapper)
        # What a call makes belongs to the caller, until another call makes the same again.
        if not wrapper.closure or it.registered.get(key) not in (None, original):
            it.reads.changed(wrapper.code.module)
        it.registered[key] = original
    return wrapper


model("contextlib.contextmanager")(lambda it, call: Partial(MANAGED, (call.first,), ()))


@model(MANAGED.name)
def _managed(it: Interpreter, call: Call) -> Value:
    """A call of a ``@contextmanager`` function: what ``as`` binds is what it yields."""
    if it.deferring is call.node and base_function(call.first) is not None:
        it.deferred = call.first, call.args.dropped(1)
        return ExternalInstance("jitlint.managed", (("function", call.first),))
    made = it.call(call.first, call.args.dropped(1), call.node)
    element, _ = it.iterate(made, call.node)
    held = (("function", call.first), ("value", element))
    return ExternalInstance("jitlint.managed", held)


@model("contextlib.closing", "contextlib.aclosing")
def _closing(it: Interpreter, call: Call) -> Value:
    return ExternalInstance(BINDING, (("value", call.first),))


for _stack in sorted(EXIT_STACKS):
    model(_stack)(gives(ExternalInstance(_stack)))


@method(" ".join(sorted(EXIT_STACKS)), "enter_context")
def _enter_context(it: Interpreter, call: Call) -> Value:
    """What is entered is left with the block of the stack, if that is one around."""
    value, undo = enter(it, call.first, call.node)
    if undo is not None:
        if it.frame.entered:
            it.frame.entered[-1].append(undo)
        else:
            undo(False)
    return value


model("jax.ensure_compile_time_eval")(gives(ExternalInstance("jax.ensure_compile_time_eval")))


@model("jax.disable_jit")
def _disable_jit(it: Interpreter, call: Call) -> Value:
    asked = call.args.get(0, "disable")
    # Where that is not known, jit may be in force.
    return ExternalInstance("jax.disable_jit") if asked in (None, TRUE) else UNKNOWN


# -- what gives back what it is given, or makes another of it -------------------------------------


model(
    "jitlint.keep",
    "atexit.register",
    "jax.tree_util.register_pytree_node_class",
    "jax.block_until_ready",
)(lambda it, call: call.first)
model("typing.cast")(lambda it, call: call.second or UNKNOWN)
model("property", "staticmethod", "classmethod")(lambda it, call: Descriptor(call.name, call.first))
model("dataclasses.replace", "jax_dataclasses.replace", "jitlint.replace")(
    lambda it, call: replace(it, call.first, call.args, call.node)
)


@model("jax.device_get")
def _device_get(it: Interpreter, call: Call) -> Value:
    """On the host, an array is one of NumPy."""
    value = call.first
    fetched = isinstance(value, Array) and value.level is Level.CONCRETE and it.trace is None
    return NDARRAY.of_extent(value.extent) if fetched and isinstance(value, Array) else value


@model("builtins.object.__new__")
def _new(it: Interpreter, call: Call) -> Value:
    """An object without attributes."""
    cls = call.first
    if not isinstance(cls, Class) or class_info(it, cls).kind not in PLAIN_KINDS:
        return UNKNOWN
    return it.allocate(call.node, Instance(cls, {}), f"instance {id(cls.definition)}")


@model("jitlint.create")
def _create(it: Interpreter, call: Call) -> Value:
    """``State.create(**fields)`` of a class that derives from Flax's ``TrainState``."""
    cls = call.first
    if not isinstance(cls, Class):
        return UNKNOWN
    return it.allocate(call.node, Instance(cls, dict(call.keywords)), "create")


# -- arithmetic -----------------------------------------------------------------------------------


@model("abs", "operator.abs", "operator.neg", "operator.pos", "operator.invert")
def _unary(it: Interpreter, call: Call) -> Value:
    value = call.first
    if isinstance(value, (Array, Tree)):
        return array_result(it, (value,), node=call.node)
    if isinstance(value, Static) or call.name != "abs":
        return value if isinstance(value, Static) else UNKNOWN
    if isinstance(value, Const) and isinstance(value.value, (int, float)):
        return Const(abs(value.value))
    return call_special(it, value, "__abs__", call.node) or UNKNOWN


@model("round", "pow", "divmod")
def _arithmetic(it: Interpreter, call: Call) -> Value:
    if any(isinstance(value, (Array, Tree)) for value in call.positional):
        array = array_result(it, call.positional, node=call.node)
        return Tuple((array, array)) if call.name == "divmod" else array
    return UNKNOWN if call.args.star is not None or UNKNOWN in call.positional else STATIC


@model("sum")
def _sum(it: Interpreter, call: Call) -> Value:
    element, items = it.iterate(call.first, call.node)
    parts = list(items) if items is not None else [element]
    if len(call.args.values()) == 1:
        # What is added to zero is a number.
        parts = [as_number(part, INT, cst.Add) for part in parts]
    if any(isinstance(part, Array) or sure_tree(part) is not None for part in parts):
        return array_result(it, parts, node=call.node)
    if not parts:
        return INT
    if not all(isinstance(part, (Const, Static)) for part in parts):
        return UNKNOWN
    kinds = {type_name(part) for part in parts if isinstance(part, (Const, Static))}
    return Static(kinds.pop() if len(kinds) == 1 else None)


@model("math.prod")
def _product(it: Interpreter, call: Call) -> Value:
    """It multiplies as Python does; observed under JAX 0.10.2."""
    element, items = it.iterate(call.first, call.node)
    parts = [element] if items is None else list(items)
    if any(isinstance(part, Array) for part in parts):
        return array_result(it, parts, node=call.node)
    return Static(None) if parts and UNKNOWN not in parts else UNKNOWN


# -- operator -------------------------------------------------------------------------------------

_BINARY: Final[dict[str, type]] = {
    "add": cst.Add, "iadd": cst.Add, "sub": cst.Subtract, "mul": cst.Multiply,
    "truediv": cst.Divide, "floordiv": cst.FloorDivide, "mod": cst.Modulo, "pow": cst.Power,
    "matmul": cst.MatrixMultiply, "and_": cst.BitAnd, "or_": cst.BitOr, "xor": cst.BitXor,
}  # fmt: skip
_COMPARISONS: Final[dict[str, type]] = {
    "lt": cst.LessThan, "le": cst.LessThanEqual, "gt": cst.GreaterThan,
    "ge": cst.GreaterThanEqual, "eq": cst.Equal, "ne": cst.NotEqual,
}  # fmt: skip


def _operator(apply: Callable[..., Value], *operators: type) -> Model:
    """``operator.add(a, b)`` is ``a + b``."""

    def operate(it: Interpreter, call: Call) -> Value:
        if len(call.positional) != 2:
            return UNKNOWN
        return apply(it, *operators, *call.positional, call.node)

    return operate


for _name, _op in _BINARY.items():
    model(f"operator.{_name}")(_operator(binary, _op))
for _name, _op in _COMPARISONS.items():
    model(f"operator.{_name}")(_operator(compare, _op))
model("operator.getitem")(_operator(Interpreter.item))


@model("operator.itemgetter", "operator.attrgetter", "operator.methodcaller")
def _getter(it: Interpreter, call: Call) -> Value:
    """A function that takes an item or attribute, or calls a method, of what it is given."""
    if call.starred:
        return UNKNOWN
    wanted = Tuple(tuple(call.positional))
    return Partial(External(f"jitlint.{call.name}"), (wanted,), tuple(call.keywords.items()))


@model("jitlint.itemgetter", "jitlint.attrgetter", "jitlint.methodcaller")
def _got(it: Interpreter, call: Call) -> Value:
    """What a getter takes of an object, or a method that it calls gives."""
    wanted, receiver = call.first, call.args.get(1, "obj")
    if not isinstance(wanted, Tuple) or not wanted.items or receiver is None:
        return UNKNOWN
    members = members_of(receiver)
    if call.name == "methodcaller":
        name = constant(wanted.items[0])
        if not isinstance(name, str):
            return UNKNOWN
        given = Arguments(list(wanted.items[1:]), dict(call.keywords))
        methods = (attribute(it, member, name, call.node) for member in members)
        return join_all(it.call(method, given, call.node) for method in methods)
    if call.name == "attrgetter":
        parts = tuple(_dotted(it, call, receiver, name) for name in wanted.items)
    else:
        parts = tuple(
            join_all(it.item(member, index, call.node) for member in members)
            for index in wanted.items
        )
    return parts[0] if len(parts) == 1 else Tuple(parts)


def _dotted(it: Interpreter, call: Call, value: Value, name: Value) -> Value:
    """The attribute that a name with dots stands for."""
    path = constant(name)
    if not isinstance(path, str):
        return UNKNOWN
    for step in path.split("."):
        value = attribute(it, value, step, call.node)
    return value
