"""Waiting for the last result is waiting for all that it needs."""

import time

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def encode(x):
    return jax.lax.fori_loop(0, 20, lambda _, a: jnp.tanh(a @ x), x)


@jax.jit
def decode(z):
    return jnp.tanh(z @ z)


def pipeline(x):
    start = time.perf_counter()
    z = encode(x)
    y = decode(z)
    y.block_until_ready()
    return time.perf_counter() - start


def train(x, steps=3):
    start = time.time()
    for step in range(steps):
        x = encode(x)
        if step % 2 == 0:
            print(f"step {step}: {float(x.mean()):.3f}")
    loss = jnp.mean(x).item()
    return loss, time.time() - start


def many(xs):
    start = time.monotonic()
    outputs = np.stack([np.asarray(encode(x)) for x in xs])
    seconds = time.monotonic() - start
    return outputs.mean(), seconds


def until_small(x):
    start = time.perf_counter()
    while jnp.abs(x).max() > 0.5:
        x = decode(x * 0.5)
    return time.perf_counter() - start
