"""Functions that refuse Python numbers of the wrong kind, loudly."""

import numbers

import jax
import jax.numpy as jnp


@jax.jit
def power(x, exponent):
    """The exponent is an array; a static one belongs elsewhere."""
    if isinstance(exponent, str):
        message = "an exponent is a number"
        raise TypeError(message)
    return x**exponent


@jax.jit
def shift(x, by):
    if not hasattr(by, "dtype"):
        kind = type(by).__name__
        raise TypeError(f"cannot shift by {kind}")
    return x + by


@jax.jit
def repeated(x, times):
    """Tells those who forget that arguments of compiled functions are arrays."""
    if not isinstance(times, int):
        message = "times must be a Python int"
        message += "; compile with static_argnames"
        raise TypeError(message)
    return jnp.tile(x, times)


def refuses(function, *arguments):
    try:
        function(*arguments)
    except TypeError as error:
        return str(error)
    raise AssertionError("was not refused")


def as_number(value):
    """Host only."""
    if isinstance(value, numbers.Real):
        return float(value)
    return float(value.item())


def main():
    x = jnp.arange(3.0)
    print(power(x, 2.0), shift(x, 1), refuses(repeated, x, 2), as_number(jnp.float32(2.0)))
    print(jax.jit(repeated.__wrapped__, static_argnames="times")(x, times=2))


if __name__ == "__main__":
    main()
