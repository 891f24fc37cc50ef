"""Random walks and ranks on small graphs held as edge lists."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

NEIGHBOURS = [[1, 2], [2], [0, 3], [0]]
HUBS = (0, 2)


def edges():
    pairs = [(a, b) for a, row in enumerate(NEIGHBOURS) for b in row]
    source, target = np.array(pairs).T
    return jnp.asarray(source), jnp.asarray(target)


@functools.partial(jax.jit, static_argnames=("nodes", "rounds"))
def pagerank(source, target, nodes, rounds=30, damping=0.85):
    degree = jnp.zeros(nodes).at[source].add(1.0)

    def spread(_, rank):
        share = rank[source] / degree[source]
        return (1 - damping) / nodes + damping * jnp.zeros(nodes).at[target].add(share)

    return lax.fori_loop(0, rounds, spread, jnp.full(nodes, 1.0 / nodes))


@jax.jit
def reachable(adjacency, start):
    """Breadth-first search by frontiers."""
    frontier = jnp.zeros(adjacency.shape[0]).at[start].set(1.0)
    seen = frontier
    while frontier.any():  # expect: JIT102 @frontier
        frontier = (frontier @ adjacency > 0) * (1.0 - seen)
        seen = seen + frontier
    return seen


def walk(key, node, length):
    """A walk along the lists of neighbours."""

    def move(node, key):
        options = NEIGHBOURS[node]  # expect: JIT107 @move
        return jax.random.choice(key, jnp.array(options)), node

    return lax.scan(move, node, jax.random.split(key, length))[1]


def walk_dense(key, node, table, length):
    def move(node, key):
        logits = jnp.log(table[node])
        return jax.random.categorical(key, logits), node

    return lax.scan(move, node, jax.random.split(key, length))


@jax.jit
def teleports(node, rank):
    bonus = 0.1 if node in HUBS else 0.0  # expect: JIT110 @hub
    return rank.at[node].add(bonus)


@jax.jit
def by_place(visits):
    times = {}
    for time, place in enumerate(visits):
        times.setdefault(place, []).append(time)  # expect: JIT111 @count
    return times


@jax.jit
def dangling(adjacency):
    empty = adjacency.sum(1) == 0
    return jnp.flatnonzero(empty)  # expect: JIT109 @dangling


@jax.jit
def dangling_padded(adjacency):
    return jnp.flatnonzero(adjacency.sum(1) == 0, size=adjacency.shape[0], fill_value=-1)


def shortest(adjacency, start):
    """Hop counts, in plain Python."""
    queue, hops = [start], {start: 0}
    while queue:
        here = queue.pop(0)
        for there in np.flatnonzero(adjacency[here]).tolist():
            if there not in hops:
                hops[there] = hops[here] + 1
                queue.append(there)
    return hops


def main():
    source, target = edges()
    rank = pagerank(source, target, len(NEIGHBOURS))
    best = int(rank.argmax())
    print(NEIGHBOURS[best], {node: round(float(r), 3) for node, r in enumerate(rank)})
    dense = jnp.zeros((4, 4)).at[source, target].set(1.0)
    key = jax.random.key(0)
    _, visits = walk_dense(key, jnp.array(best), dense, 5)
    print(visits, shortest(np.asarray(dense), best), dangling_padded(dense))
    print(by_place(walk(key, best, 6)), teleports(best, rank))
    print(reachable(dense, best), dangling(dense))


if __name__ == "__main__":
    main()
