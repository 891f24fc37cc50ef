"""Waves on a line, with ends that are chosen by name."""

import jax


def ends(u, kind):
    if kind == "fixed":
        return u.at[0].set(0.0).at[-1].set(0.0)
    if kind == "free":
        return u.at[0].set(u[1]).at[-1].set(u[-2])
    raise ValueError(f"unknown ends {kind!r}")


def propagate(previous, current, courant, kind):
    inner = current[:-2] - 2 * current[1:-1] + current[2:]
    new = 2 * current - previous
    new = new.at[1:-1].add(courant**2 * inner)
    return ends(new, kind)


def simulate(previous, current, courant, kind, steps):
    assert courant <= 1.0, "unstable"  # expect: JIT103 @courant
    for _ in range(steps):
        previous, current = current, propagate(previous, current, courant, kind)
    return current


run = jax.jit(simulate, static_argnums=(3, 4))
