import custom_rules as m
import jax
import jax.numpy as jnp

X = jnp.array([1.0, 2.0])
HOSTILE = {}
INNOCENT = [lambda: jax.grad(m.total)(X), lambda: m.total(X, exponent=0), lambda: m.check(X)]
