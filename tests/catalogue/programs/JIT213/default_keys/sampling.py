"""A constant key is only the default, or only there for shapes."""

import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.Dense(4)(x)
        return nn.Dropout(0.5, deterministic=not train)(x)


model = Net()


def noise(x, key=None):
    if key is None:
        key = jax.random.key(0)
    return x + jax.random.normal(key, x.shape)


@jax.jit
def corrupt(x, key):
    return noise(noise(x, key), jax.random.fold_in(key, 1))


@jax.jit
def predict(variables, x):
    return model.apply(variables, x, train=False)


def shapes(x):
    return jax.eval_shape(lambda: model.init(jax.random.key(0), x, train=False))


def main():
    x = jnp.ones((2, 3))
    variables = model.init(jax.random.key(0), x, train=False)
    a, b = (corrupt(x, key) for key in jax.random.split(jax.random.key(1)))
    return a, b, predict(variables, x), noise(x), shapes(x)
