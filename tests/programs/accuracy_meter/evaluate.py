"""Report the metrics of a run."""

import jax
import jax.numpy as jnp
import numpy as np

from metrics import CLASS_NAMES, Counts, empty, update
from scores import accuracy, balanced_accuracy, kappa, ratio, seen_recall, worst_recall


def report(counts: Counts) -> str:
    """Format the metrics on the host."""
    matrix = np.asarray(counts.confusion)
    lines = [f"accuracy {float(ratio(counts.correct, counts.total)):.3f}"]
    for row, name in zip(matrix, CLASS_NAMES):
        support = row.sum()
        if support > 0:
            lines.append(f"{name:>8}: {int(support)}")
    return "\n".join(lines)


def main():
    key = jax.random.key(0)
    counts = empty(len(CLASS_NAMES))
    for _ in range(3):
        key, sub = jax.random.split(key)
        logits = jax.random.normal(sub, (16, 4))
        counts = update(counts, logits, jnp.arange(16) % 4, k=2)
    print(report(counts))
    print(accuracy(counts), balanced_accuracy(counts))
    print(worst_recall(counts.confusion), seen_recall(counts.confusion))
    print(kappa(counts.confusion))


if __name__ == "__main__":
    main()
