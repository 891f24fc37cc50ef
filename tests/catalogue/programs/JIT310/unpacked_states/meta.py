"""States in tuples and dataclasses, given away as a whole."""

from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


def _inner(params, momentum, batch):
    momentum = 0.9 * momentum + batch.mean() * params
    return params - 0.1 * momentum, momentum


inner = jax.jit(_inner, donate_argnums=(0, 1))


@dataclass
class Learner:
    params: jax.Array = field(default_factory=lambda: jnp.ones(3))
    momentum: jax.Array = field(default_factory=lambda: jnp.zeros(3))

    def fast_weights(self, batch):
        params, momentum = inner(self.params, self.momentum, batch)
        return params

    def regularised(self, batch):
        fast = self.fast_weights(batch)
        return jnp.sum((fast - self.params) ** 2)  # expect: JIT310 @self


def adapt(batches):
    state = (jnp.ones(3), jnp.zeros(3))
    history = [state]
    for batch in batches:
        state = inner(*state, batch)
        history.append(state)
    return [params.sum() for params, _ in history]  # expect: JIT310 @history


def retried(batch, tries=2):
    params, momentum = jnp.ones(3), jnp.zeros(3)
    for _ in range(tries):
        new, momentum = inner(params, momentum, batch)  # expect: JIT310 @retry
        if not bool(jnp.isnan(new).any()) and float(new.sum()) < 0:
            params = new
            break
    return params
