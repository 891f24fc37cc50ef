"""Train, with a schedule and a stop watch."""

import time

import jax
import jax.numpy as jnp

import config
from data import Loader, synthetic
from model import apply, class_weights, init, loss_fn


@jax.jit
def train_step(params, x, y):
    loss, grads = jax.value_and_grad(loss_fn)(params, x, y)
    return jax.tree.map(lambda p, g: p - config.RATE * g, params, grads), loss  # expect: JIT208 @rate


@jax.jit
def predict(params, x):
    return jnp.argmax(apply(params, x, train=False), axis=1)


def run_epoch(params, loader):
    start = time.perf_counter()
    for x, y in loader:
        params, loss = train_step(params, x, y)  # expect: JIT307 @batches
    seconds = time.perf_counter() - start  # expect: JIT401 @epoch
    return params, loss, seconds


def main(epochs=2, size=100):
    images, labels = synthetic()
    class_weights(labels)
    loader = Loader(images, labels, size)
    params = init(jax.random.key(0), images.shape[1])
    config.RATE = 0.1
    rest = len(images) % size
    jax.block_until_ready(train_step(params, images[:size], labels[:size]))
    jax.block_until_ready(train_step(params, images[:rest], labels[:rest]))
    for epoch in range(epochs):
        params, loss, seconds = run_epoch(params, loader)
        print(f"{epoch}: {loss:.3f} {seconds:.2f} s")
        config.RATE *= 0.5
    return jnp.mean(predict(params, images) == labels)


if __name__ == "__main__":
    main()
