"""Where older releases of JAX and Optax had what has another name today.

Code that pins such a release means the same by it.  JAX's change log says what went where, Optax
what its deprecated names stand for.  Former names of functions whose module stayed are in
:mod:`jitlint.jaxmodel.functions`.
"""

from __future__ import annotations

from functools import cache
from typing import Final

_NAMES: Final = {
    "jax.partial": "functools.partial",
    "jax.util.partial": "functools.partial",
    "jax.abstract_arrays.ShapedArray": "jax.core.ShapedArray",
    "jax.experimental.PartitionSpec": "jax.sharding.PartitionSpec",
    "jax.experimental.maps.Mesh": "jax.sharding.Mesh",
    "jax.interpreters.pxla.PartitionSpec": "jax.sharding.PartitionSpec",
    "optax.tree_utils.tree_add_scalar_mul": "optax.tree.add_scale",
    "optax.tree_utils.tree_l1_norm": "optax.tree.norm",
    "optax.tree_utils.tree_l2_norm": "optax.tree.norm",
    "optax.tree_utils.tree_linf_norm": "optax.tree.norm",
    "optax.tree_utils.tree_scalar_mul": "optax.tree.scale",
}
#: modules, with everything in them
_MODULES: Final = {
    "jax.api": "jax",
    "jax.config.config": "jax.config",
    "jax.experimental.optimizers": "jax.example_libraries.optimizers",
    "jax.experimental.stax": "jax.example_libraries.stax",
    "jax.lax.lax": "jax.lax",
    "jax.numpy.lax_numpy": "jax.numpy",
}


@cache
def current_name(name: str) -> str:
    """The name that something has today.

    Args:
      name: a qualified name, as ``jax.api.jit``; any but those of JAX and Optax are given back.
    """
    if not name.startswith(("jax.", "optax.tree_utils.")):
        return name
    known = _NAMES.get(name)
    if known is not None:
        return known
    module, rest = name, ""
    while module:
        if module in _MODULES:
            return _MODULES[module] + rest
        module, dot, last = module.rpartition(".")
        rest = f"{dot}{last}{rest}"
    return name
