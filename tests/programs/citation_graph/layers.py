"""Message passing over a fixed set of citations."""

from typing import NamedTuple

import jax
import jax.numpy as jnp

attention_of_last_layer = None


class Graph(NamedTuple):
    """Papers and who cites whom."""

    features: jax.Array
    sender: jax.Array
    receiver: jax.Array


def glorot(key, rows, columns):
    return jax.random.normal(key, (rows, columns)) * jnp.sqrt(2.0 / (rows + columns))


def init(key, sizes):
    params = []
    for rows, columns in zip(sizes[:-1], sizes[1:]):
        key, weight_key, attention_key = jax.random.split(key, 3)
        params.append(
            {
                "weight": glorot(weight_key, rows, columns),
                "query": glorot(attention_key, columns, 1)[:, 0],
            }
        )
    return params


def attend(layer, hidden, graph):
    global attention_of_last_layer
    papers = graph.features.shape[0]
    raw = jnp.exp(jax.nn.leaky_relu(hidden[graph.sender] @ layer["query"]))
    total = jax.ops.segment_sum(raw, graph.receiver, num_segments=papers)
    attention = raw / (total[graph.receiver] + 1e-6)
    attention_of_last_layer = attention  # expect: JIT203 @attention
    return attention


def forward(params, graph, widths=[]):
    """Scores of every paper, layer after layer."""
    hidden = graph.features
    activations = []
    for layer in params:
        hidden = hidden @ layer["weight"]
        widths.append(hidden.shape[-1])  # expect: JIT211 @widths
        messages = attend(layer, hidden, graph)[:, None] * hidden[graph.sender]
        hidden = hidden + jax.ops.segment_sum(
            messages, graph.receiver, num_segments=graph.features.shape[0]
        )
        activations.append(hidden)
    return activations[-1]
