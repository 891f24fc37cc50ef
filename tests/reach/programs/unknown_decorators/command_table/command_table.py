"""Decorators that register, document and bind, around harmless functions."""

import contextlib
import functools
import types

import jax
import jax.numpy as jnp

COMMANDS = {}


def command(name, *, aliases=(), hidden=False):
    """Register under names."""

    def add(function):
        for key in (name, *aliases):
            COMMANDS[key] = function
        if not hidden:
            function.__doc__ = f"{name}: {function.__doc__}"
        return function

    return add


class scoped(contextlib.ContextDecorator):
    """Names in profiles."""

    depth = 0

    def __init__(self, name):
        self.name = name

    def __enter__(self):
        type(self).depth += 1
        return self

    def __exit__(self, *error):
        type(self).depth -= 1


def bound(**values):
    """Fix keywords."""
    return lambda function: functools.wraps(function)(functools.partial(function, **values))


class memoised:
    """Results by name, on the host."""

    def __init__(self, function):
        self.function = function
        self.results = {}

    def __get__(self, instance, owner):
        return types.MethodType(self, instance)

    def __call__(self, instance, name):
        if name not in self.results:
            self.results[name] = self.function(instance, name)
        return self.results[name]


@command("mean", aliases=("average",))
@jax.jit
@jax.named_scope("mean")
def mean(x):
    """The mean."""
    return x.mean()


@command("power")
@functools.partial(jax.jit, static_argnames="exponent")
@bound(scale=2.0)
def power(x, exponent=2, scale=1.0):
    """A power."""
    return scale * x**exponent if exponent > 1 else scale * x


class Session:
    def __init__(self, x):
        self.x = x
        self.asked = []

    @memoised
    def ask(self, name):
        self.asked.append(name)
        value = COMMANDS[name](self.x)
        if value.ndim == 0 and value > 100.0:
            raise OverflowError(name)
        return value

    @scoped("all")
    def everything(self):
        return {name: self.ask(name).tolist() for name in sorted(COMMANDS)}


def main():
    session = Session(jnp.arange(3.0))
    print(session.everything(), session.ask("mean"), session.asked, power(session.x, exponent=1))


if __name__ == "__main__":
    main()
