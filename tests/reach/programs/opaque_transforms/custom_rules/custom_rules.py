"""Rules for derivatives that branch on what is static, or run without a trace."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


@functools.partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def power(x, exponent, clip):
    return x**exponent


def power_forward(x, exponent, clip):
    return x**exponent, x


def power_backward(exponent, clip, x, cotangent):
    """Exponent and clip are Python numbers."""
    if exponent == 0:
        return (jnp.zeros_like(x),)
    gradient = exponent * x ** (exponent - 1) * cotangent
    if clip is not None and clip > 0:
        gradient = jnp.clip(gradient, -clip, clip)
    return (gradient,)


power.defvjp(power_forward, power_backward)


@functools.partial(jax.custom_jvp, nondiff_argnums=(0,))
def rooted(steps, x):
    y = x
    for _ in range(steps):
        y = 0.5 * (y + x / y)
    return y


@rooted.defjvp
def rooted_jvp(steps, primals, tangents):
    (x,), (dx,) = primals, tangents
    y = rooted(steps, x)
    if steps < 1:
        return y, dx
    return y, dx / (2.0 * y)


@jax.custom_jvp
def guarded_log(x):
    return jnp.log(x)


@guarded_log.defjvp
def guarded_log_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    safe = jnp.where(x > 1e-6, x, 1e-6)
    return guarded_log(x), dx / safe


@functools.partial(jax.jit, static_argnames=("exponent", "steps"))
def total(x, exponent=2, steps=3):
    values = power(x, exponent, 1.0) + rooted(steps, x) + guarded_log(x)
    return values.sum()


def check(x, epsilon=1e-3):
    """Compares with differences, on the host."""
    exact = np.asarray(jax.grad(lambda x: rooted(8, x).sum())(x))
    rough = (rooted(8, x + epsilon) - rooted(8, x - epsilon)) / (2 * epsilon)
    worst = float(np.abs(exact - rough).max())
    if worst > 1e-2:
        raise AssertionError(f"off by {worst:.1e}")
    return worst


if __name__ == "__main__":
    x = jnp.array([1.0, 2.0])
    print(jax.grad(total)(x), total(x, exponent=0), check(x))
