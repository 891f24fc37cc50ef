"""Run with ``python -m spam_filter``."""

import jax
import jax.numpy as jnp

from .fit import calibrated, compare_rates, evaluate, train


def main():
    key, data = jax.random.split(jax.random.key(0))
    xs = jax.random.normal(data, (24, 5))
    ys = (xs[:, 0] > xs[:, 1]).astype(jnp.float32)
    params = train(key, xs, ys)
    print(compare_rates(key, xs, ys), evaluate(params, [(xs[:12], ys[:12]), (xs[12:], ys[12:])]))
    print(calibrated(params, xs)[:3])


if __name__ == "__main__":
    main()
