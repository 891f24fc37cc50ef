"""Integration loops."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax

from .control import Controller, accept, accept_where, error_norm, propose, propose_clipped
from .tableau import TABLEAUS, combine, stages


def one_step(field, tableau, t, y, h, controller):
    slopes = stages(field, tableau, t, y, h)
    new = combine(y, h, tableau.weights, slopes)
    if not tableau.adaptive:
        return new, None
    return new, error_norm(new - combine(y, h, tableau.embedded, slopes), y, controller)


@partial(jax.jit, static_argnames=("field", "method", "steps", "clip", "strict"))
def solve(field, y0, t0, t1, *, method="heun", steps=10, clip=True, strict=False):
    tableau, controller = TABLEAUS[method], Controller()
    choose = accept if strict else accept_where
    adjust = propose_clipped if clip else propose

    def body(carry, _):
        t, y, h = carry
        new, norm = one_step(field, tableau, t, y, h, controller)
        if norm is None:
            return (t + h, new, h), new
        y = choose(norm, y, new)
        return (t + h, y, adjust(norm, h, 2)), y

    return lax.scan(body, (t0, y0, (t1 - t0) / steps), None, length=steps)


@partial(jax.jit, static_argnames=("field",))
def solve_dense(field, y, t1, points):
    """The solution on an even grid of times."""
    times = jnp.linspace(0.0, t1, points)  # expect: JIT108 @grid
    step = partial(one_step, field, TABLEAUS["midpoint"], controller=None)
    return lax.scan(lambda c, t: (step(t, c, times[1])[0], c), y, times)[1]


@partial(jax.jit, static_argnums=0)
def solve_until(field, y, t, t1, h):
    while t < t1:  # expect: JIT102 @until
        y, _ = one_step(field, TABLEAUS["midpoint"], t, y, h, None)
        t = t + h
    return y
