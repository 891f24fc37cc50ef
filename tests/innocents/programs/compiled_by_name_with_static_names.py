"""Looks like a fault of JIT308.

Which function is compiled is looked up by its name; the text that it takes is declared static.
"""

import importlib

import jax
import jax.numpy as jnp


def weigh_plain(x, y, los="z"):
    return x + y if los == "z" else x - y


def window(pairs, kind, los="local"):
    weigh = getattr(importlib.import_module(__name__), f"weigh_{kind}")
    compute = jax.jit(weigh, static_argnames=["los"])
    return [compute(a, b, los=los) for a, b in pairs]


if __name__ == "__main__":
    assert window([(jnp.ones(2), jnp.ones(2))], "plain")[0].sum() == 0.0
