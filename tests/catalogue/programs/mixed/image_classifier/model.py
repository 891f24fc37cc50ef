import jax
import jax.numpy as jnp

import config


def init(key, width, classes=2):
    hidden, out = jax.random.split(key)
    return {
        "hidden": jax.random.normal(hidden, (width, width)) / width**0.5,
        "out": jax.random.normal(out, (width, classes)),
    }


def dropout(x):
    key = jax.random.PRNGKey(0)  # expect: JIT213 @dropout
    return jnp.where(jax.random.bernoulli(key, 1 - config.DROP, x.shape), x, 0.0)


def apply(params, x, train):
    for _ in range(6):
        x = jax.nn.relu(x @ params["hidden"])
    if train:
        x = dropout(x)
    return x @ params["out"]


def loss_fn(params, x, y):
    logits = apply(params, x, train=True)
    return -jnp.mean(jax.nn.log_softmax(logits)[jnp.arange(y.shape[0]), y])


def class_weights(labels):
    counts = jnp.bincount(labels, length=2)
    return (1.0 / counts).astype(config.PRECISION)  # expect: JIT403 @precision
