"""Keys that look as if they were saved and put back."""

import jax
import jax.numpy as jnp

_key = jax.random.key(0)


class Dropout:
    """Draws a new mask for every call, or so it seems."""

    def __init__(self, rate, seed=0):
        self.rate = rate
        self.key = jax.random.key(seed)

    def __call__(self, x):
        key = self.key
        key, sub = jax.random.split(key)
        mask = jax.random.bernoulli(sub, 1.0 - self.rate, x.shape)
        self.key = key  # expect: JIT204 @key
        return jnp.where(mask, x, 0.0)


class Mixer:
    """Borrows the weights of a teacher for one call, and keeps a different one."""

    def __init__(self, weight):
        self.weight = weight

    def apply(self, x):
        return self.weight * x

    def blended(self, teacher, x):
        weight = self.weight
        weight = 0.5 * (weight + teacher)
        out = self.apply(x)
        self.weight = weight  # expect: JIT204 @weight
        return out


def next_key():
    """A key from the module's own stream."""
    global _key
    key = _key
    key, sub = jax.random.split(key)
    _key = key  # expect: JIT203 @stream
    return sub


@jax.jit
def jitter(x):
    return x + jax.random.normal(next_key(), x.shape)


def compiled(rate=0.5):
    dropout = Dropout(rate)
    return jax.jit(lambda x: dropout(x)), dropout


def distil(mixer):
    return jax.jit(mixer.blended)


if __name__ == "__main__":
    drop, _ = compiled()
    print(drop(jnp.ones(4)), jitter(jnp.ones(2)), distil(Mixer(jnp.ones(2)))(2.0, jnp.ones(2)))
