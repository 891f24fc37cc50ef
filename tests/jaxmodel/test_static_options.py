"""Options of transforms that JAX must know while it traces, observed where they are traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jitlint.jaxmodel.transforms import STATIC_OPTIONS

jax: Any
pytestmark = pytest.mark.jax


@pytest.fixture(scope="module", autouse=True)
def _jax() -> None:
    """Import it when a test runs, not when tests are collected."""
    global jax
    import jax


#: by option, a transform that has it with some value
CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "argnums": lambda x, k: jax.grad(lambda v: v.sum(), argnums=k)(x),
    "has_aux": lambda x, k: jax.value_and_grad(lambda v: v.sum(), has_aux=k)(x),
    "in_axes": lambda x, k: jax.vmap(lambda v: v, in_axes=k)(x),
    "out_axes": lambda x, k: jax.vmap(lambda v: v, out_axes=k)(x),
    "static_argnums": lambda x, k: jax.jit(lambda v, n: v, static_argnums=k + 1)(x, 2),
    "donate_argnums": lambda x, k: jax.jit(lambda v: v, donate_argnums=k)(x),
}


@pytest.mark.parametrize("option", STATIC_OPTIONS)
def test_a_traced_option_raises(option: str) -> None:
    call = CALLS[option]
    call(jax.numpy.ones(3), 0)
    with pytest.raises(Exception) as raised:  # noqa: PT011 - the table says which
        jax.jit(call)(jax.numpy.ones(3), 0)
    names = {f"jax.errors.{type(raised.value).__name__}", type(raised.value).__name__}
    assert names & set(STATIC_OPTIONS[option])
