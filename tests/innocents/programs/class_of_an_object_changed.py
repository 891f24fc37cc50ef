"""Innocent, though it looks like JIT105.

What makes it right: __class__.
"""

import jax
import jax.numpy as jnp


class HostPolicy:
    def act(self, observation):
        return int(observation.argmax())


class DevicePolicy(HostPolicy):
    def act(self, observation):
        return jnp.argmax(observation)


policy = HostPolicy()
policy.__class__ = DevicePolicy


@jax.jit
def act(observation):
    return policy.act(observation)


print(act(jnp.arange(4.0)))
