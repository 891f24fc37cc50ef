"""What older releases of JAX had, and those of its libraries that are examples by now.

The installed JAX has no ``index_update``, ``tie_in`` and ``host_callback``; what they gave is what
their documentation says.
"""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.machine.tracers import array_result
from jitlint.absint.values.domain import UNKNOWN, External, Tuple, Value

_OPTIMIZERS: Final = "jax.example_libraries.optimizers"
_OPTIMIZER_NAMES: Final = "adagrad adam adamax momentum nesterov rmsprop rmsprop_momentum sgd sm3"
_UPDATES: Final = "index_update index_add index_mul index_min index_max"
_STAX: Final = "jax.example_libraries.stax"
#: layers that give one array, made by a call; ``FanOut`` and ``parallel`` give several
_LAYERS: Final = """Dense GeneralConv Conv Conv1DTranspose ConvTranspose BatchNorm MaxPool SumPool
AvgPool Dropout elementwise"""
#: and those that are there already
_FIXED_LAYERS: Final = frozenset(
    f"{_STAX}.{name}"
    for name in """Tanh Relu Exp LogSoftmax Softmax Softplus Sigmoid Elu LeakyRelu Selu Gelu
    Identity Flatten FanInSum FanInConcat""".split()
)
_ONE_ARRAY: Final = Tuple(
    (External(f"{_STAX}.Layer.init_fun"), External(f"{_STAX}.Layer.apply_fun"))
)


@model(*(f"{_OPTIMIZERS}.{name}" for name in _OPTIMIZER_NAMES.split()))
def _optimizer(it: Interpreter, call: Call) -> Value:
    """What initialises the state, what makes a step, and what gives the parameters."""
    made = f"{_OPTIMIZERS}.Optimizer"
    parts = (External(f"{made}.{part}") for part in ("init_fn", "update_fn", "params_fn"))
    return Tuple(tuple(parts))


@model(*(f"jax.ops.{name}" for name in _UPDATES.split()))
def _updated(it: Interpreter, call: Call) -> Value:
    """A copy of an array with other values in some places, as ``x.at[i].set(y)`` gives it."""
    return _changed(it, call, call.args.get(0, "x"))


@model("jax.lax.tie_in")
def _tied(it: Interpreter, call: Call) -> Value:
    """The second argument, which counts as computed from the first."""
    return _changed(it, call, call.args.get(1, "y"))


def _changed(it: Interpreter, call: Call, array: Value | None) -> Value:
    """An array like one of the arguments, computed from all of them."""
    return array_result(it, call.args.values(), node=call.node, like=(array or UNKNOWN,))


@model("jax.experimental.host_callback.id_print")
def _printed(it: Interpreter, call: Call) -> Value:
    return call.keywords.get("result", call.first)


@model(*(f"{_STAX}.{name}" for name in _LAYERS.split()))
def _layer(it: Interpreter, call: Call) -> Value:
    """What initialises the parameters, and what applies them."""
    return _ONE_ARRAY


@model(f"{_STAX}.serial")
def _serial(it: Interpreter, call: Call) -> Value:
    """Layers of which each is given what the one before gives."""
    last = call.last
    if last == _ONE_ARRAY or (isinstance(last, External) and last.name in _FIXED_LAYERS):
        return _ONE_ARRAY
    return UNKNOWN


@model(f"{_STAX}.Layer.apply_fun")
def _applied(it: Interpreter, call: Call) -> Value:
    return array_result(it, call.args.values(), node=call.node)
