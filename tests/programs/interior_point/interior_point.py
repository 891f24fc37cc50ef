"""A barrier method for linear programs, with a log of its centring steps."""

import argparse
import csv
import datetime
import os
import warnings

import jax
import jax.numpy as jnp


def barrier(x, cost, matrix, bound, sharpness):
    slack = bound - matrix @ x
    return sharpness * cost @ x - jnp.log(slack).sum()


def newton_direction(objective):
    """A compiled Newton direction for an objective; built once for each objective."""
    slope, curvature = jax.grad(objective), jax.hessian(objective)

    @jax.jit
    def direction(x, *data):
        return jnp.linalg.solve(curvature(x, *data), -slope(x, *data))

    return direction


direction = newton_direction(barrier)


class Report:
    """Rows of progress, written on request."""

    def __init__(self):
        self.rows = []
        self.started = datetime.datetime.now()

    def add(self, sharpness, x):
        self.rows.append((sharpness, *map(float, x)))

    def save(self, path):
        with open(path, "w", newline="") as stream:
            csv.writer(stream).writerows(self.rows)
        print(f"{len(self.rows)} rows since {self.started:%H:%M}")


def solve(x, cost, matrix, bound, rounds=6):
    report = Report()
    sharpness = 1.0
    while sharpness < 2.0**rounds:
        for _ in range(3):
            step = direction(x, cost, matrix, bound, sharpness)
            size = 1.0
            while bool((matrix @ (x + size * step) >= bound).any()):
                size *= 0.5
            x = x + size * step
        if float(jnp.abs(x).max()) > 1e6:
            warnings.warn(f"unbounded: {x}", stacklevel=2)
        report.add(sharpness, x)
        sharpness *= 2
    return x, report


def box():
    matrix = jnp.concatenate([jnp.eye(2), -jnp.eye(2)])
    return jnp.zeros(2), jnp.array([1.0, 2.0]), matrix, jnp.ones(4)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=os.environ.get("LP_REPORT", os.devnull))
    x, report = solve(*box())
    report.save(parser.parse_args([]).out)
    print(x)


if __name__ == "__main__":
    main()
