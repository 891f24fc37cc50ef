"""``python -m cli_train.main --steps 5``"""

import sys
import time
from functools import partial

import jax
import jax.numpy as jnp
import optax

from .settings import DEBUG, log, parse
from .text import Alphabet

TEXT = "the cat sat on the mat"
OPTIMIZERS = {"sgd": optax.sgd, "adam": optax.adam}


def init(key, size, width):
    first, second = jax.random.split(key)
    params = {"embed": jax.random.normal(first, (size, width))}
    params["out"] = jax.random.normal(second, (width, size)) * 0.1
    return params


def loss_fn(params, tokens):
    """Predict each next character; the parts of the loss are collected on the way."""
    parts = []

    def collect(value):
        parts.append(value)
        return value

    logits = collect(params["embed"][tokens[:-1]]) @ params["out"]
    collect(logits)
    nll = optax.softmax_cross_entropy_with_integer_labels(logits, tokens[1:]).mean()
    if DEBUG:
        jax.debug.callback(log.debug, "loss %s", nll)
    return nll, [part.mean() for part in parts]


def train_step(optimizer, params, state, tokens):
    (loss, parts), grads = jax.value_and_grad(loss_fn, has_aux=True)(params, tokens)
    updates, state = optimizer.update(grads, state, params)
    return optax.apply_updates(params, updates), state, {"loss": loss, "parts": parts}


def main(argv=None):
    settings = parse(argv)
    alphabet = Alphabet()
    tokens = alphabet.encode(TEXT)
    params = init(jax.random.key(0), len(alphabet), settings.width)
    optimizer = OPTIMIZERS[settings.optimizer](settings.rate)
    state = jax.jit(optimizer.init)(params)
    step = jax.jit(partial(train_step, optimizer))
    losses = []
    started = time.time()
    for number in range(settings.steps):
        params, state, metrics = step(params, state, tokens)
        losses.append(metrics["loss"])
        if number % 2 == 0:
            print(f"{number}: {float(metrics['loss']):.3f} after {time.time() - started:.1f} s")
    log.info("last loss %s", losses[-1])
    sys.stdout.flush()
    return params, jnp.stack(losses)


if __name__ == "__main__":
    main()
