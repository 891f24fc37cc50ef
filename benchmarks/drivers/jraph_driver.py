"""Graph networks of jraph, as users write them."""

import jax
import jax.numpy as jnp
import jraph

GRAPH = jraph.GraphsTuple(
    nodes=jnp.ones((4, 3)), edges=jnp.ones((5, 2)), senders=jnp.array([0, 1, 2, 3, 0]),
    receivers=jnp.array([1, 2, 3, 0, 2]), n_node=jnp.array([3, 1]), n_edge=jnp.array([3, 2]),
    globals=jnp.ones((2, 2)),
)


def graph_network():
    network = jraph.GraphNetwork(
        update_edge_fn=lambda e, s, r, g: jnp.tanh(jnp.concatenate([e, s, r, g], -1)),
        update_node_fn=lambda n, s, r, g: jnp.concatenate([n, s, r, g], -1),
        update_global_fn=lambda n, e, g: g + n.sum() + e.sum(),
        attention_logit_fn=lambda e, s, r, g: e.sum(-1, keepdims=True),
        attention_reduce_fn=lambda e, w: e * w,
    )

    @jax.jit
    def run(graph):
        return network(graph)

    run(GRAPH)
    return jax.jit(jax.grad(lambda nodes: network(GRAPH._replace(nodes=nodes)).nodes.sum()))(GRAPH.nodes)


def other_networks():
    @jax.jit
    def run(graph):
        interaction = jraph.InteractionNetwork(
            lambda e, s, r: jnp.concatenate([e, s, r], -1), lambda n, r: jnp.concatenate([n, r], -1)
        )
        relation = jraph.RelationNetwork(lambda s, r: s * r, lambda e: e.sum())
        sets = jraph.DeepSets(lambda n, g: n, lambda n: n.sum())
        convolution = jraph.GraphConvolution(lambda n: n * 2, add_self_edges=True)
        attention = jraph.GAT(lambda n: n * 2, lambda s, r, e: (s * r).sum(-1, keepdims=True))
        mapped = jraph.GraphMapFeatures(lambda e: e * 2, lambda n: n * 2, lambda g: g)
        return (interaction(graph), relation(graph), sets(graph), convolution(graph), mapped(graph),
                attention(graph._replace(edges=None)))

    return run(GRAPH)


def segments():
    ids = jnp.array([0, 0, 1, 2, 2])

    @jax.jit
    def run(x, ids):
        return (
            jraph.segment_sum(x, ids, 3), jraph.segment_mean(x, ids, 3), jraph.segment_max(x, ids, 3),
            jraph.segment_min(x, ids, 3), jraph.segment_variance(x, ids, 3),
            jraph.segment_normalize(x, ids, 3), jraph.segment_softmax(x, ids, 3),
            jraph.segment_max_or_constant(x, ids, 3), jraph.segment_min_or_constant(x, ids, 3),
            jraph.partition_softmax(x[:3], ids[:2] + 1, 3),
        )

    return run(jnp.arange(5.0), ids)
