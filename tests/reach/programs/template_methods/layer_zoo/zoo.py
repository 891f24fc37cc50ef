"""Layers whose calls are compiled in the base class."""

import functools
import logging

import jax
import jax.numpy as jnp
import numpy as np

logger = logging.getLogger("zoo")


class Layer:
    """A layer of plain attributes; ``forward`` is what a subclass is about."""

    def __init__(self, size):
        self.size = size
        self.weights = jnp.ones((size, size))

    def forward(self, x):
        raise NotImplementedError()

    def postprocess(self, y, notes=None):
        return y

    @functools.partial(jax.jit, static_argnums=0)
    def __call__(self, x):
        return self.postprocess(self.forward(x))


class Dense(Layer):
    def forward(self, x):
        return self.weights @ x


class InPlace(Dense):
    """Sets the first output to zero, as in NumPy."""

    def postprocess(self, y, notes=None):
        y[0] = 0.0  # expect: JIT205 @assign
        return y


class Functional(Dense):
    """The same, half understood."""

    def postprocess(self, y, notes=None):
        y.at[0].set(0.0)  # expect: JIT212 @dropped
        return y


class Noting(Dense):
    """Takes notes in a default."""

    def postprocess(self, y, notes=[]):
        notes.append(y.mean())  # expect: JIT211 @notes
        return y


class Logged(Dense):
    def postprocess(self, y, notes=None):
        logger.warning("largest output %s", y.max())  # expect: JIT206 @logged
        return y


class Tolerant(Dense):
    """Falls back when something goes wrong; in a trace it always does."""

    def postprocess(self, y, notes=None):
        try:  # expect: JIT113 @swallowed
            if y.max() > 10.0:
                return y / y.max()
        except Exception:
            return jnp.zeros_like(y)
        return y


class Dropped(Dense):
    """Drops units with NumPy's dice."""

    def forward(self, x):
        keep = np.random.random(self.size) > 0.5  # expect: JIT207 @dropped_units
        return self.weights @ x * keep
