"""Looks like a fault of JIT311.

Declared hyperparameters call the hook of their owner when they are set, and the hook compiles anew.
"""
import jax
import jax.numpy as jnp


class Hyper:
    def __init__(self, value):
        self.value = value

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner):
        return self if instance is None else vars(instance).get(self.name, self.value)

    def __set__(self, instance, value):
        vars(instance)[self.name] = value
        instance.changed(self.name)


class Trainer:
    rate = Hyper(0.5)
    decay = Hyper(0.0)

    def __init__(self):
        self.changed("all")

    def changed(self, name):
        self.step = jax.jit(lambda weight: self._step(weight))

    def _step(self, weight):
        return weight - self.rate * (weight - 1.0) - self.decay * weight

    def fit(self, weight, plan):
        for rate in plan:
            self.rate = rate
            weight = self.step(weight)
        return float(weight)


if __name__ == "__main__":
    trainer = Trainer()
    assert trainer.fit(jnp.float32(0.0), [0.5, 0.0, 0.5]) == 0.75
    trainer.rate, trainer.decay = 0.5, 1.0
    assert float(trainer.step(jnp.float32(1.0))) == 0.0
    assert trainer.step._cache_size() == 1
