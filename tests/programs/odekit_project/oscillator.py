"""A damped oscillator solved with the library."""

import jax.numpy as jnp
import odekit


def field(t, y):
    return jnp.array([y[1], -y[0] - 0.1 * y[1]])


def run(**options):
    (_, end, h), track = odekit.solve(field, jnp.array([1.0, 0.0]), 0.0, 1.0, **options)
    if float(h) < 0:
        raise RuntimeError("the step went negative")
    return end, track


def main():
    for method in sorted(odekit.TABLEAUS):
        print(method, run(method=method)[0])
    print(run(strict=True)[0], run(clip=False)[0])
    y = jnp.array([1.0, 0.0])
    print(odekit.solve_dense(field, y, 1.0, 5), odekit.solve_until(field, y, 0.0, 1.0, 0.1))


if __name__ == "__main__":
    main()
