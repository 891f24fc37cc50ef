"""Logistic regression with a log file and a progress line."""

import csv
import io
import logging
import sys
import time

import jax
import jax.numpy as jnp
import numpy as np

logger = logging.getLogger(__name__)
history = []
epochs_done = 0


class Progress:
    """A line that is overwritten after every epoch."""

    def __init__(self, total, stream=sys.stderr):
        self.total = total
        self.done = 0
        self.stream = stream

    def advance(self, note=""):
        self.done += 1
        self.stream.write(f"\r{self.done}/{self.total} {note}")


@jax.jit
def step(weights, xs, ys, rate):
    """One step; the metrics come back as a dictionary."""

    def loss_fn(w):
        logits = xs @ w
        parts = {"nll": jnp.mean(jnp.logaddexp(0.0, -ys * logits))}
        parts["ridge"] = 1e-3 * jnp.sum(w**2)
        return sum(parts.values()), parts

    (loss, parts), grad = jax.value_and_grad(loss_fn, has_aux=True)(weights)
    metrics = {"loss": loss}
    metrics.update(parts)
    metrics["slope"] = jnp.abs(grad).max()
    jax.debug.print("slope {s:.3f}", s=metrics["slope"], ordered=True)
    return weights - rate * grad, metrics


def record(row, writer):
    """Write a row of floats and keep it."""
    row = {name: float(value) for name, value in row.items()}
    history.append(row)
    writer.writerow(row)
    logger.info("loss %.4f, slope %.4f", row["loss"], row["slope"])
    if row["loss"] > 10:
        logger.warning("the loss explodes: %s", row["loss"])
    return row


def train(xs, ys, epochs, out, stream=sys.stderr):
    global epochs_done
    writer = csv.DictWriter(out, ["loss", "nll", "ridge", "slope", "time"])
    writer.writeheader()
    progress = Progress(epochs, stream)
    weights = jnp.zeros(xs.shape[1])
    for _ in range(epochs):
        start = time.time()
        weights, metrics = step(weights, xs, ys, 0.5)
        row = record({**metrics, "time": time.time() - start}, writer)  # expect: JIT401 @epoch
        progress.advance(f"loss {row['loss']:.3f}")
        epochs_done += 1
    return weights


def main():
    rng = np.random.default_rng(0)
    xs = rng.normal(size=(20, 3)).astype(np.float32)
    out = io.StringIO()
    weights = train(xs, np.sign(xs[:, 0]), 5, out)
    print(out.getvalue(), weights, epochs_done)


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    main()
