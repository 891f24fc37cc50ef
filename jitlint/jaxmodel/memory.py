"""Which calls look at the arrays that they are given, and which results can take their memory.

Observed under JAX 0.10.2 with donated arrays, which are deleted: what only asks for their shape or
type works, all else raises ``RuntimeError``, or ``ValueError`` where a compiled function is given
them again.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from jitlint.jaxmodel import functions

#: methods of a deleted array that work
ASK_NO_VALUE: Final = frozenset({"delete", "is_deleted"})
#: functions that ask for shapes, types and structure alone
_OF_SHAPES: Final = frozenset(
    """ndim shape size result_type issubdtype iscomplexobj isrealobj isscalar zeros_like ones_like
    full_like empty_like can_cast promote_types eval_shape typeof""".split()
)
#: functions of Python that convert, order or show what they are given
_OF_PYTHON: Final = frozenset(
    f"builtins.{name}"
    for name in """abs bool complex divmod float format int max min pow print repr round sorted str
    sum""".split()
) | {"copy.copy", "copy.deepcopy", "pickle.dump", "pickle.dumps"}
#: functions of JAX that look at arrays, whatever the tables say of what they give
_OF_JAX: Final = frozenset({"jax.block_until_ready", "jax.device_get", "jax.device_put"})
_ROOTS: Final = (
    "jax.numpy.",
    "jax.lax.",
    "jax.nn.",
    "jax.scipy.",
    "jax.image.",
    "jax.random.",
    "numpy.",
    "scipy.",
    "math.",
    "optax.",
)
#: methods that dicts and lists have too
_OF_CONTAINERS: Final = frozenset("choose compress copy repeat sort take".split())


@cache
def reads_arrays(name: str) -> bool:
    """Whether a library function needs the arrays that it is given.

    Args:
      name: its qualified name.
    """
    if name in _OF_PYTHON or name in _OF_JAX:
        return True
    if not name.startswith(_ROOTS) or name.rpartition(".")[2] in _OF_SHAPES:
        return False
    fact = functions.lookup(name)
    return fact is not None and fact.returns not in ("static", "callable")


def is_array_method(name: str) -> bool:
    """Whether a method is one of arrays that needs their values, and of no container.

    Args:
      name: its name.
    """
    return (
        name not in ASK_NO_VALUE
        and name not in _OF_CONTAINERS
        and functions.array_method(name) is not None
    )


#: how many of its operands a function has whose result is of their shape and type
KEEPS: Final = {
    1: """""abs absolute acos arccos arccosh arcsin arcsinh arctan arctanh asin atan cbrt ceil
    copy cos cosh cumprod cumsum deg2rad dynamic_update_index_in_dim dynamic_update_slice
    dynamic_update_slice_in_dim elu empty_like erf exp exp2 expm1 fabs flip fliplr flipud floor
    full_like gelu hard_tanh leaky_relu log log10 log1p log2 log_sigmoid log_softmax logistic
    nan_to_num neg negative ones_like positive rad2deg reciprocal relu relu6 rint roll round
    rsqrt sigmoid sign silu sin sinh soft_sign softmax softplus sort sqrt square stop_gradient
    swish tan tanh tril triu trunc with_sharding_constraint zeros_like""",
    2: """add arctan2 divide float_power fmod hypot maximum minimum mod multiply power remainder sub
    subtract true_divide div mul max_ min_ pow""",
    3: "clip where select clamp",
}
_KEPT: Final = {name: count for count, names in KEEPS.items() for name in names.split()}


def kept_operands(name: str) -> slice:
    """The operands of a function of JAX whose shape and type its result has.

    Args:
      name: its qualified name.
    """
    short = name.rpartition(".")[2]
    if not name.startswith(("jax.numpy.", "jax.lax.", "jax.nn.", "jax.Array.")):
        return slice(0)
    if name.startswith("jax.lax.") and short in ("max", "min"):
        short += "_"
    return slice(1 if short in ("where", "select") else 0, _KEPT.get(short, 0))
