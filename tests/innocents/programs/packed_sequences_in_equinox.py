"""Looks like a fault of JIT110.

The segment lengths are Python integers, which equinox.filter_jit keeps static wherever they occur in the arguments, so max and sorted see integers.
"""

from typing import NamedTuple

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np


class Packed(NamedTuple):
    tokens: jax.Array
    lengths: tuple


class SegmentPooling(eqx.Module):
    scale: jax.Array

    @eqx.filter_jit
    def __call__(self, packed):
        longest = max(packed.lengths)
        order = sorted(range(len(packed.lengths)), key=packed.lengths.__getitem__)
        starts = np.cumsum((0,) + packed.lengths[:-1])
        rows = []
        for index in order:
            start, length = int(starts[index]), min(packed.lengths[index], longest)
            segment = packed.tokens[start : start + length]
            rows.append(jnp.pad(segment, (0, longest - length)))
        return self.scale * jnp.stack(rows)


def pack(*segments):
    flat = np.concatenate([np.asarray(s, np.float32) for s in segments])
    return Packed(jnp.asarray(flat), tuple(len(s) for s in segments))


if __name__ == "__main__":
    pooling = SegmentPooling(jnp.array(2.0))
    compiled = []
    jax.monitoring.register_event_duration_secs_listener(
        lambda event, seconds, **_: compiled.append(event)
    )
    table = pooling(pack([1, 2, 3], [4], [5, 6]))
    assert compiled
    assert table.tolist() == [[8, 0, 0], [10, 12, 0], [2, 4, 6]]
    compiled.clear()
    other = pooling(pack([3, 2, 1], [0], [9, 9]))
    assert not compiled
    assert other.tolist() == [[0, 0, 0], [18, 18, 0], [6, 4, 2]]
    assert pooling(pack([1], [2, 3])).shape == (2, 2)
