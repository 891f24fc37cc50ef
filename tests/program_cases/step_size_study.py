import jax
import jax.numpy as jnp
import step_size_study as p

from tools.observation import compilations

POINTS, LABELS = p.blobs(jax.random.key(1), 8)


def at_least(count, call):
    def observed():
        call()
        return compilations(call) >= count

    return observed


def cached():
    call = lambda: p.cached_losses(POINTS, LABELS, (0.1, 0.2))
    call()
    assert compilations(call) == 0


CLASSIFIER = p.Classifier(jnp.ones(3))
HOSTILE = {}
EXPECT = {}
SILENT = {
    "rate": at_least(3, lambda: p.final_losses(POINTS, LABELS, (0.1, 0.1, 0.1))),
    "norms": at_least(3, lambda: p.gradient_norms([jnp.ones(3)] * 3, POINTS, LABELS)),
    "vmapped": at_least(3, lambda: p.batched_losses([jnp.ones((2, 3))] * 3, POINTS, LABELS)),
    "trial": at_least(3, lambda: p.momentum_study(POINTS, LABELS)),
    "decide": at_least(2, lambda: [CLASSIFIER.accuracy(POINTS, LABELS) for _ in range(2)]),
    "margin": at_least(2, lambda: [p.margin(jnp.ones(3), POINTS) for _ in range(2)]),
}
INNOCENT = [cached, p.main, lambda: p.summary(jnp.ones(3), POINTS, LABELS)]
