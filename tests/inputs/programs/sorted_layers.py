"""Layers that are taken in the order of their names."""

import jax
import jax.numpy as jnp


def apply(params, x):
    for name in sorted(params):
        x = x @ params[name]["w"] + params[name]["b"]
        if "scale" in params[name]:
            x = x * params[name]["scale"]
        if x.mean() > 10:  # expect: JIT101 @exploded
            x = x / 10
    return x


@jax.jit
def mean_output(params, x):
    return apply(params, x).mean()


@jax.jit
def norms(params):
    total = {}
    for name, layer in params.items():
        total[name] = jnp.linalg.norm(layer["w"])
        if total[name] > 1.0:  # expect: JIT101 @heavy
            total[name] = jnp.ones(())
    return total
