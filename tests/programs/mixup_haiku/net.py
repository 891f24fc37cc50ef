"""A Haiku network with mixup on its hidden states."""

from typing import NamedTuple, Optional, Sequence

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np


class Mix(NamedTuple):
    order: jax.Array
    share: jax.Array


class MixNet(hk.Module):
    def __init__(self, sizes: Sequence[int], dropout: float = 0.0, name: Optional[str] = None):
        super().__init__(name=name)
        self.sizes = tuple(sizes)
        self.dropout = dropout

    def __call__(self, x, mix: Optional[Mix] = None, is_training=False):
        for depth, size in enumerate(self.sizes):
            x = hk.Linear(size)(x)
            if depth + 1 < len(self.sizes):
                x = jax.nn.relu(x)
                if mix is not None:
                    x = blend(x, mix)
                if self.dropout and not hk.running_init():
                    x = self.drop(x, is_training)
        scale = hk.get_parameter("scale", (x.shape[-1],), x.dtype, init=jnp.ones)
        return x * scale

    def drop(self, x, is_training):
        if is_training:  # expect: JIT101 @training
            return hk.dropout(hk.next_rng_key(), self.dropout, x)
        return x


class Normalised(hk.Module):
    """Scales each row, with a running estimate of the norm."""

    def __init__(self, decay=0.9, guard=False):
        super().__init__()
        self.decay, self.guard = decay, guard

    def __call__(self, x):
        norm = jnp.linalg.norm(x, axis=-1).mean()
        running = hk.get_state("norm", (), init=jnp.ones)
        if hk.running_init():
            return x
        running = self.decay * running + (1 - self.decay) * norm
        hk.set_state("norm", running)
        if self.guard:
            running = running or 1.0  # expect: JIT104 @guard
        return x / running


def blend(x, mix):
    return mix.share * x + (1 - mix.share) * x[mix.order]


def draw_mix(key, size, alpha=0.4, larger=False):
    order_key, share_key = jax.random.split(key)
    share = jax.random.beta(share_key, alpha, alpha)
    if larger:
        share = np.maximum(share, 1 - share)  # expect: JIT106 @larger
    return Mix(jax.random.permutation(order_key, size), share)
