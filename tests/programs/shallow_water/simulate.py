"""Run a dam break and look at its wetting front."""

import jax
import jax.numpy as jnp
from swe import Integrator, Water, mound


@jax.jit
def wet_cells(water: Water, depth):
    return jnp.where(water.height > depth)[0]  # expect: JIT109 @wet


@jax.jit
def wet_fraction(water: Water, depth):
    return jnp.where(water.height > depth, 1.0, 0.0).mean()


def main():
    water = mound(16)
    print(float(Integrator().run(water, 4).height.max()))
    print(Integrator("none").drive(water, 0.05).cells, float(wet_fraction(water, 1.01)))
    print(Integrator("superbee").advance(water, 0.001))
    print(Integrator().run_adaptive(water), Integrator(rebalance="shift").conserve(water, 16.0))
    print(Integrator().conserve(water, 16.0), wet_cells(water, 1.01))


if __name__ == "__main__":
    main()
