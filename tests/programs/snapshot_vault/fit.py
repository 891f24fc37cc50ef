"""Fit a line and keep snapshots."""

import tempfile

import jax
import jax.numpy as jnp

from vault import Store, keep_best, run_label, sizes
from vault.names import noise_scale, salt


def squared(params, batch):
    xs, ys = batch
    return jnp.mean((xs * params["slope"] + params["offset"] - ys) ** 2)


def make_step(store, loss):
    """A compiled step that stamps what it works on."""

    @jax.jit
    def step(params, batch, key):
        grads = jax.grad(loss)(store.stamp("step", params), batch)
        noise = noise_scale() * jax.random.normal(jax.random.fold_in(key, salt()), ())
        return jax.tree.map(lambda p, g: p - 0.1 * (g + noise), params, grads)

    return step


@jax.jit
def normalised(params):
    """Parameters by their share of all elements."""
    counts = sizes(params)
    total = sum(counts.values())
    return {name: leaf * counts[f"['{name}']"] / total for name, leaf in params.items()}


def run(folder, loss=squared, steps=4):
    store = Store(folder)
    step = make_step(store, loss)
    params = {"slope": jnp.zeros(()), "offset": jnp.zeros(())}
    batch = (jnp.arange(5.0), 2 * jnp.arange(5.0) + 1)
    label = run_label()
    for i in range(steps):
        params = step(params, batch, jax.random.key(i))
        if i % 2:
            store.save(f"{label}-{i}", params)
    return store, params


def run_keeping(folder):
    """The same, with the best parameters kept aside."""
    loss = keep_best(squared)
    _, params = run(folder, loss)
    return loss.best(), params


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        store, params = run(folder)
        print(store.names, params, normalised(params))
        print(run_keeping(folder)[1])
