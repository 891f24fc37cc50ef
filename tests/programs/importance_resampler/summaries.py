"""Summaries of a filtered cloud."""

from functools import partial

import jax
import jax.numpy as jnp

from filtering import Model, run, when_poor
from resampling import Cloud, economical, multinomial, stratified


@partial(jax.jit, static_argnames="fraction")
def trimmed_mean(cloud, fraction=0.5):
    kept = int(fraction * cloud.particles.shape[0])
    return jnp.sort(cloud.particles)[:kept].mean()


@jax.jit
def heavy_mean(cloud: Cloud):
    """Mean of the particles with more than their share of the weight."""
    heavy = cloud.weights > 1 / len(cloud.particles)
    chosen = jnp.compress(heavy, cloud.particles)  # expect: JIT109 @heavy
    return chosen.mean()


def main():
    key = jax.random.key(0)
    seen = jnp.cumsum(jax.random.normal(key, (6,)))
    cloud, means = run(seen, key, Model(noise=0.3))
    error = float(jnp.abs(means - seen).mean())
    print(f"error {error:.2f}, effective {cloud.effective:.1f}", trimmed_mean(cloud))
    if when_poor(cloud, 0.5):
        cloud = multinomial(key, cloud)
    print(heavy_mean(cloud))
    print(run(seen, key, decide=when_poor)[1])
    for resample in (multinomial, stratified, economical):
        print(resample.__name__, run(seen, key, resample=resample)[1])


if __name__ == "__main__":
    main()
