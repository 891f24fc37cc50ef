"""The planar spin model: checkerboard updates, vortices, and what is measured of them."""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

log = logging.getLogger("xy")
sweeps_done = 0


def neighbour_field(spins):
    field = 0.0
    for axis in (0, 1):
        for shift in (-1, 1):
            field += jnp.exp(1j * jnp.roll(spins, shift, axis))
    return field


def checkerboard(side):
    board = np.zeros((side, side), dtype=bool)
    board[::2, ::2] = True
    board[1::2, 1::2] = True
    return board


def half_sweep(key, spins, beta, board):
    move_key, accept_key = jax.random.split(key)
    proposal = spins + jax.random.uniform(move_key, spins.shape, minval=-1.0, maxval=1.0)
    field = neighbour_field(spins)
    gain = (field.conj() * (jnp.exp(1j * proposal) - jnp.exp(1j * spins))).real
    taken = jnp.log(jax.random.uniform(accept_key, spins.shape)) < beta * gain
    return jnp.where(taken & board, proposal, spins)


def vortices(spins):
    """Winding number around each plaquette."""
    corners = [spins]
    for axes in ((0,), (0, 1), (1,)):
        corner = spins
        for axis in axes:
            corner = jnp.roll(corner, -1, axis)
        corners.append(corner)
    turns = [jnp.angle(jnp.exp(1j * (b - a))) for a, b in zip(corners, corners[1:] + corners[:1])]
    return jnp.round(sum(turns) / (2 * jnp.pi))


@partial(jax.jit, static_argnames="sweeps")
def run(key, spins, beta, sweeps):
    board = checkerboard(spins.shape[0])
    if not isinstance(spins, jax.core.Tracer):
        log.info("running eagerly on %s", spins)

    def sweep(spins, key):
        for half, colour in zip(jax.random.split(key), (board, ~board)):
            spins = half_sweep(half, spins, beta, colour)
        return spins, jnp.abs(vortices(spins)).sum()

    spins, counts = lax.scan(sweep, spins, jax.random.split(key, sweeps))
    jax.debug.print("beta {b}: {c} vortices", b=beta, c=counts[-1])
    return spins, counts


def cool(key, side, betas):
    """Cool a hot lattice, counting vortices on the host."""
    global sweeps_done
    tally: dict[float, Counter] = defaultdict(Counter)
    spins = jax.random.uniform(key, (side, side), maxval=2 * jnp.pi)
    for beta in betas:
        key, sub = jax.random.split(key)
        spins, counts = run(sub, spins, beta, sweeps=4)
        sweeps_done += 4
        tally[beta].update(np.asarray(counts).tolist())
        log.info("beta %s after %d sweeps: %s", beta, sweeps_done, counts)
    return tally


if __name__ == "__main__":
    print(cool(jax.random.key(2), 6, [0.2, 0.8, 1.4]))
