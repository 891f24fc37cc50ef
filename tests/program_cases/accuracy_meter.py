import jax.numpy as jnp
import evaluate
import metrics
import scores


def counts():
    c = metrics.empty(4)
    return metrics.update(c, jnp.eye(8, 4), jnp.arange(8) % 4, k=2)


HOSTILE = {
    "empty": lambda: scores.accuracy(counts()),
    "worst": lambda: scores.worst_recall(counts().confusion),
    "seen": lambda: scores.seen_recall(counts().confusion),
    "outer": lambda: scores.kappa(counts().confusion),
}
EXPECT = {
    "empty": ("TracerBoolConversionError",),
    "worst": ("TracerBoolConversionError",),
    "seen": ("NonConcreteBooleanIndexError",),
    "outer": ("TracerArrayConversionError",),
}
INNOCENT = [
    counts,
    lambda: metrics.update(metrics.empty(4), jnp.eye(8, 4), jnp.arange(8) % 4, jnp.ones(8)),
    lambda: scores.balanced_accuracy(counts()),
    lambda: evaluate.report(counts()),
]
