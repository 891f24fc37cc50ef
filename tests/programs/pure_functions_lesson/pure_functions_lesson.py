"""A lesson about pure functions, worked through with students."""

import jax
import jax.numpy as jnp

shopping_total = 0.0
readings = []


def eager_log(x):
    """Not traced by anybody: it may print and append as it likes."""
    print("now at", x)
    readings.append(x)
    return jnp.log1p(x)


def add_to_total(price):
    global shopping_total
    shopping_total += price
    return shopping_total


@jax.jit
def cumulated(x):
    steps = []
    total = jnp.zeros_like(x[0])
    for row in range(x.shape[0]):
        total = total + x[row]
        steps.append(total)
    return jnp.stack(steps)


def record(into, name, value):
    into[name] = value
    return into


@jax.jit
def summary(x):
    result = record({}, "mean", x.mean())
    record(result, "peak", x.max())
    result |= {"spread": result["peak"] - x.min()}
    return result


def slope_with_talk(x):
    """A derivative that tells what it sees, on each call."""

    def curve(t):
        print("asked for the slope")
        eager_notes.append("slope")
        return jnp.sin(t) * t

    eager_notes = []
    value = jax.grad(curve)(x)
    return value, len(eager_notes)


@jax.jit
def with_tracer_talk(x):
    jax.debug.print("running with {}", x)
    jax.debug.callback(lambda value: readings.append(float(value)), x)
    return x * 2.0


def lesson():
    print(jax.make_jaxpr(cumulated)(jnp.ones((2, 2))))
    print(jax.make_jaxpr(summary)(jnp.ones(3)))
    for x in (1.0, 2.0):
        eager_log(x)
        add_to_total(x)
    double = jax.jit(lambda v: v + v)
    value = jnp.float32(1.0)
    while value < 100.0:
        value = double(value)
    doubled = [double(v) for v in readings]
    return shopping_total, doubled


FORMULAS = {"square": lambda v: v * v, "cube": lambda v: v * v * v}


def table(v):
    """Each formula is one object for good, so that compiling it once is enough."""
    return {name: jax.jit(formula)(v) for name, formula in FORMULAS.items()}
