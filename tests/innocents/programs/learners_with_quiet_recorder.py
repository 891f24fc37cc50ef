"""Looks like a fault of JIT113.

The recorder whose exception handler would swallow a tracer's error stands behind a mixin in the compiled learner's method resolution order, and only the host learner reaches it.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Recorder:
    def record(self, name, value):
        try:
            self.history.setdefault(name, []).append(float(value))
        except Exception:
            pass


class Learner(Recorder):
    def __init__(self, rate):
        self.rate = rate
        self.history = {}

    def update(self, weights, features, target):
        error = target - features @ weights
        self.record("error", error)
        return weights + self.rate * error * features


class Quiet:
    def record(self, name, value):
        return None


class HostLearner(Learner):
    pass


class CompiledLearner(Quiet, Learner):
    def __init__(self, rate):
        super().__init__(rate)
        self.update = jax.jit(self.update)


def run(learner, weights, stream):
    for features, target in stream:
        weights = learner.update(weights, features, target)
    return weights


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    truth = np.array([1.0, -2.0, 0.5], dtype=np.float32)
    inputs = rng.normal(size=(60, 3)).astype(np.float32)
    stream = [(x, x @ truth) for x in inputs]
    host, compiled = HostLearner(0.1), CompiledLearner(0.1)
    slow = run(host, np.zeros(3, np.float32), stream)
    fast = run(compiled, jnp.zeros(3), stream)
    assert len(host.history["error"]) == 60
    assert all(type(e) is float for e in host.history["error"])
    assert compiled.history == {}
    assert np.allclose(slow, fast, atol=1e-4)
    assert compiled.update._cache_size() <= 2
