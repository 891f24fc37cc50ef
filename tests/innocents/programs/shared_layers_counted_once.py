"""Looks like a fault of JIT111.

The objects put in the set are pytree nodes whose __hash__ and __eq__ use only their static names.
"""
import jax
import jax.numpy as jnp
import numpy as np


@jax.tree_util.register_pytree_with_keys_class
class Layer:
    def __init__(self, name, weight):
        self.name = name
        self.weight = weight

    def tree_flatten_with_keys(self):
        return [(jax.tree_util.GetAttrKey("weight"), self.weight)], self.name

    @classmethod
    def tree_unflatten(cls, name, children):
        (weight,) = children
        return cls(name, weight)

    def __eq__(self, other):
        return isinstance(other, Layer) and self.name == other.name

    def __hash__(self):
        return hash(self.name)

    def __call__(self, x):
        return jnp.tanh(x @ self.weight)


@jax.jit
def penalised_output(layers, x):
    counted = set()
    norms = {}
    for layer in layers:
        x = layer(x)
        if layer in counted:
            continue
        counted.add(layer)
        norms[layer] = jnp.sum(layer.weight**2)
    return x, sum(norms.values()), {layer.name: norm for layer, norm in norms.items()}


if __name__ == "__main__":
    keys = jax.random.split(jax.random.key(7), 2)
    first = Layer("encoder", jax.random.normal(keys[0], (4, 4)))
    second = Layer("mixer", jax.random.normal(keys[1], (4, 4)))
    x = jnp.ones((3, 4))
    out, penalty, by_name = penalised_output([first, second, first, second], x)
    assert out.shape == (3, 4)
    assert sorted(by_name) == ["encoder", "mixer"]
    expected = float(jnp.sum(first.weight**2) + jnp.sum(second.weight**2))
    np.testing.assert_allclose(penalty, expected, rtol=1e-5)
    penalised_output([first, second, first, second], x + 1.0)
    assert penalised_output._cache_size() == 1
    print("penalty", float(penalty))
