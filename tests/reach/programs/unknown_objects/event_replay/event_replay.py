"""Annotations that name more than is there: the values are Python numbers, or stay on the host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Optional

import jax
import jax.numpy as jnp
import numpy as np

Array = jax.Array
Rates = Mapping[str, float]
Window = tuple[int, int]
Stream = Sequence[Array]


@partial(jax.jit, static_argnames="window")
def intensity(times: Array, at: Array, window: Window = (0, 4)) -> Array:
    first, last = window
    if last <= first:
        raise ValueError("empty window")
    recent = times[first:last]
    return jnp.exp(-(at - recent)).sum()


def total_rate(rates: Rates, floor: float = 0.0) -> float:
    """Host only."""
    total = sum(rates.values())
    return total if total > floor else floor


@jax.jit
def log_likelihood(stream: Stream, rates: dict[str, Any], mask: Optional[Array] = None) -> Array:
    """The stream is a list; its length is known."""
    if not stream:
        return jnp.zeros(())
    if len(stream) > 1 and stream[0].ndim != stream[1].ndim:
        raise ValueError("mixed ranks")
    values = jnp.stack([jnp.mean(times) for times in stream])
    if mask is not None:
        values = jnp.where(mask, values, 0.0)
    if "base" in rates:
        values = values * rates["base"]
    return values.sum()


def simulate(rates: Rates, horizon: float, seed: int = 0) -> list[float]:
    rng = np.random.default_rng(seed)
    time, events = 0.0, []
    while time < horizon:
        time += rng.exponential(1.0 / total_rate(rates, 0.1))
        events.append(time)
    return events


def main():
    rates = {"base": 1.0, "self": 0.5}
    times = jnp.array(simulate(rates, 5.0) + [6.0, 7.0])[:4]
    print(intensity(times, times[-1]), log_likelihood([times, times], rates))
    print(log_likelihood((times,), rates, jnp.ones(1, bool)), log_likelihood([], rates))


if __name__ == "__main__":
    main()
