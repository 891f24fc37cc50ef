"""Fit on random data."""

import jax
import jax.numpy as jnp

from trainer import Trainer


def main():
    key = jax.random.key(0)
    xs = jax.random.normal(key, (12, 3))
    ys = (xs.sum(axis=1) > 0).astype(jnp.float32)
    trainer = Trainer(3, momentum=0.9)
    params = trainer.fit(xs, ys)
    print(f"{float(trainer.evaluate(params, xs, ys)):.2f}", sorted(trainer.history)[0])
    edges = jnp.linspace(-1, 1, 4)
    print(trainer.confident(params, xs, 2), trainer.bucket_fixed(params, xs, edges))
    print(trainer.threshold(params, xs, ys), trainer.bucket(params, xs, edges))
    for other in (Trainer(3, penalty="l1"), Trainer(3, strict=True)):
        other.fit(xs, ys)


if __name__ == "__main__":
    main()
