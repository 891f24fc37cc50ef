import jax.numpy as jnp
import metrics as m


def counts():
    c = m.empty(4)
    return m.update(c, jnp.eye(8, 4), jnp.arange(8) % 4, k=2)


HOSTILE = {
    "empty": lambda: m.accuracy(counts()),
    "worst": lambda: m.worst_recall(counts().confusion),
    "seen": lambda: m.seen_recall(counts().confusion),
    "outer": lambda: m.kappa(counts().confusion),
}
EXPECT = {
    "empty": ("TracerBoolConversionError",),
    "worst": ("TracerBoolConversionError",),
    "seen": ("NonConcreteBooleanIndexError",),
    "outer": ("TracerArrayConversionError",),
}
INNOCENT = [
    counts,
    lambda: m.update(m.empty(4), jnp.eye(8, 4), jnp.arange(8) % 4, jnp.ones(8)),
    lambda: m.balanced_accuracy(counts()),
    lambda: m.report(counts()),
]
