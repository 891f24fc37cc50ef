"""Minimisers for any loss."""

import functools
from typing import NamedTuple

import jax
import jax.numpy as jnp


class Result(NamedTuple):
    x: jax.Array
    value: jax.Array
    rounds: int


@functools.partial(jax.jit, static_argnames=("loss", "rounds"))
def gradient_descent(loss, x, rounds=3, rate=0.1):
    """Leaves when nothing gets better."""
    best = jnp.inf
    for done in range(rounds):
        value, gradient = jax.value_and_grad(loss)(x)
        if value >= best:  # expect: JIT101 @better
            return Result(x, best, done)
        best = value
        x = x - rate * gradient
    return Result(x, best, rounds)


@functools.partial(jax.jit, static_argnums=0)
def newton(loss, x):
    """One step of Newton's method."""
    gradient = jax.grad(loss)(x)
    hessian = jax.jacfwd(jax.grad(loss))(x)
    assert jnp.linalg.eigvalsh(hessian).min() > 0  # expect: JIT103 @convex
    return x - jnp.linalg.solve(hessian, gradient)


@functools.partial(jax.jit, static_argnums=(0, 1))
def projected(loss, project, x):
    """A step, and how much of it survives the projection."""
    x = project(x - 0.1 * jax.grad(loss)(x))
    pushed, pull = jax.vjp(project, x)
    (back,) = pull(pushed)
    share = back @ pushed
    return pushed if bool(share) else x  # expect: JIT105 @share


@functools.partial(jax.jit, static_argnums=0)
def directional(loss, x, direction):
    """The slope along a direction, cut at whole numbers."""
    value, slope = jax.jvp(loss, (x,), (direction,))
    return range(int(slope))[-1] + value  # expect: JIT105 @slope


@functools.partial(jax.jit, static_argnames=("body", "steps"))
def iterate(body, x, steps=3):
    """Whatever the body says, and the last change."""
    final, changes = jax.lax.scan(body, x, None, length=steps)
    while changes[-1] > 1e-3:  # expect: JIT102 @changes
        final, change = body(final, None)
        changes = jnp.append(changes[1:], change)
    return final


@functools.partial(jax.jit, static_argnames=("good", "bad"))
def switch(good, bad, x):
    chosen = jax.lax.cond(x.sum() > 0, good, bad, x)
    return {chosen: x}  # expect: JIT111 @chosen


def minimize(loss, x, method=gradient_descent, **options):
    return method(loss, x, **options)
