"""Spam or not: hashed words, a linear model, and a report at the end."""

import logging
import os
import re
import zlib
from collections import Counter, defaultdict

import jax
import jax.numpy as jnp
import numpy as np

logging.basicConfig(level=os.environ.get("SPAM_LOG", "WARNING"))
logger = logging.getLogger("spam")
BUCKETS = int(os.getenv("SPAM_BUCKETS", "64"))
word_counts = Counter()


def features(message):
    row = np.zeros(BUCKETS, np.float32)
    for word in re.findall(r"[a-z']+", message.lower()):
        word_counts[word] += 1
        row[zlib.crc32(word.encode()) % BUCKETS] += 1.0
    return row


def collect(metrics, name, value, weight=1.0):
    """Enter a weighted metric into a dictionary that belongs to the caller."""
    metrics[name].append(weight * value)


def objective(params, batch):
    metrics = defaultdict(list)
    scores = batch["words"] @ params["w"] + params["b"]
    collect(metrics, "loss", jnp.mean(jnp.logaddexp(0.0, scores) - batch["spam"] * scores))
    collect(metrics, "loss", jnp.sum(params["w"] ** 2), weight=1e-3)
    collect(metrics, "accuracy", jnp.mean((scores > 0) == (batch["spam"] > 0.5)))
    loss = sum(metrics.pop("loss"))
    return loss, {name: values[0] for name, values in metrics.items()}


@jax.jit
def train_step(params, batch):
    (loss, metrics), gradient = jax.value_and_grad(objective, has_aux=True)(params, batch)
    metrics["loss"] = loss
    params = {name: value - 0.5 * gradient[name] for name, value in params.items()}
    return params, metrics


class History:
    """The metrics of a run, on the host."""

    def __init__(self):
        self.rows = []
        self.best = None

    def add(self, metrics):
        row = {name: float(value) for name, value in metrics.items()}
        self.rows.append(row)
        if self.best is None or row["loss"] < self.best["loss"]:
            self.best = row
        logger.info("step %d: %s", len(self.rows), row)


def train(messages, labels, steps=6):
    batch = {"words": np.stack([features(m) for m in messages]), "spam": np.float32(labels)}
    params = {"w": jnp.zeros(BUCKETS), "b": jnp.zeros(())}
    history = History()
    for _ in range(steps):
        params, metrics = train_step(params, batch)
        history.add(metrics)
    return params, history


predict = jax.jit(lambda params, words: jax.nn.sigmoid(words @ params["w"] + params["b"]))


def judge(params, messages, report_path=None):
    lines = []
    for message in messages:
        share = float(predict(params, features(message)))
        lines.append(f"{share:.2f}\t{message}")
    if report_path is not None:
        with open(report_path, "w") as report:
            report.write("\n".join(lines))
    return lines
