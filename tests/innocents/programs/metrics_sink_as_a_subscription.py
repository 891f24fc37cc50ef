"""Looks like a fault of JIT105.

`subscribe` keeps every receiver wrapped in a debug callback, so the conversion sees arrays with values.
"""
import functools

import jax
import jax.numpy as jnp

RECEIVERS = {}


def subscribe(topic):
    def keep(fn):
        RECEIVERS.setdefault(topic, []).append(functools.partial(jax.debug.callback, fn, ordered=True))
        return fn
    return keep


best = {"loss": float("inf"), "lines": []}


@subscribe("loss")
def remember(loss):
    best["loss"] = min(best["loss"], float(loss))


@subscribe("loss")
def describe(loss):
    best["lines"].append(f"loss {loss.item():.3f}")


@jax.jit
def train_step(weight, x):
    loss, slope = jax.value_and_grad(lambda w: jnp.mean((w * x - 3.0 * x) ** 2))(weight)
    for receiver in RECEIVERS.get("loss", ()):
        receiver(loss)
    return weight - 0.1 * slope


if __name__ == "__main__":
    weight = jnp.float32(0.0)
    for _ in range(5):
        weight = train_step(weight, jnp.ones(4))
    jax.effects_barrier()
    assert len(best["lines"]) == 5 and best["lines"][0] == "loss 9.000"
    assert best["loss"] < 9.0
    assert train_step._cache_size() == 1
