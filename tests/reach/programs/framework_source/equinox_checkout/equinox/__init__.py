"""A checkout of the parts of Equinox that this project needs."""

from equinox._filters import combine, filter, is_array, is_inexact_array, partition
from equinox._grad import filter_grad, filter_value_and_grad
from equinox._jit import filter_jit
from equinox._module import Module, field

__all__ = [
    "Module",
    "combine",
    "field",
    "filter",
    "filter_grad",
    "filter_jit",
    "filter_value_and_grad",
    "is_array",
    "is_inexact_array",
    "partition",
]
