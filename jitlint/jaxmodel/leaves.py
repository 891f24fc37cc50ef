"""Leaves of library objects that are neither arrays nor numbers: ``eqx.nn.MLP`` holds functions.

Such an object is a pytree, and passes Equinox' filtered transforms; those of JAX refuse it.
Observed under Equinox 0.13.8 and JAX 0.10.2; ``tests/jaxmodel/test_leaves.py`` makes every one.
"""

from __future__ import annotations

from typing import Final

_FUNCTIONS: Final = (
    "MLP WeightNorm Pool AvgPool1d AvgPool2d AvgPool3d MaxPool1d MaxPool2d MaxPool3d"
    " AdaptivePool AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d"
    " AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d"
)
#: by qualified name of the class, what any instance has among its leaves
OPAQUE_LEAVES: Final = {
    **{f"equinox.nn.{name}": "function" for name in _FUNCTIONS.split()},
    "equinox.nn.BatchNorm": "str",
}
#: classes whose instances have what one argument gives among their leaves: its position and name
HOLDERS: Final = {"equinox.nn.Lambda": (0, "fn"), "equinox.nn.Sequential": (0, "layers")}
#: the same of static parts
STATIC_HOLDERS: Final = {"flax.nnx.Optimizer": (1, "tx")}

#: what is known of such an object whose other leaves a filter has taken out
ARRAYS_ALONE: Final = "<arrays>"
#: of a half that lacks arrays: leads to the pytree that it was made of
WHOLE_OF: Final = "the whole of"
EQUINOX_MODULE: Final = "equinox.Module"
#: what takes a pytree apart, and which part of the result is its structure, None for all of it: the
#: same again as long as only numbers change, as in training
STRUCTURE_OF: Final[dict[str, int | None]] = {
    "equinox.partition": 1,
    "flax.nnx.split": 0,
    "flax.nnx.graphdef": None,
    "jax.flatten_util.ravel_pytree": 1,
    "jax.tree.flatten": 1,
    "jax.tree.structure": None,
    "jax.tree_util.tree_flatten": 1,
    "jax.tree_util.tree_structure": None,
}
#: what puts a pytree together, and at which position it takes the structure
PUT_TOGETHER_BY: Final[dict[str, int]] = {
    "flax.nnx.merge": 0,
    "jax.tree.unflatten": 0,
    "jax.tree_util.tree_unflatten": 0,
}
#: with which filters the other half holds no arrays; with any other one it may count steps
LEAVES_NO_ARRAYS: Final = frozenset({"equinox.is_array", "equinox.is_array_like"})
#: bases whose metaclass makes pytrees of the texts in a class
MAKES_ITEMS: Final = frozenset({"equinox.Enumeration"})
#: what Equinox has in place of a transform of JAX, for pytrees with such leaves
FILTERED: Final = {
    "jax.jit": "equinox.filter_jit",
    "jax.grad": "equinox.filter_grad",
    "jax.value_and_grad": "equinox.filter_value_and_grad",
    "jax.vmap": "equinox.filter_vmap",
    "jax.pmap": "equinox.filter_pmap",
    "jax.checkpoint": "equinox.filter_checkpoint",
    "jax.remat": "equinox.filter_checkpoint",
}
#: whose functions must return arrays, numbers or pytrees of these: ``tests/jaxmodel/test_leaves``
#: runs them.  ``grad`` and its kin hand on whatever stands beside the loss; Equinox' and Flax'
#: transforms return the rest as it is.
CHECKS_RESULTS: Final = frozenset(
    {
        "jax.jit",
        "jax.experimental.pjit.pjit",
        "jax_dataclasses.jit",
        "jax.pmap",
        "jax.vmap",
        "jax.checkpoint",
        "jax.remat",
        "jax.eval_shape",
        "jax.make_jaxpr",
        "jax.lax.scan",
        "jax.lax.fori_loop",
        "jax.lax.map",
        "jax.lax.cond",
        "jax.lax.switch",
    }
)
#: those of them by which programs choose texts where jit is off: ``jax.disable_jit`` lets them
TEXTS_OF_BRANCHES: Final = frozenset({"jax.lax.cond", "jax.lax.switch"})
