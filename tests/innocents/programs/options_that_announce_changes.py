"""Looks like a fault of JIT208.

A change of the options tells the listeners, and the engine among them makes its program anew.
"""
import jax
import jax.numpy as jnp


class Options:
    def __init__(self, **values):
        self.values = values
        self.listeners = []

    def change(self, **values):
        self.values.update(values)
        for listener in self.listeners:
            listener(self)


options = Options(temperature=1.0, top=2)


def sample_weights(logits):
    kept, _ = jax.lax.top_k(logits / options.values["temperature"], options.values["top"])
    return jax.nn.softmax(kept)


class Engine:
    def __init__(self):
        self.refresh(options)
        options.listeners.append(self.refresh)

    def refresh(self, source):
        self.program = jax.jit(lambda logits: sample_weights(logits))

    def __call__(self, logits):
        return self.program(logits)


if __name__ == "__main__":
    engine = Engine()
    logits = jnp.array([2.0, 0.0, 1.0])
    sharp = engine(logits)
    options.change(temperature=100.0)
    assert abs(float(engine(logits)[0]) - 0.5) < 0.01 < abs(float(sharp[0]) - 0.5)
    options.change(top=3)
    assert engine(logits).shape == (3,)
    assert engine.program._cache_size() == 1
