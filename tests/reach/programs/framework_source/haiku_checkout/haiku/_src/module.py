"""Modules."""

import jax.numpy as jnp

from haiku._src import base


class ModuleMeta(type):
    """Gives each module a name."""

    def __call__(cls, *args, **kwargs):
        module = cls.__new__(cls)
        module.module_name = kwargs.pop("name", None) or cls.__name__.lower()
        module.__init__(*args, **kwargs)
        base.current_frame()
        return module


class Module(metaclass=ModuleMeta):
    def __init__(self, name=None):
        pass


class Linear(Module):
    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def __call__(self, x):
        shape = (x.shape[-1], self.output_size)
        w = base.get_parameter(f"{self.module_name}/w", shape, jnp.ones)
        return x @ w
