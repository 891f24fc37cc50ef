"""JAX and NumPy for the code that runs in child processes, imported when first asked for.

Untyped, since not every release of JAX types what is called; in one place, so that it is easy to
see that nothing else of jitlint can start JAX.
"""

from __future__ import annotations

from typing import Any


def real_jax() -> Any:
    """The module ``jax``."""
    import jax

    return jax


def real_numpy() -> Any:
    """The module ``numpy``."""
    import numpy

    return numpy


def callable_program(jaxpr: Any) -> Any:
    """A closed jaxpr as a function."""
    from jax.extend.core import jaxpr_as_fun

    return jaxpr_as_fun(jaxpr)
