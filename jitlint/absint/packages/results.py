"""What comes back from a call that a table describes: arrays, trees, objects, and their dtypes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import libcst as cst

from jitlint.absint.library.registry import Call
from jitlint.absint.machine.clock_signals import WorkDispatched
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, level_of
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.operations.iteration import sequence_items
from jitlint.absint.values.domain import (
    INT,
    NDARRAY,
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    Dtype,
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
from jitlint.absint.values.heap import ListObject
from jitlint.absint.values.lattice import type_name
from jitlint.jaxmodel.dtypes import FLOATS
from jitlint.jaxmodel.functions import FunctionFact
from jitlint.jaxmodel.memory import kept_operands

#: what functions give an array of by their own names; that of an operand where it says so
_DTYPES: Final[Mapping[str, str]] = {
    name: dtype
    for dtype, names in (
        ("bool", """isnan isfinite isinf isposinf isneginf logical_and logical_or logical_not
            logical_xor greater greater_equal less less_equal equal not_equal isclose isin any all
            array_equal allclose signbit array_equiv is_finite eq ne lt le gt ge bernoulli iscomplex
            isreal"""),
        ("int", """argmax argmin argsort searchsorted digitize count_nonzero nanargmax nanargmin
            randint categorical bincount sign_ floor_ population_count clz"""),
        ("operand", """reshape ravel roll flip fliplr flipud transpose squeeze expand_dims
            broadcast_to take atleast_1d atleast_2d asarray array copy swapaxes moveaxis stack
            concatenate hstack vstack tile repeat rot90 diagonal diag sort flatten where"""),
    )
    for name in names.split()
}  # fmt: skip
#: what is there only once a device has made it
_DISPATCHED: Final = frozenset({"array", "arrays", "array_list", "tree", "tree_pair"})
_REDUCTIONS: Final = frozenset(
    "sum mean max min prod any all std var norm median amax amin".split()
)
#: what makes arrays of as many dimensions, whatever it is given
_RANKS: Final = {"jax.numpy.arange": 1, "jax.numpy.eye": 2, "jax.numpy.identity": 2}
_MATH_INTS: Final = frozenset("floor ceil trunc factorial gcd lcm isqrt comb".split())
_TRANSPOSED: Final = frozenset({"jax.tree.transpose", "jax.tree_util.tree_transpose"})
#: what every device or element of an axis gets alike
_SAME_FOR_ALL: Final = frozenset({"jax.lax.psum", "jax.lax.pmean", "jax.lax.pmax", "jax.lax.pmin"})


def described(
    it: Interpreter, words: str, call: Call, array: Callable[[], Array] | None = None
) -> Value:
    """A result in the words of the tables.

    Args:
      it: the interpreter.
      words: ``array``, ``arrays:2``, ``tree``, ``object:optax.MultiSteps`` ...: see
        :mod:`jitlint.jaxmodel.functions` and :mod:`jitlint.jaxmodel.frameworks`.
      call: what gives it.
      array: makes one array of the result; by default one of which only the operands tell.
    """
    operands, node = call.operands, call.node
    kind, _, detail = words.partition(":")
    if it.trace is None and kind in _DISPATCHED:
        it.signal(WorkDispatched(_full_name(call), node))
    if kind in ("array", "arrays", "array_list"):
        made = [
            array_result(it, operands, node=node) if array is None else array()
            for _ in range(int(detail or 1))
        ]
        if kind == "array_list":
            return it.allocate(node, ListObject(None, made[0]), "result")
        return made[0] if kind == "array" else Tuple(tuple(made))
    if kind == "tree":
        return tree_result(it, operands, node)
    if kind == "tree_pair":
        tree = tree_result(it, operands, node)
        return Tuple((tree, tree))
    if kind == "named":
        fields = Tuple(tuple(Const(name) for name in detail.split(",")))
        named = ExternalInstance("jitlint.namedtuple", (("fields", fields),))
        return Tuple(tuple(tree_result(it, operands, node) for _ in fields.items), named)
    if kind == "object" and detail:
        return made_object(it, detail, operands, node)
    fixed: dict[str, Value] = {
        "static": STATIC,
        "none": NONE,
        "same": call.receiver,
        "argument": call.first,
    }
    return fixed.get(kind, UNKNOWN)


def _full_name(call: Call) -> str:
    """What is called, with the class of an object of a library."""
    owner = call.receiver
    return f"{owner.cls}.{call.name}" if isinstance(owner, ExternalInstance) else call.name


def made_object(
    it: Interpreter, cls: str, operands: Sequence[Value], node: cst.CSTNode
) -> ExternalInstance:
    """An object of a library's class, which tells whether what it was made to hold is traced."""
    return ExternalInstance(cls, (("<level>", array_result(it, operands, node=node)),))


def tree_result(it: Interpreter, operands: Sequence[Value], node: cst.CSTNode) -> Value:
    """A pytree of arrays of unknown structure."""
    return tree_of(array_result(it, operands, node=node))


