"""Fit a line."""

import argparse

import jax.numpy as jnp

from factories import make_eval, make_step


def data():
    x = jnp.linspace(-1.0, 1.0, 4)[:, None]
    return x, 2.0 * x[:, 0] + 1.0


def fit(steps=3, **options):
    params = {"w": jnp.zeros(1), "b": jnp.zeros(())}
    step = make_step(0.1, **options)
    for _ in range(steps):
        params, loss = step(params, data())
    return params, float(loss)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--clip", type=float)
    parser.add_argument("--skip-above", type=float)
    arguments = parser.parse_args()
    params, loss = fit(clip=arguments.clip, skip_above=arguments.skip_above)
    print(params, loss, make_eval()(params, data()))


if __name__ == "__main__":
    main()
