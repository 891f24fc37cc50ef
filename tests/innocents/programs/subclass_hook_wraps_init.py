"""Innocent, though it looks like JIT106.

What makes it right: __init_subclass__.
"""

import jax
import jax.numpy as jnp
import numpy as np


class Component:
    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        init = cls.__init__

        def initialise(self, *args):
            init(self, *args)
            for name, value in self.__dict__.items():
                if isinstance(value, np.ndarray):
                    self.__dict__[name] = jnp.asarray(value)

        cls.__init__ = initialise


class Filterbank(Component):
    def __init__(self, n):
        self.centres = np.geomspace(20, 20_000, n)


bank = Filterbank(8)


@jax.jit
def centre(i):
    return bank.centres[i]


print(centre(jnp.int32(2)))
