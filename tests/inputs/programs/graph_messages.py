"""Message passing on an edge list."""

import jax
import jax.numpy as jnp


def messages(params, nodes, senders, receivers):
    inputs = jnp.concatenate([nodes[senders], nodes[receivers]], axis=-1)
    sent = jax.nn.relu(inputs @ params["message"])
    return jax.ops.segment_sum(sent, receivers, num_segments=nodes.shape[0])


@jax.jit
def layer(params, nodes, senders, receivers):
    received = messages(params, nodes, senders, receivers)
    degree = jnp.bincount(receivers, length=nodes.shape[0])
    isolated = nodes[degree == 0]  # expect: JIT109 @isolated
    updated = jax.nn.tanh(jnp.concatenate([nodes, received], axis=-1) @ params["update"])
    return updated, isolated.sum()
