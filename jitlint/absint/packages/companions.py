"""Functions beside the array operations that programs pass traced values through.

What they give was observed under JAX 0.10.2 with autoray 0.8, einops 0.8, Equinox 0.13 and dm-tree
0.1.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, gives, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result, find_traced
from jitlint.absint.objects.traced_values import traced_argument
from jitlint.absint.packages.pytrees import leaf_of
from jitlint.absint.packages.results import described
from jitlint.absint.values.domain import (
    BOOL,
    NONE,
    STATIC,
    UNKNOWN,
    Array,
    Const,
    External,
    ExternalInstance,
    Partial,
    Sentinel,
    Static,
    Tree,
    Tuple,
    Value,
)
from jitlint.absint.values.lattice import type_name
from jitlint.absint.values.plain import NDARRAY
from jitlint.absint.values.statics import is_number

#: what ``ravel_pytree`` gives besides the flat array
_UNRAVEL: Final = "jitlint.unravel"
#: declares a field of an Equinox module
_FIELD: Final = "equinox.field"
#: what ``make_with_state`` gives
_WITH_STATE: Final = "jitlint.with_state"

model(
    "jax.sharding.NamedSharding",
    "jax.sharding.SingleDeviceSharding",
    "jax.sharding.get_abstract_mesh",
    "jax.core.ShapedArray",
    "dataclasses.is_dataclass",
    "ord",
    "textwrap.dedent",
)(gives(STATIC))
model("warnings.warn", "warnings.simplefilter", "warnings.filterwarnings")(gives(NONE))


@model("object")
def _object(it: Interpreter, call: Call) -> Value:
    frame = it.frame
    once = frame.code is None and not frame.enclosing_loops
    return Sentinel(call.node) if once else STATIC


@model(
    "jax.lax.pvary",
    "jax.reshard",
    "equinox.internal.nondifferentiable",
    "equinox.internal.nondifferentiable_backward",
    "equinox.internal.nonbatchable",
    "equinox.internal.nontraceable",
)
def _same(it: Interpreter, call: Call) -> Value:
    """What is passed on as it is, under a condition that concerns JAX alone."""
    return call.first


@model(
    "equinox.error_if",
    "equinox.branched_error_if",
    "equinox.internal.error_if",
    "equinox.internal.branched_error_if",
)
def _checked(it: Interpreter, call: Call) -> Value:
    """What it is given: a condition that is known while tracing leaves nothing to be computed.

    Else arrays are traced, but no numbers.
    """
    condition = call.args.get(1, "pred")
    traced = None if condition is None else find_traced(it, condition)
    if traced is None:
        return call.first
    return traced_argument(it, call.first, traced.level, leaves="arrays", origin=traced.origin)


@model("equinox.nn.make_with_state")
def _stateful(it: Interpreter, call: Call) -> Value:
    """A function that makes a model, and the state of its layers beside it."""
    return Partial(External(_WITH_STATE), tuple(call.positional), ())


@model(_WITH_STATE)
def _with_state(it: Interpreter, call: Call) -> Value:
    made = it.call(call.first, call.args.dropped(1), call.node)
    return Tuple((made, ExternalInstance("equinox.nn.State")))


@model("jax.flatten_util.ravel_pytree")
def _ravel(it: Interpreter, call: Call) -> Value:
    flat = array_result(it, [leaf_of(it, call.first)], node=call.node)
    return Tuple((flat, External(_UNRAVEL)))


@model("jax.scipy.linalg.cho_factor")
def _cho_factor(it: Interpreter, call: Call) -> Value:
    """The factor, and which half of it is filled: a bool, under ``jax.jit`` too."""
    return Tuple((described(it, "array", call), BOOL))


@model(_UNRAVEL)
def _unravel(it: Interpreter, call: Call) -> Value:
    traced = find_traced(it, call.first)
    if traced is None:
        return UNKNOWN
    return Tree(traced.level, certainty=traced.certainty, origin=traced.origin)


@model("einops.rearrange", "einops.reduce", "einops.repeat", "einops.einsum")
def _rearrange(it: Interpreter, call: Call) -> Value:
    """An array of the library of what it is given: an array, or a list of arrays."""
    leaves = [leaf_of(it, value) for value in call.args.positional if not _is_text(value)]
    if any(isinstance(leaf, (Array, Tree)) for leaf in leaves):
        return array_result(it, leaves, node=call.node)
    of_numpy = all(isinstance(leaf, Static) and leaf.type == "ndarray" for leaf in leaves)
    return NDARRAY if leaves and of_numpy else UNKNOWN


def _is_text(value: Value) -> bool:
    return isinstance(value, (Const, Static)) and type_name(value) == "str"


@model("autoray.infer_backend")
def _backend(it: Interpreter, call: Call) -> Value:
    """The library that an array is of; what may be a container is asked because it is an array."""
    value = call.first
    if isinstance(value, Array) or (isinstance(value, Tree) and not value.container):
        return Const("jax")
    if is_number(value) or value == NONE:
        return Const("builtins")
    return UNKNOWN


@model(_FIELD)
def _field(it: Interpreter, call: Call) -> Value:
    """What a field holds is not known here; what converts it whenever a module is made is."""
    converter = call.keywords.get("converter", NONE)
    return UNKNOWN if converter == NONE else ExternalInstance(_FIELD, (("converter", converter),))
