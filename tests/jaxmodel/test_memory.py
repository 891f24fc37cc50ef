"""What the table says of results that can take the memory of an operand, under real JAX."""

from __future__ import annotations

import pytest

from jitlint.jaxmodel.memory import KEEPS, kept_operands, reads_arrays

_CALLS = {
    "dynamic_update_slice": lambda f, x: f(x, x[:1], (0, 0)),
    "dynamic_update_slice_in_dim": lambda f, x: f(x, x[:1], 0, 0),
    "dynamic_update_index_in_dim": lambda f, x: f(x, x[0], 0, 0),
    "roll": lambda f, x: f(x, 1),
    "pow": lambda f, x: f(x, x),
    "cumsum": lambda f, x: f(x, axis=0),
    "cumprod": lambda f, x: f(x, axis=0),
    "full_like": lambda f, x: f(x, 1),
    "where": lambda f, x: f(x > 0, x, x),
    "select": lambda f, x: f(x > 0, x, x),
}


@pytest.mark.jax
def test_results_have_the_shape_and_type_of_the_kept_operands() -> None:
    import jax
    import jax.numpy as jnp

    x = jnp.ones((3, 3))
    tried = set()
    for count, names in KEEPS.items():
        for name in names.split():
            short = name.rstrip("_")
            for module, prefix in ((jnp, "numpy"), (jax.lax, "lax"), (jax.nn, "nn")):
                function = getattr(module, short, None)
                if function is None or not callable(function) or short in _NO_ARRAYS:
                    continue
                if name != short and prefix != "lax":
                    continue
                call = _CALLS.get(short)
                result = function(*[x] * count) if call is None else call(function, x)
                assert (result.shape, result.dtype) == (x.shape, x.dtype), (prefix, name)
                assert kept_operands(f"jax.{prefix}.{short}").stop, name
                tried.add(name)
    assert len(tried) > 80


#: takes a description of devices, too
_NO_ARRAYS = {"with_sharding_constraint"}


@pytest.mark.jax
@pytest.mark.parametrize(
    "name", ["jax.numpy.zeros_like", "jax.numpy.shape", "jax.numpy.sin", "numpy.asarray",
             "jax.numpy.copy", "jax.block_until_ready", "builtins.repr", "numpy.shape"],
)  # fmt: skip
def test_deleted_arrays_raise_where_their_values_are_needed(name: str) -> None:
    import importlib

    import jax
    import jax.numpy as jnp

    x = jnp.ones(3)
    jax.jit(lambda x: x + 1, donate_argnums=0)(x)
    module, _, attribute = name.rpartition(".")
    function = getattr(importlib.import_module(module), attribute)
    if reads_arrays(name):
        with pytest.raises(RuntimeError, match="deleted"):
            function(x)
    else:
        function(x)
