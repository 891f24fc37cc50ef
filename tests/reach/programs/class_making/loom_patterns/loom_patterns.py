"""Classes from functions, metaclasses and ``__new__``, none of which stores a tracer."""

import functools

import jax
import jax.numpy as jnp


class Meta(type):
    """Collects classes."""

    known = {}

    def __new__(mcs, name, bases, members):
        cls = super().__new__(mcs, name, bases, members)
        mcs.known[name] = cls
        return cls


class Pattern(metaclass=Meta):
    repeats = 1
    mirrored = False

    def __new__(cls, *args):
        self = super().__new__(cls)
        self.woven = []
        return self

    def __init__(self, thread):
        self.thread = thread
        self.compiled = jax.jit(self.weave)

    def row(self, x):
        return x

    def weave(self, x):
        for _ in range(self.repeats):
            x = self.row(x)
        if self.mirrored:
            x = jnp.concatenate([x, x[::-1]])
        return x * self.thread

    def produce(self, x):
        """On the host."""
        out = self.compiled(x)
        self.woven.append(out)
        if out.max() > 100.0:
            raise OverflowError("the loom jams")
        return out


class Twill(Pattern):
    repeats = 2

    def row(self, x):
        return jnp.roll(x, 1)


def mirrored(cls):
    return type(f"Mirrored{cls.__name__}", (cls,), {"mirrored": True})


def striped(width):
    class Striped(Pattern):
        def row(self, x):
            mask = jnp.arange(x.shape[0]) % width == 0
            return jnp.where(mask, x, 0.0)

    return Striped


class Single:
    """One instance."""

    _instance = None

    def __new__(cls):
        if cls._instance is None:
            cls._instance = super().__new__(cls)
            cls._instance.made = 0
        return cls._instance

    @functools.partial(jax.jit, static_argnums=0)
    def scale(self, x):
        return x * (2.0 if self.made < 10 else 1.0)


def main():
    x = jnp.arange(3.0)
    Single().made += 1
    pieces = [Twill(1.0), mirrored(Twill)(2.0), striped(2)(0.5)]
    first, second, third = (piece.produce(x) for piece in pieces)
    print(first, second, Single().scale(third), sorted(Meta.known))


if __name__ == "__main__":
    main()
