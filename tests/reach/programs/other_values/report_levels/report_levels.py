"""A main function with flags, each of which is harmless."""

import functools
import sys

import jax
import jax.numpy as jnp


def energy(x, coupling):
    return -coupling * jnp.sum(x * jnp.roll(x, 1))


@functools.partial(jax.jit, static_argnames=("sweeps", "keep", "check"))
def sweep(key, x, coupling, sweeps=2, keep=False, check=None):
    """Flags choose what is compiled."""
    kept = []
    for sub in jax.random.split(key, sweeps):
        flip = jnp.where(jax.random.bernoulli(sub, 0.5, x.shape), -1.0, 1.0)
        better = energy(x * flip, coupling) < energy(x, coupling)
        x = jnp.where(better, x * flip, x)
        if keep:
            kept.append(x.mean())
    if check is not None:
        x = check(x)
    return (x, jnp.stack(kept)) if keep else (x, None)


def clamp(x):
    return jnp.clip(x, -1.0, 1.0)


def simulate(key, coupling=1.0, size=4, use_jit=True, verbose=False, stop_below=None):
    """Eager values decide when to stop."""
    run = sweep if use_jit else sweep.__wrapped__
    x = jnp.ones(size)
    for step in range(3):
        key, sub = jax.random.split(key)
        x, _ = run(sub, x, coupling, check=clamp)
        now = energy(x, coupling)
        if verbose:
            print(step, f"{now:.2f}")
        if stop_below is not None and now < stop_below:
            break
    return x


def main(arguments=()):
    flags = set(arguments)
    key = jax.random.key(0)
    if "--keep" in flags:
        print(sweep(key, jnp.ones(4), 1.0, keep=True)[1])
    return simulate(
        key,
        use_jit="--eager" not in flags,
        verbose="-v" in flags,
        stop_below=-2.0 if "--stop" in flags else None,
    )


if __name__ == "__main__":
    main(sys.argv[1:])
