"""Which tokens to hide from the model."""

import jax
import jax.numpy as jnp
import numpy as np

PAD, MASK = 0, 1


def host_mask(rng, ids, rate=0.15):
    """Masking for a data loader that works with NumPy."""
    ids = np.asarray(ids)
    chosen = np.flatnonzero((rng.random(ids.shape) < rate) & (ids != PAD))
    if chosen.size == 0:
        chosen = np.array([0])
    masked = ids.copy()
    masked[chosen] = MASK
    return masked, ids[chosen]


def select_tokens(key, ids, rate, mode="where", special=None):
    """Hide a share of the tokens of one row; gives ids, labels and weights."""
    candidates = ids != PAD
    if special is not None:
        candidates &= ids != special
    draws = jnp.where(candidates, jax.random.uniform(key, ids.shape), 2.0)
    if mode == "where":
        chosen = draws < rate
    elif mode == "quota":
        count = quota(candidates, rate)
        chosen = draws <= jnp.sort(draws)[count - 1]
    else:
        chosen = scatter_mask(draws < rate)
    return jnp.where(chosen, MASK, ids), ids, chosen.astype(jnp.float32)


def quota(candidates, rate):
    return max(1, int(rate * candidates.sum()))  # expect: JIT105 @quota


def scatter_mask(hits):
    """Widen every hit by one place to the right."""
    (places,) = jnp.where(hits)  # expect: JIT109 @places
    return hits.at[places + 1].set(True, mode="drop")
