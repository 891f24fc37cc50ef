"""A bag of embeddings that guesses hidden words."""

import jax
import jax.numpy as jnp

from . import masking
from .masking import PAD


def init(key, words, width=8):
    table = 0.1 * jax.random.normal(key, (words, width))
    return {"table": table, "bias": jnp.zeros(words)}


def logits_of(params, ids):
    states = params["table"][ids]
    keep = (ids != PAD)[..., None]
    pooled = (states * keep).sum(-2, keepdims=True) / jnp.maximum(keep.sum(-2, keepdims=True), 1)
    return (states + pooled) @ params["table"].T + params["bias"]


def row_loss(params, key, ids, rate, mode):
    masked, labels, weights = masking.select_tokens(key, ids, rate, mode)
    losses = -jnp.take_along_axis(
        jax.nn.log_softmax(logits_of(params, masked)), labels[:, None], axis=-1
    )[:, 0]
    return (losses * weights).sum() / jnp.maximum(weights.sum(), 1.0)


def make_step(vocabulary, mode="where", rate=0.3, skip_rare=False):
    """A compiled training step for batches of rows."""
    words = len(vocabulary)

    def batch_loss(params, key, batch):
        keys = jax.random.split(key, len(batch))
        rows = jax.vmap(lambda k, row: row_loss(params, k, row, rate, mode))(keys, batch)
        if skip_rare:
            rows = rows * jax.vmap(lambda row: 1.0 - vocabulary.is_rare(row[0]))(batch)
        return rows.mean()

    @jax.jit
    def step(params, key, batch):
        if params["table"].shape[0] != words:
            raise ValueError("the table does not fit the vocabulary")
        loss, grads = jax.value_and_grad(batch_loss)(params, key, batch)
        return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), loss

    return step


@jax.jit
def frequencies(batch, words):
    """How often each word occurs."""
    return jax.nn.one_hot(batch, words).sum(axis=(0, 1))  # expect: JIT108 @words


frequencies_static = jax.jit(
    lambda batch, words: jax.nn.one_hot(batch, words).sum(axis=(0, 1)), static_argnums=1
)
