"""Looks like a fault of JIT206.

`open_tracker` returns a tracker whose public methods are all deferred to the run of the program.
"""
import json
import pathlib
import tempfile

import jax
import jax.numpy as jnp


class FileTracker:
    def __init__(self, path):
        self.path = pathlib.Path(path)

    def log(self, metrics):
        with self.path.open("a") as out:
            out.write(json.dumps({k: float(v) for k, v in metrics.items()}) + "\n")

    def flush(self):
        jax.effects_barrier()


def open_tracker(path, deferred=("log",)):
    tracker = FileTracker(path)
    for name in deferred:
        method = getattr(tracker, name)
        setattr(tracker, name, lambda *a, method=method: jax.debug.callback(method, *a, ordered=True))
    return tracker


tracker = open_tracker(tempfile.mkdtemp() + "/run.jsonl")


@jax.jit
def step(weight, x):
    loss, slope = jax.value_and_grad(lambda w: jnp.mean((w * x - 1.0) ** 2))(weight)
    tracker.log({"loss": loss, "slope": slope})
    return weight - 0.25 * slope


if __name__ == "__main__":
    weight = jnp.float32(0.0)
    for _ in range(4):
        weight = step(weight, jnp.ones(3))
    tracker.flush()
    losses = [json.loads(line)["loss"] for line in tracker.path.read_text().splitlines()]
    assert len(losses) == 4 and losses == sorted(losses, reverse=True) and losses[0] == 1.0
