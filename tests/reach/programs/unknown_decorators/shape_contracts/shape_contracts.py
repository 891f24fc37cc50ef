"""Contracts on shapes: what a decorator asks is known while tracing."""

import functools
import inspect
import warnings

import chex
import jax
import jax.numpy as jnp


def shaped(**dimensions):
    """Check the shapes of arguments, also in a trace."""

    def decorate(function):
        parameters = inspect.signature(function)

        @functools.wraps(function)
        def checked(*args, **kwargs):
            sizes = {}
            for name, value in parameters.bind(*args, **kwargs).arguments.items():
                letters = dimensions.get(name, "")
                if letters and len(letters) != value.ndim:
                    raise TypeError(f"{name} should have dimensions {letters}")
                for letter, size in zip(letters, value.shape if letters else ()):
                    if sizes.setdefault(letter, size) != size:
                        raise TypeError(f"{letter} is {sizes[letter]} and {size}")
            return function(*args, **kwargs)

        return checked

    return decorate


def deprecated(reason):
    def decorate(function):
        @functools.wraps(function)
        def warned(*args, **kwargs):
            if not warned.done:
                warned.done = True
                warnings.warn(reason, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        warned.done = False
        return warned

    return decorate


@jax.jit
@shaped(a="mk", b="kn")
def product(a, b):
    return a @ b


@jax.jit
@chex.chexify
def identity(x):
    return x


@shaped(x="n")
@jax.named_scope("softmax")
def softmax(x, axis=0, where=None):
    top = x.max(axis) if where is None else jnp.where(where, x, -jnp.inf).max(axis)
    shifted = jnp.exp(x - top)
    return shifted / shifted.sum(axis)


@deprecated("use softmax")
def old_softmax(x):
    return fast_softmax(x)


fast_softmax = jax.jit(softmax, static_argnames="axis")


def main():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        print(product(jnp.ones((2, 3)), jnp.ones((3, 2))), old_softmax(jnp.arange(3.0)))
    try:
        product(jnp.ones((2, 3)), jnp.ones((2, 3)))
    except TypeError as error:
        print(error)


if __name__ == "__main__":
    main()
