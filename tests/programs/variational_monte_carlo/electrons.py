"""Variational Monte Carlo for electrons in a harmonic trap."""

from __future__ import annotations

import functools
import itertools
import json
import math
from typing import Iterator

import jax
import jax.numpy as jnp
import numpy as np


def pairs(count: int) -> Iterator[tuple[int, int]]:
    for a, b in itertools.combinations(range(count), 2):
        yield a, b


class Trial:
    """A trial wave function; registered by hand with its strength as the only leaf."""

    def __init__(self, strength, cusp=True):
        self.strength = strength
        self.cusp = cusp

    def log_value(self, r):
        value = -0.5 * self.strength * (r**2).sum()
        if self.cusp:
            for a, b in pairs(r.shape[0]):
                value = value + 0.5 * jnp.log1p(jnp.linalg.norm(r[a] - r[b]))
        return value

    @property
    def bound(self):
        return self.strength > 0


jax.tree_util.register_pytree_node(
    Trial,
    lambda trial: ((trial.strength,), trial.cusp),
    lambda cusp, leaves: Trial(*leaves, cusp),
)


def local_energy(trial, r):
    gradient = jax.grad(trial.log_value)(r)
    curvature = jnp.trace(jax.hessian(lambda x: trial.log_value(x.reshape(r.shape)))(r.ravel()))
    repulsion = sum(1.0 / jnp.linalg.norm(r[a] - r[b]) for a, b in pairs(len(r)))
    return -0.5 * (curvature + (gradient**2).sum()) + 0.5 * (r**2).sum() + repulsion


def metropolis(trial, r, key, width):
    move_key, accept_key = jax.random.split(key)
    proposal = r + width * jax.random.normal(move_key, r.shape)
    gain = 2 * (trial.log_value(proposal) - trial.log_value(r))
    accepted = jnp.log(jax.random.uniform(accept_key)) < gain
    return jnp.where(accepted, proposal, r), accepted


def metropolis_greedy(trial, r, key, width):
    """Uphill moves are taken without drawing a number."""
    move_key, accept_key = jax.random.split(key)
    proposal = r + width * jax.random.normal(move_key, r.shape)
    gain = 2 * (trial.log_value(proposal) - trial.log_value(r))
    accepted = gain > 0 or jax.random.uniform(accept_key) < jnp.exp(gain)  # expect: JIT104 @uphill
    return jnp.where(accepted, proposal, r), accepted


def sample(trial, walkers, key, steps, move=metropolis, width=0.5):
    def sweep(walkers, key):
        keys = jax.random.split(key, walkers.shape[0])
        walkers, accepted = jax.vmap(move, (None, 0, 0, None))(trial, walkers, keys, width)
        return walkers, accepted.mean()

    return jax.lax.scan(sweep, walkers, jax.random.split(key, steps))


@functools.partial(jax.jit, static_argnames=("steps",))
def energy(trial, walkers, key, steps=10):
    walkers, rate = sample(trial, walkers, key, steps)
    energies = jax.vmap(local_energy, (None, 0))(trial, walkers)
    return energies.mean(), rate.mean()


@jax.jit
def checked_energy(trial: Trial, r):
    if not trial.bound:  # expect: JIT101 @bound
        return jnp.inf
    return local_energy(trial, r)


def tabulated_norm(*known):
    table = {strength: (strength / math.pi) ** 0.75 for strength in known}

    def norm(strength):
        return table.get(strength, 1.0)  # expect: JIT111 @norm

    return norm


def normalised(trial, r, norm=tabulated_norm(0.5, 0.6, 1.0)):
    return jnp.exp(trial.log_value(r)) * norm(trial.strength)


density = jax.jit(normalised)


@jax.jit
def block_average(energies, blocks):
    return energies.reshape(blocks, -1).mean(1)  # expect: JIT108 @blocks


@jax.jit
def clip_outliers(energies, keep):
    low, high = np.percentile(energies, [5, 95])  # expect: JIT106 @outliers
    return jnp.where(keep, energies, jnp.clip(energies, low, high))


@jax.jit
def snapshot(trial, energies):
    lines = {"strength": 1, "mean": energies.mean().tolist()}  # expect: JIT105 @snapshot
    return json.dumps(lines)


def optimise(trial, walkers, key, turns=3):
    """Energy descent by finite differences, steered from the host."""
    best, value = trial, math.inf
    for turn in range(turns):
        fresh = Trial(best.strength + 0.1 * (turn - 1), best.cusp)
        mean, rate = energy(fresh, walkers, jax.random.fold_in(key, turn))
        if mean < value and 0.1 < rate < 0.9:
            best, value = fresh, float(mean)
    return best, json.dumps({"energy": value, "bound": bool(best.bound)})


def main():
    key, trial = jax.random.key(0), Trial(0.6)
    walkers = jax.random.normal(key, (4, 2, 3))
    print(optimise(trial, walkers, key), energy(Trial(0.5, cusp=False), walkers, key, steps=4))
    print(sample(trial, walkers, key, 3, move=metropolis_greedy))
    energies = jax.vmap(local_energy, (None, 0))(trial, walkers)
    print(checked_energy(trial, walkers[0]), density(trial, walkers[0]))
    print(block_average(energies, 2), clip_outliers(energies, energies < 9))
    print(snapshot(trial, energies), normalised(trial, walkers[0]))


if __name__ == "__main__":
    main()
