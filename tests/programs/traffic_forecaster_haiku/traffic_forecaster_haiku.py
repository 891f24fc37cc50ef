"""Forecast traffic counts; Haiku modules and state live within one call."""

import time

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Normaliser(hk.Module):
    """Keeps the running mean in Haiku's state."""

    def __call__(self, x, training):
        mean = hk.get_state("mean", x.shape[1:], init=jnp.zeros)
        if training:
            mean = 0.9 * mean + 0.1 * x.mean(0)
            hk.set_state("mean", mean)
        return x - mean


class Forecaster(hk.Module):
    """A tower of linear layers that remembers what each of them made."""

    def __init__(self, widths, name=None):
        super().__init__(name=name)
        self.widths = widths
        self.made = []
        self.depth = 0

    def __call__(self, x, training):
        x = Normaliser()(x, training)
        for width in self.widths:
            x = jax.nn.relu(hk.Linear(width)(x))
            self.made.append(x)
            self.depth += 1
        if training:
            x = hk.dropout(hk.next_rng_key(), 0.1, x)
        self.penalty = sum(jnp.mean(jnp.abs(layer)) for layer in self.made) / self.depth
        return hk.Linear(1)(x)[:, 0]


def forward(x, training=True):
    """Prediction and the activity penalty."""
    model = Forecaster((8, 4))
    return model(x, training), model.penalty


network = hk.transform_with_state(forward)
schedule = optax.exponential_decay(1e-2, 10, 0.9)
tx = optax.adam(schedule)


def loss_fn(params, state, rng, x, y):
    (prediction, penalty), state = network.apply(params, state, rng, x)
    return jnp.mean((prediction - y) ** 2) + 1e-3 * penalty, state


@jax.jit
def update(params, state, opt_state, rng, x, y):
    """One step; everything that changes is returned."""
    grads, state = jax.grad(loss_fn, has_aux=True)(params, state, rng, x, y)
    updates, opt_state = tx.update(grads, opt_state)
    return optax.apply_updates(params, updates), state, opt_state


def hours(seed, count):
    """Synthetic days."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        x = rng.normal(size=(6, 5)).astype("float32")
        x[:, 0] = 1.0
        yield x, x @ np.arange(5, dtype="float32")


def fit(seed=0, count=4):
    """Train; times and errors are kept by the host."""
    keys = hk.PRNGSequence(seed)
    sample, _ = next(hours(seed, 1))
    params, state = network.init(next(keys), sample)
    opt_state = tx.init(params)
    stamps, errors = [], []
    for x, y in hours(seed, count):
        params, state, opt_state = update(params, state, opt_state, next(keys), x, y)
        stamps.append(time.time())
        predict = jax.jit(network.apply, static_argnames="training")
        (prediction, _), _ = predict(params, state, None, x, training=False)
        errors.append(float(jnp.mean((prediction - y) ** 2)))
    return params, state, errors, stamps
