"""Fit a small perceptron with different chains."""

from functools import partial

import jax
import jax.numpy as jnp
import optax

import transforms

NORMS = []


@partial(jax.jit, static_argnames=("widths",))
def init_params(key, widths):
    """Weights for the given widths."""
    params = []
    for key, rows, columns in zip(jax.random.split(key, len(widths)), widths, widths[1:]):
        params.append({"w": jax.random.normal(key, (rows, columns)), "b": jnp.zeros(columns)})
    return params


def predict(params, x):
    for layer in params[:-1]:
        x = jnp.tanh(x @ layer["w"] + layer["b"])
    return x @ params[-1]["w"] + params[-1]["b"]


def loss_fn(params, x, y):
    return jnp.mean((predict(params, x) - y) ** 2)


recorder = transforms.record_norms(NORMS)
sgd = optax.chain(optax.clip_by_global_norm(1.0), optax.trace(0.9), optax.sgd(0.05))


@jax.jit
def recorded_step(params, state, x, y):
    """Momentum, with a look at the raw gradients."""
    grads = jax.grad(loss_fn)(params, x, y)
    grads, _ = recorder.update(grads, optax.EmptyState())
    updates, state = sgd.update(grads, state, params)
    return optax.apply_updates(params, updates), state


def make_step(tx):
    """A compiled step for a chain; made once for each chain."""

    @jax.jit
    def step(params, state, x, y):
        value, grads = jax.value_and_grad(loss_fn)(params, x, y)
        updates, state = tx.update(grads, state, params, value=value)
        return optax.apply_updates(params, updates), state

    return step


def warm_start(params, x, y, steps=4):
    """A few steps with warm-up, and what each moved."""
    ramp = transforms.warmup(steps)

    @jax.jit
    def step(params, state):
        updates, state = ramp.update(jax.grad(loss_fn)(params, x, y), state)
        return jax.tree.map(lambda p, u: p - 0.1 * u, params, updates), state

    state = ramp.init(params)
    for _ in range(steps):
        params, state = step(params, state)
    return params


def shielded_step(params, x, y):
    """One step that leaves the first rows alone."""
    shield = transforms.freeze_first_row()
    return jax.jit(shield.update)(jax.grad(loss_fn)(params, x, y), shield.init(params))


def fit_plateau(key, x, y, steps=5):
    """Train until the plateau rule has shrunk the steps."""
    params = init_params(key, (x.shape[1], 8, y.shape[1]))
    tx = optax.chain(transforms.plateau(2), optax.scale(-0.1))
    step, state = make_step(tx), tx.init(params)
    norms = []
    for _ in range(steps):
        params, state = step(params, state, x, y)
        norms.append(float(optax.global_norm(params)))
    return params, norms


def fit_recorded(key, x, y):
    """Train with momentum and return the recorded norms."""
    widths = [x.shape[1], 8, y.shape[1]]
    params = init_params(key, widths)  # expect: JIT304 @widths
    state = sgd.init(params)
    for _ in range(3):
        params, state = recorded_step(params, state, x, y)
    return NORMS
