"""Innocent, though it looks like JIT401.

What makes it right: `__await__` of the wrapped result waits for the arrays in a thread of the event loop.
"""

import asyncio
import time

import jax
import jax.numpy as jnp


class Pending:
    """A result that can be awaited without stopping the other requests."""

    def __init__(self, tree):
        self.tree = tree

    def __await__(self):
        return asyncio.to_thread(jax.block_until_ready, self.tree).__await__()


@jax.jit
def encode(weights, tokens):
    def layer(_, hidden):
        return jnp.tanh(hidden @ weights)

    return jax.lax.fori_loop(0, 20, layer, weights[tokens])


async def handle(weights, tokens, log):
    received = time.perf_counter()
    encoded = await Pending(encode(weights, tokens))
    log.append((time.perf_counter() - received, encoded.is_ready()))
    return encoded.mean()


async def serve(weights, requests):
    log = []
    answers = await asyncio.gather(*(handle(weights, tokens, log) for tokens in requests))
    return answers, log


weights = jnp.eye(256) + 0.01
requests = [jnp.arange(64) + offset for offset in range(4)]
jax.block_until_ready(encode(weights, requests[0]))
answers, log = asyncio.run(serve(weights, requests))
assert len(answers) == len(log) == 4
assert all(ready and seconds > 0.0 for seconds, ready in log)
