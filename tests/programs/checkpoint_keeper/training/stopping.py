"""Early stopping, on the host and inside a compiled loop."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from flax import struct


@struct.dataclass
class Patience:
    """Counts the evaluations since the last improvement."""

    best: jax.Array
    waited: jax.Array
    limit: int = struct.field(pytree_node=False, default=3)
    mode: str = struct.field(pytree_node=False, default="min")

    @classmethod
    def create(cls, limit: int = 3, mode: str = "min") -> Patience:
        worst = jnp.inf if mode == "min" else -jnp.inf
        return cls(jnp.asarray(worst), jnp.zeros((), jnp.int32), limit, mode)

    def improved(self, loss):
        return loss < self.best if self.mode == "min" else loss > self.best

    def update(self, loss):
        if self.improved(loss):  # expect: JIT101 @improved
            return self.replace(best=loss, waited=jnp.zeros_like(self.waited))
        return self.replace(waited=self.waited + 1)

    def update_select(self, loss):
        better = self.improved(loss)
        return self.replace(
            best=jnp.where(better, loss, self.best),
            waited=jnp.where(better, 0, self.waited + 1),
        )

    @property
    def exhausted(self):
        return self.waited >= self.limit


class HostPatience:
    """Plain Python counterpart for the outer loop."""

    def __init__(self, limit=2):
        self.limit = limit
        self.best = float("inf")
        self.waited = 0

    def should_stop(self, loss: float) -> bool:
        if loss < self.best:
            self.best, self.waited = loss, 0
        else:
            self.waited += 1
        return self.waited >= self.limit