def tree_of(array: Array) -> Tree:
    """A pytree of unknown structure, the leaves of which are as traced as an array."""
    return Tree(array.level, certainty=array.certainty, origin=array.origin)


def fact_result(
    it: Interpreter, fact: FunctionFact, call: Call, arguments: Mapping[str, Value]
) -> Value:
    """What a function of the tables gives.

    Args:
      it: the interpreter.
      fact: its row.
      call: its call.
      arguments: what it is given, by parameter.
    """
    root, name = fact.name.partition(".")[0], fact.name.rpartition(".")[2]
    operands = call.operands

    def array() -> Array:
        asked = arguments.get("dtype", UNKNOWN if call.starred else NONE)
        dtype = dtype_argument(asked)
        if asked == NONE:
            # Otherwise it is that one, known or not.
            dtype = "float" if fact.name in FLOATS else _DTYPES.get(name)
        if dtype == "operand":
            dtype = _common_dtype(it, operands[1:] if name == "where" else operands[:1])
        reduces = name in _REDUCTIONS and arguments.get("axis", NONE) == NONE
        rank = 0 if reduces and "keepdims" not in arguments else _RANKS.get(fact.name)
        kept = () if "dtype" in arguments else operands[kept_operands(fact.name)]
        return array_result(it, operands, dtype=dtype, rank=rank, node=call.node, like=kept)

    if fact.returns == "static":
        return INT if root == "builtins" else STATIC
    if root in ("numpy", "scipy"):
        if fact.dispatches_to_method and operands and level_of(it, operands[0]) is not None:
            return array()
        return UNKNOWN if UNKNOWN in operands[:1] else NDARRAY
    if root in ("math", "cmath", "statistics", "random"):
        return Static("float") if root == "math" and name not in _MATH_INTS else STATIC
    if fact.name == "jax.lax.axis_index":
        # It has no operand, and where it can be called it is a tracer.
        origin = it.origin(call.node, "the index along a mapped axis")
        return Array(Level.ABSTRACT, dtype="int", rank=0, origin=origin)
    if fact.name in _TRANSPOSED and all(level_of(it, operand) is None for operand in operands):
        # Leaves stay what they are: Python values, or what is not known.
        return UNKNOWN
    if fact.returns == "operand" or fact.name in _SAME_FOR_ALL:
        return same_structure(it, fact.name, operands, call.node)
    return described(it, fact.returns, call, array)


#: what gives the arrays that it is given, inside of a trace too
_NO_OPERATION: Final = frozenset({"equinox.nn.inference_mode", "jax.block_until_ready"})


def same_structure(
    it: Interpreter, name: str, operands: Sequence[Value], node: cst.CSTNode
) -> Value:
    """The first operand, or another pytree of its structure."""
    first = operands[0] if operands else UNKNOWN
    if name in ("jax.lax.psum", "jax.lax.pmean") and level_of(it, first) is None:
        # `lax.psum(1, axis)`, the size of an axis, is a Python number.
        return first
    if name == "jax.lax.stop_gradient" and isinstance(first, Array) and first.level is Level.VALUE:
        return first.replace(level=Level.CONCRETE)
    if first == UNKNOWN:
        return UNKNOWN
    staging = it.frame.context.staging
    if name in _SAME_FOR_ALL and not staging:
        # Under vmap, or shard_map outside jit, it has a value again.
        return UNKNOWN
    if staging and name not in _NO_OPERATION:
        leaves = "arrays" if name.startswith("equinox.") else "leaves"
        return traced_argument(it, first, Level.ABSTRACT, leaves=leaves)
    if name == "jax.device_put" and isinstance(first, Static) and first.type == "ndarray":
        return Array(Level.CONCRETE, extent=first.extent)
    return first


# -- dtypes ---------------------------------------------------------------------------------------


def _common_dtype(it: Interpreter, operands: Sequence[Value]) -> str | None:
    kinds: set[str | None] = set()
    for member in (member for operand in operands for member in members_of(operand)):
        if isinstance(member, (Tuple, Ref)):
            element, items = sequence_items(it, member) or (UNKNOWN, None)
            kinds.update(map(dtype_sort, items or [element]))
        else:
            kinds.add(dtype_sort(member))
    return kinds.pop() if len(kinds) == 1 else None


def dtype_sort(value: Value) -> str | None:
    """The dtype of a value as far as it is told apart: ``bool``, ``int``, ``float``, ``key``."""
    if isinstance(value, Array):
        return value.dtype
    kind = type_name(value) if isinstance(value, (Const, Static)) else None
    return kind if kind in ("bool", "int", "float") else None


def dtype_argument(value: Value | None) -> str | None:
    """The dtype that an argument names, None if it names none that is told apart."""
    if isinstance(value, Dtype):
        return value.sort
    if isinstance(value, External):
        last = value.name.rpartition(".")[2].rstrip("_0123456789")
        return {"bool": "bool", "int": "int", "uint": "int", "float": "float"}.get(last)
    if isinstance(value, Const) and isinstance(value.value, str):
        kind = value.value.rstrip("0123456789")
        return kind if kind in ("bool", "int", "float") else None
    return None
