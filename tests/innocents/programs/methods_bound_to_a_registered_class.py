"""Looks like a fault of JIT309.

The mixin registers its subclasses as pytrees, with the fields that the class does not call settings.
"""
import jax
import jax.numpy as jnp


class Carried:
    settings = ()

    def __init_subclass__(cls):
        def pull(self):
            names = sorted(set(vars(self)) - set(cls.settings))
            kept = tuple((n, vars(self)[n]) for n in cls.settings)
            return [vars(self)[n] for n in names], (tuple(names), kept)

        def push(aux, values):
            self = cls.__new__(cls)
            for name, value in (*zip(aux[0], values), *aux[1]):
                setattr(self, name, value)
            return self

        jax.tree_util.register_pytree_node(cls, pull, push)


class Kalman(Carried):
    settings = ("clip",)

    def __init__(self, noise, clip=False):
        self.clip = clip
        self.noise = jnp.float32(noise)
        self.mean = jnp.float32(0.0)

    @jax.jit
    def update(self, measured):
        gain = 1.0 / (1.0 + self.noise)
        self.mean = self.mean + gain * (measured - self.mean)
        if self.clip:
            self.mean = jnp.clip(self.mean, -1.0, 1.0)
        return self


if __name__ == "__main__":
    track = Kalman(noise=1.0, clip=True)
    for measured in (1.0, 2.0, 9.0):
        track = track.update(measured)
    assert float(track.mean) == 1.0
    free = Kalman(noise=1.0).update(9.0)
    assert float(free.mean) == 4.5 and Kalman.update._cache_size() == 2
