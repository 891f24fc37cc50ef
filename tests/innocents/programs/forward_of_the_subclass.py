"""Looks like a fault of JIT305.

The base class compiles the method of the subclass, and the subclass named in the config has the parameter.
"""
import jax
import jax.numpy as jnp


class Model:
    registry = {}
    static = ()

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        Model.registry[cls.__name__.lower()] = cls

    def __init__(self, rate=0.5):
        self.rate = rate

    def forward(self, weights, x):
        raise NotImplementedError

    def compiled(self):
        return jax.jit(self.forward, static_argnames=("train", "heads"))


class Classifier(Model):
    def forward(self, weights, x, train=False, heads=1):
        hidden = jnp.tanh(x @ weights)
        if train:
            hidden = hidden * (1.0 - self.rate)
        return jnp.concatenate([hidden] * heads, axis=-1)


def build(config):
    return Model.registry[config["model"]](**config["options"])


if __name__ == "__main__":
    forward = build({"model": "classifier", "options": {"rate": 0.25}}).compiled()
    weights = jnp.eye(2) * 100.0
    assert forward(weights, jnp.ones((3, 2)), train=True)[0].tolist() == [0.75, 0.75]
    assert forward(weights, jnp.ones((3, 2)), heads=2).shape == (3, 4)
    forward(weights, jnp.zeros((3, 2)), train=True)
    assert forward._cache_size() == 2
