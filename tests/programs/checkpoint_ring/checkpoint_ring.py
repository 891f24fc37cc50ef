"""Keep the last few checkpoints and the best one."""

import collections
import datetime
import os
import pathlib
import tempfile
import uuid

import jax
import jax.numpy as jnp
import numpy as np

KEEP = int(os.environ.get("KEEP_CHECKPOINTS", "2"))


class Ring:
    """The newest checkpoints on disk.

    Args:
      folder: where they are written.
      keep: how many stay.
    """

    def __init__(self, folder, keep=KEEP):
        self.folder = pathlib.Path(folder)
        self.paths = collections.deque()
        self.keep = keep
        self.saved = 0

    def save(self, params, step):
        stamp = datetime.datetime.now().strftime("%H%M%S")
        path = self.folder / f"{step:04d}-{stamp}-{uuid.uuid4().hex[:4]}.npz"
        np.savez(path, **{name: np.asarray(value) for name, value in params.items()})
        self.paths.append(path)
        self.saved += 1
        while len(self.paths) > self.keep:
            self.paths.popleft().unlink()
        return path

    def restore(self):
        with np.load(self.paths[-1]) as arrays:
            return {name: jnp.asarray(arrays[name]) for name in arrays.files}


def best_keeper():
    """Two functions: one to offer parameters with a loss, one that gives the best."""
    best = None
    offers = 0

    def offer(params, loss):
        nonlocal best, offers
        offers += 1
        if best is None or loss < best[1]:
            best = (jax.tree.map(np.asarray, params), loss)

    def get():
        return best, offers

    return offer, get


def loss_fn(params, xs):
    return jnp.mean((jnp.polyval(params["poly"], xs) - jnp.cos(xs)) ** 2) + params["shift"] ** 2


@jax.jit
def step(params, xs):
    loss, grads = jax.value_and_grad(loss_fn)(params, xs)
    updated = {}
    for name in params:
        updated[name] = params[name] - 0.01 * grads[name]
    if "frozen" in updated:
        del updated["frozen"]
    return updated, loss


def fit(folder, steps=6):
    ring = Ring(folder)
    offer, best = best_keeper()
    params = {"poly": jnp.array([0.1, 0.0, 0.5]), "shift": jnp.array(0.3)}
    xs = jnp.linspace(-1.0, 1.0, 9)
    for i in range(steps):
        params, loss = step(params, xs)
        offer(params, float(loss))
        if i % 2 == 0:
            ring.save(params, i)
    return ring, best(), params


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        ring, (best, offers), params = fit(folder)
        print(ring.saved, offers, best[1], ring.restore())
