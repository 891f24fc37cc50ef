import jax
import jax.numpy as jnp

from callbacks import FreeMemory, Silent


@jax.jit
def loss(rate, x):
    return jnp.sum((1 - rate) * x**2)


def epoch(callbacks, batches=3):
    total = 0.0
    for step in range(batches):
        total += loss(0.1, jnp.full(4, float(step)))
        for callback in callbacks:
            callback.on_batch_end(step)
    return total


def sweep(rates):
    best = {}
    for rate in rates:
        best[rate] = float(loss(rate, jnp.ones(3)))
        loss.clear_cache()  # expect: JIT313 @sweep
    return best


def main():
    return epoch([Silent(), FreeMemory()])
