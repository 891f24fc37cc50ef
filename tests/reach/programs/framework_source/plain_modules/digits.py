"""A perceptron on the framework."""

import jax
import jax.numpy as jnp

from nano import nn


def network(x, wide):
    hidden = jax.nn.relu(nn.dense(x, 8 if wide else 4, "hidden"))
    return nn.dense(hidden, 2, "out")


init, apply = nn.transform(network)


def loss(params, x, y, wide):
    logits = apply(params, x, wide)
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(y.shape[0]), y])


@nn.filter_jit
def step(params, x, y, wide, clip):
    grads = jax.grad(loss)(params, x, y, wide)
    if clip > 0:
        scale = jnp.minimum(1.0, clip / nn.norm(grads))
        grads = jax.tree.map(lambda g: scale * g, grads)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)


def main(wide=False):
    x, y = jnp.eye(3), jnp.array([0, 1, 1])
    params = init(jax.random.key(0), x, wide)
    for _ in range(2):
        params = step(params, x, y, wide, 1.0)
    value = loss(params, x, y, wide)
    return "fine" if value < 10.0 else "bad"


if __name__ == "__main__":
    print(main())
