"""Metropolis-adjusted Langevin sampling with a step size that adapts during burn-in."""

import dataclasses
import math
from typing import Callable, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


@dataclasses.dataclass(frozen=True)
class Settings:
    step: float = 0.1
    target: float = 0.574
    burn_in: int = 20
    draws: int = 30
    preconditioned: bool = False
    ladder: tuple = (1.0, 0.5, 0.25)


class Walker(NamedTuple):
    position: jax.Array
    step: jax.Array
    key: jax.Array


def log_banana(z):
    return -0.5 * (z[0] ** 2 + (z[1] - z[0] ** 2) ** 2)


def start(settings: Settings, dim: int = 2, seed: int = 0) -> Walker:
    if settings.step <= 0 or dim < 2:
        raise ValueError("bad settings")
    return Walker(jnp.zeros(dim), jnp.asarray(settings.step), jax.random.key(seed))


def langevin_kernel(log_density: Callable, settings: Settings) -> Callable:
    """Unadjusted Langevin dynamics."""
    inverse = 1.0 / math.sqrt(settings.target)

    def kernel(walker, _):
        key, sub = jax.random.split(walker.key)
        drift = jax.grad(log_density)(walker.position)
        if settings.preconditioned:
            drift = drift * inverse
        width = math.sqrt(2.0 * walker.step)  # expect: JIT105 @width
        noise = width * jax.random.normal(sub, walker.position.shape)
        moved = walker.position + walker.step * drift + noise
        return Walker(moved, walker.step, key), moved

    return kernel


def accept(key, log_ratio, proposal, current):
    threshold = jnp.log(jax.random.uniform(key))
    if threshold < log_ratio:  # expect: JIT101 @accept
        return proposal
    return current


def walk_kernel(log_density, settings):
    """A random walk with a Metropolis correction."""

    def kernel(walker, _):
        key, noise_key, accept_key = jax.random.split(walker.key, 3)
        proposal = walker.position + settings.step * jax.random.normal(
            noise_key, walker.position.shape
        )
        log_ratio = log_density(proposal) - log_density(walker.position)
        position = accept(accept_key, log_ratio, proposal, walker.position)
        return Walker(position, walker.step, key), position

    return kernel


def mala_kernel(log_density, settings):
    """The same correction, with a select in place of a branch."""

    def kernel(walker, _):
        key, noise_key, accept_key = jax.random.split(walker.key, 3)
        value, drift = jax.value_and_grad(log_density)(walker.position)
        noise = jax.random.normal(noise_key, walker.position.shape)
        proposal = walker.position + walker.step * drift + jnp.sqrt(2 * walker.step) * noise
        taken = jnp.log(jax.random.uniform(accept_key)) < log_density(proposal) - value
        position = jnp.where(taken, proposal, walker.position)
        rate = jnp.where(taken, 1 - settings.target, -settings.target)
        return Walker(position, walker.step * jnp.exp(0.05 * rate), key), position

    return kernel


def anneal(walker: Walker, settings: Settings):
    """Cool the step down the ladder."""

    def body(i, step):
        return step * settings.ladder[i]  # expect: JIT107 @ladder

    return walker._replace(step=lax.fori_loop(0, len(settings.ladder), body, walker.step))


def anneal_unrolled(walker: Walker, settings: Settings):
    step = walker.step
    for i in range(len(settings.ladder)):
        step = step * settings.ladder[i]
    return walker._replace(step=step)


def run(make_kernel, settings, draws=None):
    draws = settings.draws if draws is None else draws
    kernel = make_kernel(log_banana, settings)
    warm, _ = lax.scan(kernel, start(settings), None, length=settings.burn_in)
    _, samples = lax.scan(kernel, warm, None, length=draws)
    return samples


def main():
    settings = Settings(step=0.2)
    for make_kernel in (mala_kernel, walk_kernel, langevin_kernel):
        samples = run(make_kernel, settings)
        mean = float(samples.mean())
        if mean > 10:
            print("diverged")
        print(f"{make_kernel.__name__}: {mean:.3f}")
    print(anneal(start(settings), settings).step)


if __name__ == "__main__":
    main()
