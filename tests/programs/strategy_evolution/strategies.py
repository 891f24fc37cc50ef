"""Evolution strategies over pytrees of parameters."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np


def perturb(key, params, scale):
    leaves, structure = jax.tree.flatten(params)
    keys = jax.random.split(key, len(leaves))
    noisy = [leaf + scale * jax.random.normal(k, leaf.shape) for leaf, k in zip(leaves, keys)]
    return jax.tree.unflatten(structure, noisy)


def clip_leaf(leaf, limit):
    size = jnp.abs(leaf).max()
    if leaf.ndim == 0:
        return leaf
    return leaf * (limit / size) if size > limit else leaf  # expect: JIT101 @limit


def rank_utilities(fitness):
    ranks = jnp.argsort(jnp.argsort(fitness))
    return ranks / (fitness.shape[0] - 1) - 0.5


def sorted_utilities(fitness):
    order = sorted(fitness)  # expect: JIT110 @order
    return jnp.stack(order)


SHAPING = {"rank": rank_utilities, "sorted": sorted_utilities}


@partial(jax.jit, static_argnames=("objective", "population", "shaping", "limit"))
def generation(key, params, scale, *, objective, population=8, shaping="rank", limit=None):
    keys = jax.random.split(key, population)
    offspring = jax.vmap(lambda k: perturb(k, params, scale))(keys)
    fitness = jax.vmap(objective)(offspring)
    utility = SHAPING[shaping](fitness)
    update = jax.tree.map(
        lambda many, mean: jnp.tensordot(utility, many - mean, axes=1) / population,
        offspring,
        params,
    )
    if limit is not None:
        update = jax.tree.map(partial(clip_leaf, limit=limit), update)
    return jax.tree.map(jnp.add, params, update), fitness


@jax.jit
def elite(fitness, share):
    count = int(share * fitness.shape[0])  # expect: JIT105 @count
    return jnp.argsort(fitness)[-count:]


@jax.jit
def best_members(fitness, count):
    return jax.lax.top_k(fitness, count)[1]  # expect: JIT108 @best


@jax.jit
def diversity(offspring):
    spread = [np.std(leaf) for leaf in jax.tree.leaves(offspring)]
    return sum(spread)


@jax.jit
def success_rule(scale, fitness, parent):
    """The one-fifth rule; a single scale for all leaves is kept below one."""
    rate = (fitness > parent).mean()
    cap = jnp.inf
    if isinstance(scale, (int, float)):  # expect: JIT112 @fifth
        cap = 1.0
    return jnp.minimum(jnp.where(rate > 0.2, scale * 1.22, scale * 0.82), cap)


def success_rule_where(scale, fitness, parent):
    return jnp.where((fitness > parent).mean() > 0.2, scale * 1.22, scale * 0.82)


def describe(offspring: dict):
    """Name and shape of every leaf; sizes are known without running."""
    total = 0
    for name, leaf in sorted(offspring.items()):
        if leaf.ndim > 1 and max(leaf.shape) > 100:
            raise ValueError(name)
        total += int(np.prod(leaf.shape))
    return jax.tree.map(lambda leaf: leaf / total, offspring)


def sphere(params):
    return -sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params))


def main():
    params = {"w": jnp.ones((2, 2)), "b": jnp.ones(2)}
    key, best = jax.random.key(0), -np.inf
    for turn in range(3):
        params, fitness = generation(jax.random.fold_in(key, turn), params, 0.1, objective=sphere)
        if fitness.max() > best:
            best = float(fitness.max())
    print(best, jax.jit(describe)(params), success_rule_where(0.1, fitness, best))
    print(generation(key, params, 0.1, objective=sphere, shaping="sorted"))
    print(generation(key, params, 0.1, objective=sphere, limit=0.5))
    print(elite(fitness, 0.25), best_members(fitness, 2), diversity(params))
    print(success_rule(0.1, fitness, best))


if __name__ == "__main__":
    main()
