"""The settings are set before anything is traced."""

import argparse

import jax.numpy as jnp

import config
import waves


def simulate(steps):
    height = jnp.exp(-jnp.linspace(-3, 3, 16) ** 2)
    speed = jnp.zeros(16)
    for _ in range(steps):
        height, speed = waves.advance(height, speed)
    return height


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--step", type=float, default=0.2)
    parser.add_argument("--scale", type=float, default=2.0)
    arguments = parser.parse_args(argv)
    config.STEP = arguments.step
    config.SCALE["height"] = arguments.scale
    waves.COURANT = 0.4
    return simulate(5)


if __name__ == "__main__":
    main()
