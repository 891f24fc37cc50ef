"""Innocent, though it looks like JIT204.

What makes it right: __setattr__ that keeps elsewhere.
"""

import jax
import jax.numpy as jnp


class Layer:
    def __init__(self):
        object.__setattr__(self, "_frames", [{}])

    def __setattr__(self, name, value):
        self._frames[-1][name] = value

    def __getattr__(self, name):
        for frame in reversed(object.__getattribute__(self, "_frames")):
            if name in frame:
                return frame[name]
        raise AttributeError(name)

    def apply(self, values, x):
        self._frames.append(dict(values))
        try:
            return self.forward(x)
        finally:
            self._frames.pop()


class Affine(Layer):
    def forward(self, x):
        self.hidden = x @ self.w
        return self.hidden + self.b


affine = Affine()
step = jax.jit(affine.apply)
print(step({"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}, jnp.ones(2)))
assert len(affine._frames) == 1 and not affine._frames[0]
