"""Run the test on a toy problem."""

import jax.numpy as jnp

from curves import smooth, smooth_checked
from finder import RangeTest


def main():
    test = RangeTest()
    weights, sample = jnp.zeros(3), jnp.ones(3)
    curve = test.on_host(weights, sample)
    print(f"{curve.steepest():.4f}", smooth(jnp.asarray(curve.losses), 0.9))
    print(test.on_device(weights, sample))
    print(smooth_checked(jnp.asarray(curve.losses), 0.9))
    for run in (test.on_device_log, test.on_device_strict, test.on_device_list):
        print(run(weights, sample))


if __name__ == "__main__":
    main()
