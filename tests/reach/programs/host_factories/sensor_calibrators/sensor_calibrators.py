"""Calibrators for sensors: made by helpers, compiled where they are needed."""

import functools
import time

import jax
import jax.numpy as jnp


def polynomial(degree):
    def evaluate(coefficients, x):
        return sum(coefficients[k] * x**k for k in range(degree + 1))

    return evaluate


def compiled_residual(model):
    """Compile what a model leaves over."""

    def residual(coefficients, x, y):
        return jnp.mean((model(coefficients, x) - y) ** 2)

    return jax.jit(residual)  # expect: JIT301 @residual


def scan_degrees(x, y, degrees):
    """One and the same model is compiled again for each try."""
    model = polynomial(2)
    losses = []
    for _ in degrees:
        losses.append(float(compiled_residual(model)(jnp.ones(3), x, y)))
    return losses


def make_calibrator(kind, names=("gain", "offset")):
    """A compiled calibrator, whose settings are static."""

    def calibrate(x, settings, names):
        values = [float(settings[name]) for name in names]  # expect: JIT105 @settings
        return x * values[0] + values[1]

    def table(x, knots):
        return jnp.interp(x, jnp.arange(len(knots) * 1.0), jnp.array(knots))

    def stamped(x):
        return x, time.time()  # expect: JIT207 @stamp

    kinds = {
        "linear": functools.partial(jax.jit, static_argnames=("names",))(calibrate),
        "table": jax.jit(table, static_argnums=1),
        "stamped": jax.jit(stamped),
    }
    return kinds[kind]


def read_all(x, knots):
    """Knots come as a list from a file."""
    calibrate = make_calibrator("table")
    return calibrate(x, [float(knot) for knot in knots])  # expect: JIT304 @knots


def main():
    x = jnp.arange(3.0)
    print(scan_degrees(x, x, (1, 2)))
    print(make_calibrator("linear")(x, {"gain": 2.0, "offset": 1.0}, ("gain", "offset")))
    print(make_calibrator("stamped")(x), read_all(x, (0, 1)))


if __name__ == "__main__":
    main()
