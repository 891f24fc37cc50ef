"""Calls of library functions: what the tables of the JAX model say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.library.builtin_models import BUILTIN_MODELS, unbound_method
from jitlint.absint.library.optax_models import TRANSFORMATION, combined, run_parts
from jitlint.absint.machine.arguments import Arguments
from jitlint.absint.machine.events import (
    BuiltinComparison,
    Conversion,
    DataDependentShape,
    NumpyCall,
    StaticParameter,
)
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.signals import HostCalled
from jitlint.absint.machine.tracers import find_traced, level_of, sure_array, sure_tree
from jitlint.absint.machine.verbs import calls_of
from jitlint.absint.program.traced_values import traced_argument
from jitlint.absint.python import operations
from jitlint.absint.values.domain import (
    INT,
    MADE_ARRAY,
    MADE_ROWS,
    NDARRAY,
    NONE,
    STATIC,
    TRUE,
    UNKNOWN,
    Array,
    ArrayMethod,
    BoundMethod,
    Const,
    External,
    ExternalInstance,
    Level,
    Ref,
    Static,
    Tree,
    Tuple,
    Value,
    members_of,
)
from jitlint.absint.values.heap import Instance, ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel import effects as host_effects
from jitlint.jaxmodel import frameworks, functions
from jitlint.jaxmodel.functions import FunctionFact, Parameter

_BOOL_RESULTS: Final = frozenset(
    """isnan isfinite isinf isposinf isneginf logical_and logical_or logical_not logical_xor greater
    greater_equal less less_equal equal not_equal isclose isin any all array_equal allclose
    signbit array_equiv is_finite eq ne lt le gt ge bernoulli iscomplex isreal""".split()
)
_INT_RESULTS: Final = frozenset(
    """argmax argmin argsort searchsorted digitize count_nonzero nanargmax nanargmin randint
    categorical bincount sign_ floor_ population_count clz""".split()
)
_KEEPS_DTYPE: Final = frozenset(
    """reshape ravel roll flip fliplr flipud transpose squeeze expand_dims broadcast_to take
    atleast_1d atleast_2d asarray array copy swapaxes moveaxis stack concatenate hstack vstack tile
    repeat rot90 diagonal diag sort flatten""".split()
)
_REDUCTIONS: Final = frozenset(
    "sum mean max min prod any all std var norm median amax amin".split()
)
#: boxes of Flax nnx: an array in an object
_VARIABLES: Final = frozenset(
    f"flax.nnx.{name}"
    for name in "Param Variable BatchStat Cache Intermediate Perturbation RngState".split()
)
_SAME_STRUCTURE: Final = frozenset(
    {"optax.apply_updates", "optax.incremental_update", "jax.lax.stop_gradient", "jax.lax.pmean",
     "jax.lax.psum", "jax.lax.pmax", "jax.lax.pmin", "jax.lax.optimization_barrier",
     "equinox.apply_updates", "equinox.nn.inference_mode", "equinox.filter_shard"}
)  # fmt: skip


#: what every device or element of an axis gets alike
_SAME_FOR_ALL: Final = frozenset({"jax.lax.psum", "jax.lax.pmean", "jax.lax.pmax", "jax.lax.pmin"})


@calls_of(External)
def _call(it: Interpreter, function: External, args: Arguments, node: cst.CSTNode) -> Value:
    return call_external(it, function.name, args, node)


def call_external(it: Interpreter, name: str, args: Arguments, node: cst.CSTNode) -> Value:
    """Call a library function by its qualified name."""
    if name.startswith("jitlint.transformed."):
        receiver, rest = args.positional[0], args.dropped(1)
        return it.transformed_method(name.rpartition(".")[2], receiver, rest, node)
    known = host_effects.host_call(name)
    if known is not None:
        it.signal(HostCalled(known.kind, args, node, known.mode))
    made = host_effects.object_made(name)
    if made is not None:
        return _host_object(it, name, made, args, node)
    model = BUILTIN_MODELS.get(name)
    if model is not None:
        return model(it, args, node)
    if name.startswith(("builtins.", "collections.")):
        unbound = unbound_method(it, name, args, node)
        if unbound is not None:
            return unbound
    row = it.row(name)
    if row is not None:
        return it.transform(row, args, node)
    fact = functions.lookup(name)
    if fact is not None:
        result = apply_fact(it, fact, args, node)
        if name in _ELEMENTWISE:
            return ExternalInstance(name, _elementwise(args))
        if result == NDARRAY and _holds_objects(args):
            return UNKNOWN
        if result == NDARRAY and name in _ARRAY_MAKERS:
            return MADE_ROWS if _has_dimensions(name, args) else MADE_ARRAY
        if result == NDARRAY and name in _NUMPY_SCALARS and not _is_sequence(args):
            return _NUMPY_SCALARS[name]
        return result
    if name in _VARIABLES and args.positional:
        return ExternalInstance(name, (("value", args.positional[0]),))
    framework = frameworks.lookup(name)
    if framework is not None:
        result = _apply_framework(it, framework, args, node)
        return combined(result, args, framework.parameters or ())
    if frameworks.base_class(name) is not None:
        return ExternalInstance(name)
    owner, _, method = name.rpartition(".")
    base = frameworks.base_class(owner)
    if base is not None and base.methods.get(method) == "same":
        # `TrainState.create(apply_fn=..., params=..., tx=...)`
        return ExternalInstance(owner, tuple(sorted(args.keywords.items())))
    if name.startswith(("numpy.", "scipy.")):
        if any(_touched(it, value) for value in args.values()):
            return UNKNOWN
        return NDARRAY if name.startswith("numpy.") else STATIC
    if name.startswith("jax.numpy.") and functions.constant(name) == "dtype":
        return operations.array_result(it, args.values(), node=node)
    return UNKNOWN


def _host_object(it: Interpreter, name: str, cls: str, args: Arguments, node: cst.CSTNode) -> Value:
    """A logger, a file, a random generator ...: an object whose methods act on the host."""
    fact = functions.lookup(name)
    if fact is not None:
        before, it.asked = it.asked, False
        apply_fact(it, fact, args, node)
        failed, it.asked = it.asked, it.asked or before
        if failed:
            return UNKNOWN
    if cls == "tqdm.tqdm" and args.positional:
        # A progress bar yields what it is wrapped around.
        return args.positional[0]
    if it.trace is None:
        return ExternalInstance(cls)
    if cls in host_effects.SEEDED and not args.values():
        it.signal(HostCalled("random", args, node))
    return ExternalInstance(cls, (("<inside>", TRUE),))


_NUMPY_SCALARS: Final = {
    f"numpy.{name}{bits}": Static(kind)
    for name, kind, sizes in (
        ("int", "int", ("", "8", "16", "32", "64")),
        ("uint", "int", ("", "8", "16", "32", "64")),
        ("float", "float", ("16", "32", "64")),
        ("bool", "bool", ("", "_")),
    )
    for bits in sizes
}


_ARRAY_MAKERS: Final = frozenset(
    f"numpy.{name}"
    for name in (
        "array asarray zeros ones empty full eye identity arange linspace logspace geomspace "
        "zeros_like ones_like full_like empty_like tile repeat stack concatenate diag tri"
    ).split()
)


def _has_dimensions(name: str, args: Arguments) -> bool:
    """Whether a NumPy array is made with at least one dimension."""
    if name.rpartition(".")[2] in _ROW_MAKERS:
        return True
    first = args.positional[0] if args.positional else None
    if isinstance(first, Ref):
        return True
    if isinstance(first, Tuple):
        return bool(first.items)
    counts = name.rpartition(".")[2] in ("zeros", "ones", "empty", "full")
    kind = type_name(first) if isinstance(first, (Const, Static)) else None
    return counts and kind == "int"


_ROW_MAKERS: Final = frozenset(
    "arange linspace logspace geomspace eye identity repeat stack concatenate diag tri tile".split()
)


def _holds_objects(args: Arguments) -> bool:
    """Whether a NumPy array is made that holds Python objects, tracers among them."""
    dtype = args.keywords.get("dtype") or (args.positional[1] if len(args.positional) > 1 else None)
    return dtype in (External("builtins.object"), Const("object"), Const("O"))


def _is_sequence(args: Arguments) -> bool:
    first = args.positional[0] if args.positional else None
    if isinstance(first, Static) and first.type in ("ndarray", None):
        return True
    return isinstance(first, (Ref, Tuple)) or first == UNKNOWN


def _touched(it: Interpreter, value: Value) -> bool:
    """Whether a value may hold a tracer: it does, or nothing is known of it."""
    if value == UNKNOWN:
        return True
    return level_of(it, value) is not None


# -- facts ----------------------------------------------------------------------------------------


class Bound:
    """Arguments of a library call by parameter name."""

    __slots__ = ("nodes", "rest", "values")

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        self.nodes: dict[str, cst.CSTNode] = {}
        self.rest: list[Value] = []


def bind_library(parameters: Sequence[Parameter] | None, args: Arguments) -> Bound:
    """Match arguments to the parameters of a library function."""
    bound = Bound()
    positional = [p for p in parameters or () if p.kind in ("positional", "either")]
    variadic = next((p for p in parameters or () if p.kind == "var_positional"), None)
    for index, value in enumerate(args.positional):
        if index < len(positional):
            bound.values[positional[index].name] = value
            if index < len(args.nodes):
                bound.nodes[positional[index].name] = args.nodes[index]
        else:
            bound.rest.append(value)
    if variadic is not None and bound.rest:
        bound.values[variadic.name] = (
            bound.rest[0] if len(bound.rest) == 1 else Tuple(tuple(bound.rest))
        )
        if len(args.nodes) > len(positional):
            bound.nodes[variadic.name] = args.nodes[len(positional)]
    for name, value in args.keywords.items():
        bound.values[name] = value
        if name in args.keyword_nodes:
            bound.nodes[name] = args.keyword_nodes[name]
    return bound


def apply_fact(
    it: Interpreter,
    fact: FunctionFact,
    args: Arguments,
    node: cst.CSTNode,
    receiver: Value | None = None,
) -> Value:
    """Judge a call by its row and give its result."""
    bound = bind_library(fact.parameters, args)
    if _reports_static(it, fact.must_be_static, fact.unless_given, bound, node):
        return UNKNOWN
    if fact.data_dependent is not None and _reports_shape(it, fact, bound, args, node, receiver):
        return UNKNOWN
    if fact.fails_on_tracer and _reports_failure(it, fact, bound, args, node, receiver):
        return UNKNOWN
    operands = [*([receiver] if receiver is not None else []), *args.values()]
    return _result(it, fact, bound, operands, node)


def _callee(it: Interpreter, node: cst.CSTNode) -> str:
    return it.text(node.func) if isinstance(node, cst.Call) else it.text(node)


def _reports_static(
    it: Interpreter,
    must_be_static: Mapping[str, tuple[str, ...]],
    unless_given: Mapping[str, str],
    bound: Bound,
    node: cst.CSTNode,
) -> bool:
    for parameter, exceptions in must_be_static.items():
        value = bound.values.get(parameter)
        if value is None or unless_given.get(parameter) in bound.values:
            continue
        traced = _static_tracer(it, value)
        if traced is None:
            continue
        where = bound.nodes.get(parameter, node)
        it.emit(
            StaticParameter,
            node,
            traced,
            operand=where,
            exceptions=_static_exceptions(exceptions),
            callee=_callee(it, node),
            parameter=parameter,
        )
        return True
    return False


def _static_exceptions(exceptions: tuple[str, ...]) -> tuple[str, ...]:
    """The classes seen, and those that other spellings of the argument give (``n``, ``(n, 2)``)."""
    known = (
        "jax.errors.ConcretizationTypeError",
        "jax.errors.TracerIntegerConversionError",
        "jax.errors.TracerBoolConversionError",
        "TypeError",
        "ValueError",
    )
    return (*exceptions, *(name for name in known if name not in exceptions))


def _static_tracer(it: Interpreter, value: Value) -> Array | Tree | None:
    traced = sure_array(value)
    if traced is not None:
        return traced
    if isinstance(value, Tree) and value.level is Level.ABSTRACT:
        return value
    items = operations.sequence_items(it, value)
    if items is not None and not isinstance(value, Static):
        for item in items[1] if items[1] is not None else [items[0]]:
            traced = sure_array(item)
            if traced is None and isinstance(item, Tuple):
                nested = _static_tracer(it, item)
                traced = nested if isinstance(nested, Array) else None
            if traced is not None:
                return traced
            tree = sure_tree(item)
            if tree is not None:
                return tree
    return None


def _reports_shape(
    it: Interpreter,
    fact: FunctionFact,
    bound: Bound,
    args: Arguments,
    node: cst.CSTNode,
    receiver: Value | None,
) -> bool:
    rule = fact.data_dependent
    assert rule is not None
    if args.star is not None or args.star_keywords is not None:
        return False
    if rule.when_arity is not None and len(args.positional) != rule.when_arity:
        return False
    for escape in rule.escapes:
        given = bound.values.get(escape)
        if given is None or given == NONE:
            continue
        allowed = rule.escape_values.get(escape)
        if allowed is None or not isinstance(given, Const) or str(given.value) in allowed:
            return False
    operands = [bound.values[name] for name in rule.operand if name in bound.values]
    if receiver is not None and "self" in rule.operand:
        operands.append(receiver)
    if not operands and receiver is None:
        operands = args.positional[:1]
    traced: Array | Tree | None = None
    for value in operands:
        traced = traced or find_traced(it, value, 2)
    if traced is None and not (rule.applies == "any" and it.frame.context.staging):
        return False
    if traced is None and any(value == UNKNOWN for value in operands) and rule.applies != "any":
        return False
    where = next((bound.nodes[name] for name in rule.operand if name in bound.nodes), node)
    it.emit(
        DataDependentShape,
        node,
        traced,
        operand=where,
        exceptions=(
            *rule.exceptions,
            *(e for e in operations.BOOL_ERRORS[:1] if e not in rule.exceptions),
        ),
        callee=_callee(it, node),
        escape=f"{rule.escapes[0]}=" if rule.escapes else None,
    )
    return True


def _reports_failure(
    it: Interpreter,
    fact: FunctionFact,
    bound: Bound,
    args: Arguments,
    node: cst.CSTNode,
    receiver: Value | None,
) -> bool:
    first: Value = args.positional[0] if args.positional else UNKNOWN
    values: list[tuple[Value | None, cst.CSTNode | None]]
    if fact.dispatches_to_method and isinstance(first, (Tuple, Ref)):
        # A list of tracers has no such method: NumPy converts each of them.
        values = [(first, args.nodes[0] if args.nodes else None)]
    elif fact.name == "numpy.searchsorted" and isinstance(first, (Array, Tree)):
        return False
    elif fact.fails_parameters:
        values = [(bound.values.get(name), bound.nodes.get(name)) for name in fact.fails_parameters]
    else:
        nodes = [*args.nodes, *([None] * (len(args.positional) - len(args.nodes)))]
        values = list(zip(args.positional, nodes, strict=False))
        values += [(v, args.keyword_nodes.get(k)) for k, v in args.keywords.items()]
        if receiver is not None:
            values.insert(0, (receiver, None))
    if fact.silently_wrong:
        values = list(zip(args.positional, args.nodes, strict=False))
    root = fact.name.partition(".")[0]
    library = root in ("numpy", "scipy")
    # NumPy makes an array of a list, but for these, which swap its items.
    depth = 2 if library and fact.name not in _SWAP_ITEMS else 0
    for value, where in values:
        if value is None:
            continue
        if root in ("bisect", "heapq") and isinstance(value, Tuple) and value.items:
            # Entries are compared by their first parts.
            value = value.items[0]
        traced = find_traced(it, value, depth, Level.VALUE)
        if traced is None or (isinstance(traced, Tree) and not _sure_conversion(traced, library)):
            continue
        if fact.silently_wrong:
            if traced.level is not Level.ABSTRACT:
                continue
            it.emit(
                NumpyCall, node, traced, operand=where, callee=_callee(it, node), silent=True,
            )  # fmt: skip
            return True
        if library:
            it.emit(
                NumpyCall,
                node,
                traced,
                operand=where or node,
                exceptions=fact.fails_on_tracer,
                callee=_callee(it, node),
            )
        elif root in ("bisect", "heapq"):
            it.emit(
                BuiltinComparison,
                node,
                traced,
                operand=where or node,
                exceptions=operations.BOOL_ERRORS,
                builtin=_callee(it, node),
            )
        else:
            it.emit(
                Conversion,
                node,
                traced,
                operand=where or (node.func.value if _is_method(node) else node),  # type: ignore[attr-defined]
                exceptions=fact.fails_on_tracer,
                callee=f".{fact.name.rpartition('.')[2]}()"
                if receiver is not None
                else _callee(it, node),
            )
        return True
    return False


_SWAP_ITEMS: Final = frozenset({"numpy.random.shuffle", "numpy.random.Generator.shuffle"})


def _is_method(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute)


def _sure_conversion(tree: Tree, library: bool) -> bool:
    return sure_tree(tree) is not None and (not library or not tree.container)


def _result(
    it: Interpreter,
    fact: FunctionFact,
    bound: Bound,
    operands: Sequence[Value],
    node: cst.CSTNode,
) -> Value:
    returns = fact.returns
    name = fact.name.rpartition(".")[2]
    root = fact.name.partition(".")[0]
    if returns == "static":
        return STATIC if root != "builtins" else INT
    if root in ("numpy", "scipy"):
        if fact.dispatches_to_method and operands:
            level = level_of(it, operands[0])
            if level is not None:
                return _array(it, name, bound, operands, node)
        if any(value == UNKNOWN for value in operands[:1]):
            return UNKNOWN
        return NDARRAY
    if root in ("math", "cmath", "statistics", "random"):
        return Static("float") if root == "math" and name not in _MATH_INTS else STATIC
    if fact.name == "jax.lax.axis_index":
        # It has no operand, and where it can be called it is a tracer.
        origin = it.origin(node, "the index along a mapped axis")
        return Array(Level.ABSTRACT, dtype="int", rank=0, origin=origin)
    if returns == "array":
        return _array(it, name, bound, operands, node)
    if returns.startswith("arrays:"):
        count = int(returns.partition(":")[2])
        return Tuple(tuple(_array(it, name, bound, operands, node) for _ in range(count)))
    if returns == "array_list":
        element = _array(it, name, bound, operands, node)
        return it.allocate(node, ListObject(None, element), "result")
    if returns == "none":
        return NONE
    if fact.name in _SAME_STRUCTURE or returns == "operand":
        return _operand(it, fact.name, operands, node)
    if returns == "tree":
        return tree_result(it, operands, node)
    return UNKNOWN


_MATH_INTS: Final = frozenset("floor ceil trunc factorial gcd lcm isqrt comb".split())


def _operand(it: Interpreter, name: str, operands: Sequence[Value], node: cst.CSTNode) -> Value:
    if not operands:
        return UNKNOWN
    first = operands[0]
    if name in ("jax.lax.psum", "jax.lax.pmean") and level_of(it, first) is None:
        # `lax.psum(1, axis)`, the size of an axis, is a Python number.
        return first
    if name == "jax.lax.stop_gradient" and isinstance(first, Array) and first.level is Level.VALUE:
        return first.replace(level=Level.CONCRETE)
    if first == UNKNOWN:
        return UNKNOWN
    if name in _SAME_FOR_ALL and not it.frame.context.staging:
        # Under vmap, or shard_map outside jit, it has a value again.
        return UNKNOWN
    if it.frame.context.staging and name != "jax.block_until_ready":
        leaves = "arrays" if name.startswith("equinox.") else "leaves"
        return traced_argument(it, first, Level.ABSTRACT, leaves=leaves)
    return first


def tree_result(it: Interpreter, operands: Sequence[Value], node: cst.CSTNode) -> Value:
    """A pytree of arrays of unknown structure."""
    array = operations.array_result(it, operands, node=node)
    return Tree(array.level, certainty=array.certainty, origin=array.origin)


def _array(
    it: Interpreter, name: str, bound: Bound, operands: Sequence[Value], node: cst.CSTNode
) -> Array:
    dtype = _dtype_argument(bound.values.get("dtype"))
    if dtype is None:
        if name in _BOOL_RESULTS:
            dtype = "bool"
        elif name in _INT_RESULTS:
            dtype = "int"
        elif name in _KEEPS_DTYPE or name == "where":
            dtype = _common_dtype(it, operands[1:] if name == "where" else operands[:1])
    rank = None
    if name in _REDUCTIONS and bound.values.get("axis", NONE) == NONE:
        rank = 0 if bound.values.get("keepdims") is None else None
    return operations.array_result(it, operands, dtype=dtype, rank=rank, node=node)


def _common_dtype(it: Interpreter, operands: Sequence[Value]) -> str | None:
    kinds = set()
    for operand in operands:
        for member in members_of(operand):
            if isinstance(member, Array):
                kinds.add(member.dtype)
            elif isinstance(member, (Tuple, Ref)):
                found = operations.sequence_items(it, member)
                items = found[1] if found is not None else None
                for item in items if items else [found[0] if found is not None else UNKNOWN]:
                    kinds.add(item.dtype if isinstance(item, Array) else _python_dtype(item))
            elif isinstance(member, (Const, Static)):
                kinds.add(_python_dtype(member))
            else:
                kinds.add(None)
    return kinds.pop() if len(kinds) == 1 else None


def _python_dtype(value: Value) -> str | None:
    if isinstance(value, (Const, Static)):
        kind = type_name(value)
        return kind if kind in ("bool", "int", "float") else None
    return None


def _dtype_argument(value: Value | None) -> str | None:
    if isinstance(value, External):
        last = value.name.rpartition(".")[2].rstrip("_0123456789")
        return {"bool": "bool", "int": "int", "uint": "int", "float": "float"}.get(last)
    if isinstance(value, Const) and isinstance(value.value, str):
        kind = value.value.rstrip("0123456789")
        return kind if kind in ("bool", "int", "float") else None
    return None


# -- methods of arrays ----------------------------------------------------------------------------


@calls_of(ArrayMethod)
def call_array_method(
    it: Interpreter, method: ArrayMethod, args: Arguments, node: cst.CSTNode
) -> Value:
    """``x.sum(axis=0)`` for an array or tracer."""
    fact = functions.array_method(method.name)
    receiver = method.receiver
    assert isinstance(receiver, Array)
    if fact is None:
        return UNKNOWN
    if method.name == "astype":
        bound = bind_library(fact.parameters, args)
        dtype = _dtype_argument(bound.values.get("dtype"))
        if dtype is None and isinstance(bound.values.get("dtype"), External):
            dtype = _dtype_argument(bound.values["dtype"])
        return operations.array_result(it, (receiver,), dtype=dtype, rank=receiver.rank, node=node)
    if fact.fails_on_tracer:
        if receiver.level is Level.CONCRETE:
            return STATIC if method.name in ("item", "tolist") else UNKNOWN
        if receiver.level is Level.VALUE and method.name == "item":
            return STATIC
        missing = fact.fails_on_tracer == ("AttributeError",)
        if not missing or receiver.level is Level.ABSTRACT:
            it.emit(
                Conversion,
                node,
                receiver,
                operand=node.func.value if _is_method(node) else node,  # type: ignore[attr-defined]
                exceptions=fact.fails_on_tracer,
                callee=f".{method.name}()",
            )
        return UNKNOWN
    return apply_fact(it, fact, args, node, receiver)


# -- frameworks -----------------------------------------------------------------------------------


def _apply_framework(
    it: Interpreter, fact: frameworks.FrameworkFact, args: Arguments, node: cst.CSTNode
) -> Value:
    if fact.same_as is not None:
        return it.call(External(fact.same_as), args, node)
    bound = bind_library(fact.parameters, args)
    if _reports_static(it, fact.must_be_static, {}, bound, node):
        return UNKNOWN
    if fact.name in _SAME_STRUCTURE:
        return _operand(it, fact.name, args.values(), node)
    if fact.name == "equinox.partition" and args.positional:
        # Both halves have the structure of the whole; which leaves are None is not followed.
        return Tuple((args.positional[0], args.positional[0]))
    if fact.name == "equinox.combine" and args.positional:
        return args.positional[0]
    if fact.name == "equinox.tree_equal" and all(
        find_traced(it, value) is None for value in args.positional
    ):
        # Of shapes and numbers it gives a Python bool.
        return UNKNOWN
    if fact.name == "equinox.tree_at" and len(args.positional) > 1:
        return _operand(it, fact.name, args.positional[1:], node)
    if fact.kind == "module_class":
        return ExternalInstance(fact.name)
    if fact.returns == "callable":
        gives = fact.call_returns or "unknown"
        return ExternalInstance("jitlint.callable", (("gives", Const(gives)),))
    return given(it, fact.returns, args.values(), node, UNKNOWN)


def given(
    it: Interpreter, gives: str, operands: Sequence[Value], node: cst.CSTNode, receiver: Value
) -> Value:
    """A result in the vocabulary of the framework tables."""
    if gives == "array":
        return operations.array_result(it, operands, node=node)
    if gives.startswith("arrays:"):
        count = int(gives.partition(":")[2])
        return Tuple(tuple(operations.array_result(it, operands, node=node) for _ in range(count)))
    if gives == "tree":
        return tree_result(it, operands, node)
    if gives == "tree_pair":
        pair = (tree_result(it, [o for o in operands if not isinstance(o, Array)], node),) * 2
        return Tuple(pair)
    if gives == "static":
        return STATIC
    if gives == "none":
        return NONE
    if gives == "same":
        return receiver
    if gives.startswith("object:"):
        return ExternalInstance(gives.partition(":")[2])
    return UNKNOWN


@calls_of(ExternalInstance)
def call_external_instance(
    it: Interpreter, function: ExternalInstance, args: Arguments, node: cst.CSTNode
) -> Value:
    """Call an object that a library made: a layer, a schedule, a method of one."""
    attributes = dict(function.attributes)
    if function.cls in _ELEMENTWISE:
        return _call_elementwise(it, function.cls, attributes, args, node)
    if function.cls == "jitlint.callable":
        gives = attributes["gives"]
        assert isinstance(gives, Const)
        return given(it, gives.value, args.values(), node, UNKNOWN)
    if function.cls == "jitlint.namedtuple":
        return _make_namedtuple(function, args)
    if function.cls == "jitlint.method":
        return _call_method(it, attributes, args, node)
    if function.cls == "jitlint.attribute":
        receiver = attributes["receiver"]
        if isinstance(receiver, ExternalInstance) and receiver.cls == "jax.Array.at.indexed":
            array = dict(receiver.attributes)["array"]
            dtype = array.dtype if isinstance(array, Array) else None
            return operations.array_result(it, (array, *args.values()), dtype=dtype, node=node)
        if isinstance(receiver, ExternalInstance) and receiver.cls == "jitlint.transformed":
            return _call_haiku(it, receiver, attributes["name"], args, node)
        if isinstance(receiver, ExternalInstance):
            return _call_host_method(it, receiver, attributes["name"], args, node)
        return UNKNOWN
    fact = frameworks.lookup(function.cls)
    if fact is not None and fact.kind == "module_class":
        bound = bind_library(fact.call_parameters, args)
        if _reports_static(it, fact.call_must_be_static, {}, bound, node):
            return UNKNOWN
        return given(it, fact.call_returns or "unknown", args.values(), node, function)
    return UNKNOWN


def _call_host_method(
    it: Interpreter, receiver: ExternalInstance, name: Value, args: Arguments, node: cst.CSTNode
) -> Value:
    """``logger.info(...)``, ``rng.normal()``: a method of an object that acts on the host."""
    assert isinstance(name, Const)
    kind = host_effects.method_kind(receiver.cls, name.value)
    if receiver.cls == "logging.Logger" and name.value == "getChild":
        return receiver
    if kind is None:
        if receiver.cls == "pathlib.Path" and name.value == "open":
            it.signal(HostCalled("file", args, node, 0))
            return ExternalInstance("io.TextIOWrapper", receiver.attributes)
        return UNKNOWN
    local = receiver.cls in host_effects.LOCAL and "<inside>" in dict(receiver.attributes)
    if not local:
        it.signal(HostCalled(kind, args, node))
    row = host_effects.method_row(receiver.cls, name.value)
    if row is None:
        return NONE
    fact = functions.lookup(row)
    touched = any(_touched(it, value) for value in args.values())
    if fact is not None and touched:
        apply_fact(it, fact, args, node)
    if touched or receiver.cls == "random.Random":
        return UNKNOWN
    return NDARRAY


#: factories of objects that call a Python function on each element of NumPy arrays
_ELEMENTWISE: Final = frozenset({"numpy.vectorize", "numpy.frompyfunc"})


def _elementwise(args: Arguments) -> tuple[tuple[str, Value], ...]:
    """What is kept of ``np.vectorize(function, excluded={"order"})``."""
    found = {name: value for name, value in args.keywords.items() if name == "excluded"}
    function = args.get(0, "pyfunc")
    if function is not None:
        found["function"] = function
    return tuple(sorted(found.items()))


def _call_elementwise(
    it: Interpreter, name: str, attributes: dict[str, Value], args: Arguments, node: cst.CSTNode
) -> Value:
    """Call what ``np.vectorize`` made: its arguments become NumPy arrays, but for the excluded."""
    function = attributes.get("function")
    if function is None:
        # `@np.vectorize(otypes=[float])`: the function comes now.
        kept = tuple(sorted({**attributes, "function": args.positional[0]}.items()))
        return ExternalInstance(name, kept) if args.positional else UNKNOWN
    if "excluded" not in attributes:
        places = zip(args.positional, args.nodes, strict=False)
        for value, where in (*places, *((v, node) for v in args.keywords.values())):
            traced = find_traced(it, value, 2, Level.VALUE)
            if traced is None or (isinstance(traced, Tree) and not _sure_conversion(traced, True)):
                continue
            fact = functions.lookup(f"{name}.__call__")
            raised = operations.ARRAY_ERRORS if fact is None else fact.fails_on_tracer
            callee = name.replace("numpy", "np")
            it.emit(NumpyCall, node, traced, operand=where, exceptions=raised, callee=callee)
            return UNKNOWN
    if any(_touched(it, value) for value in args.values()):
        return UNKNOWN
    # It is given elements of arrays; what it closes over may be traced.
    elements = Arguments([STATIC for _ in args.positional], dict.fromkeys(args.keywords, STATIC))
    it.call(function, elements, node)
    return UNKNOWN


def _make_namedtuple(cls: ExternalInstance, args: Arguments) -> Value:
    """``Point(1, y=2)`` for ``Point = collections.namedtuple(...)``."""
    if args.star is not None or args.star_keywords is not None:
        return UNKNOWN
    fields = dict(cls.attributes)["fields"]
    assert isinstance(fields, Tuple)
    items = []
    for index, name in enumerate(fields.items):
        assert isinstance(name, Const)
        value = args.get(index, name.value)
        items.append(UNKNOWN if value is None else value)
    return Tuple(tuple(items), cls)


def _call_haiku(
    it: Interpreter, receiver: ExternalInstance, name: Value, args: Arguments, node: cst.CSTNode
) -> Value:
    attributes = dict(receiver.attributes)
    function = attributes["function"]
    skip = attributes["skip"]
    assert isinstance(name, Const) and isinstance(skip, Const)
    if name.value == "init":
        it.call(function, args.dropped(1), node)
        return Tree(operations.array_result(it, args.values(), node=node).level)
    if name.value == "apply":
        result = it.call(function, args.dropped(skip.value), node)
        if attributes["state"] == Const(True):
            return Tuple((result, tree_result(it, (), node)))
        return result
    return UNKNOWN


def _call_method(
    it: Interpreter, attributes: dict[str, Value], args: Arguments, node: cst.CSTNode
) -> Value:
    receiver = attributes["receiver"]
    name = attributes["name"]
    gives = attributes["gives"]
    assert isinstance(name, Const) and isinstance(gives, Const)
    if isinstance(receiver, Ref) and name.value in ("apply", "init", "init_with_output"):
        contents = it.contents(receiver)
        if isinstance(contents, Instance):
            return _apply_module(it, receiver, name.value, args, node)
    if name.value == "param":
        return operations.array_result(it, (), node=node)
    if isinstance(receiver, ExternalInstance):
        if receiver.cls == TRANSFORMATION:
            run_parts(it, receiver, name.value, args, node)
        elif name.value == "apply_gradients":
            held = dict(receiver.attributes)
            tx, level = held.get("tx"), held.get("<level>")
            gradients = args.keywords.get("grads", UNKNOWN)
            state: Value = Tree(level.level) if isinstance(level, Array) else UNKNOWN
            if tx is not None:
                run_parts(it, tx, "update", Arguments([gradients, state, UNKNOWN]), node)
    result = given(it, gives.value, args.values(), node, receiver)
    if isinstance(receiver, ExternalInstance) and receiver.cls.startswith("optax."):
        # The state of an optimiser: named tuples of arrays, all the way down.
        if isinstance(result, Tree) and name.value == "init":
            return result.replace(arrays_only=True)
        if isinstance(result, Tuple) and name.value == "update":
            updates, state = result.items
            state = state.replace(arrays_only=True) if isinstance(state, Tree) else state
            return Tuple((updates, state))
    return result


def _apply_module(
    it: Interpreter, receiver: Ref, name: str, args: Arguments, node: cst.CSTNode
) -> Value:
    """``module.apply(variables, *args)`` runs ``__call__`` or the method that is named."""
    from jitlint.absint.program.members import class_attribute

    method = args.keywords.get("method")
    rest = args.dropped(1)
    for option in ("method", "mutable", "rngs", "capture_intermediates"):
        rest.keywords.pop(option, None)
    target: Value | None = class_attribute(it, receiver, "__call__")
    if isinstance(method, Const) and isinstance(method.value, str):
        target = class_attribute(it, receiver, method.value)
    elif method is not None and method != NONE:
        target = method
        # `module.decode` brings its receiver along, `Module.decode` does not.
        bound = isinstance(method, (Ref, BoundMethod))
        rest = rest if bound else rest.prepended(receiver)
    result = UNKNOWN if target is None else it.call(target, rest, node)
    if name == "init":
        return tree_result(it, (), node)
    mutable = args.keywords.get("mutable")
    if name == "init_with_output" or (mutable is not None and mutable != Const(False)):
        return Tuple((result, tree_result(it, (), node)))
    return result
