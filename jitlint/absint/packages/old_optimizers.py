"""Optimizers of ``jax.example_libraries``, and of the module where they were before."""

from __future__ import annotations

from typing import Final

from jitlint.absint.library.registry import Call, model
from jitlint.absint.machine.interpreter import Interpreter
from jitlint.absint.values.domain import External, Tuple, Value

_MODULES: Final = ("jax.example_libraries.optimizers", "jax.experimental.optimizers")
_NAMES: Final = "adagrad adam adamax momentum nesterov rmsprop rmsprop_momentum sgd sm3".split()


@model(*(f"{module}.{name}" for module in _MODULES for name in _NAMES))
def _optimizer(it: Interpreter, call: Call) -> Value:
    """What initialises the state, what makes a step, and what gives the parameters."""
    made = f"{_MODULES[0]}.Optimizer"
    parts = (External(f"{made}.{part}") for part in ("init_fn", "update_fn", "params_fn"))
    return Tuple(tuple(parts))
