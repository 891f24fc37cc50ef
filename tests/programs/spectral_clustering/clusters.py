"""Spectral embedding followed by k-means, with a few quality scores."""

import jax
import jax.numpy as jnp
import numpy as np


def affinity(points, width):
    squared = ((points[:, None] - points[None]) ** 2).sum(-1)
    return jnp.exp(-squared / (2 * width**2)) * (1 - jnp.eye(len(points)))


def laplacian(weights, normalise="symmetric"):
    degree = weights.sum(1)
    match normalise:
        case "symmetric":
            root = 1.0 / jnp.sqrt(degree)
            return jnp.eye(len(degree)) - root[:, None] * weights * root
        case "none":
            return jnp.diag(degree) - weights
        case _:
            raise ValueError(normalise)


def embed(points, count, width=1.0, **options):
    _, vectors = jnp.linalg.eigh(laplacian(affinity(points, width), **options))
    return vectors[:, :count]


embed_compiled = jax.jit(embed, static_argnums=1, static_argnames="normalise")


def assign(points, centres):
    return ((points[:, None] - centres) ** 2).sum(-1).argmin(1)


def update_masked(points, labels, centres):
    """Mean of the members of each cluster."""
    means = []
    for number in range(len(centres)):
        members = points[labels == number]  # expect: JIT109 @members
        means.append(members.mean(0))
    return jnp.stack(means)


def update_guarded(points, labels, centres):
    onehot = jax.nn.one_hot(labels, centres.shape[0])
    counts = onehot.sum(0)
    if 0 in counts:  # expect: JIT110 @empty
        return centres
    return onehot.T @ points / counts[:, None]


def update_onehot(points, labels, centres):
    onehot = jax.nn.one_hot(labels, centres.shape[0])
    return onehot.T @ points / jnp.maximum(onehot.sum(0), 1.0)[:, None]


UPDATES = {"masked": update_masked, "guarded": update_guarded, "onehot": update_onehot}


def lloyd(points, centres, rounds, update="onehot"):
    rule = UPDATES[update]

    def body(centres, _):
        return rule(points, assign(points, centres), centres), None

    return jax.lax.scan(body, centres, length=rounds)[0]  # expect: JIT312 @rounds


@jax.jit
def cluster_sizes(labels):
    """How many points every cluster holds."""
    return jnp.bincount(labels)  # expect: JIT109 @sizes


@jax.jit
def inertia(points, centres):
    labels = assign(points, centres)
    return ((points - centres[labels]) ** 2).sum()


@jax.jit
def silhouettes(points, labels):
    distance = jnp.sqrt(((points[:, None] - points) ** 2).sum(-1))
    same = labels[:, None] == labels
    inner = np.where(same, distance, 0.0)  # expect: JIT106 @inner
    return inner.sum(1)


@jax.jit
def gaps(values, most):
    order = jnp.sort(values)
    return jnp.diff(order, n=1), jnp.split(order, most)  # expect: JIT108 @split


def best_of(points, centres_list, rounds=5):
    """Run from several starts and keep the tightest result."""
    results = [lloyd(points, centres, rounds) for centres in centres_list]
    scores = [float(inertia(points, centres)) for centres in results]
    best = min(range(len(scores)), key=scores.__getitem__)
    if scores[best] > 1e6:
        return None
    labels = np.asarray(assign(points, results[best]))
    return {int(k): points[labels == k] for k in np.unique(labels)}


def main():
    points = jax.random.normal(jax.random.key(0), (12, 2))
    embedded = embed_compiled(points, 2, normalise="none")
    starts = [embedded[:3], embedded[3:6]]
    print(best_of(embedded, starts))
    print(lloyd(points, points[:3], 3, "masked"), lloyd(points, points[:3], 3, "guarded"))
    labels = assign(points, points[:3])
    print(cluster_sizes(labels), silhouettes(points, labels), gaps(points[:, 0], 3))


if __name__ == "__main__":
    main()
