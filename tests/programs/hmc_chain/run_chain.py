"""Run a chain."""

import jax
import jax.numpy as jnp

from hmc import chain, find_step, one_adaptive, one_unrolled, thin
from targets import bounded_value, log_normal


def main():
    key = jax.random.key(0)
    draws, taken = chain(log_normal, jnp.ones(2), key, 0.3, 5, draws=20)
    rate = float(taken.mean())
    if rate < 0.2:
        print("low acceptance", rate)
    print(f"{rate:.2f}", one_unrolled(jnp.ones(2), key, 0.1)[0])
    step = 0.01
    while step < 1.0 and log_normal(jnp.ones(2) * step) > -0.5:
        step *= 2
    print(step, bounded_value(jnp.ones(2)))
    print(one_adaptive(jnp.ones(2), key, 0.1, 1.0), find_step(jnp.ones(2), key))
    print(thin(draws, 5))


if __name__ == "__main__":
    main()
