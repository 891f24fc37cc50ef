"""Bayesian linear regression: evidence, leave-one-out scores and a Laplace check."""

import functools

import jax
import jax.numpy as jnp
import numpy as np


def design(x, degree):
    columns = []
    for power in range(degree + 1):
        columns.append(x**power)
    return jnp.stack(columns, axis=-1)


def posterior(features, targets, precision):
    gram = features.T @ features + precision * jnp.eye(features.shape[1])
    return jnp.linalg.solve(gram, features.T @ targets), gram


def log_evidence(log_precision, features, targets):
    precision = jnp.exp(log_precision)
    mean, gram = posterior(features, targets, precision)
    misfit = ((targets - features @ mean) ** 2).sum() + precision * (mean**2).sum()
    return 0.5 * (features.shape[1] * log_precision - jnp.linalg.slogdet(gram)[1] - misfit)


def traced_evidence(log_precision, features, targets, calls):
    """For the gradient alone, which runs its Python every time."""
    calls["evidence"] = calls.get("evidence", 0) + 1
    return log_evidence(log_precision, features, targets)


@functools.lru_cache(maxsize=8)
def scorer(degree):
    """The compiled leave-one-out score for polynomials of one degree."""

    @jax.jit
    def score(x, y, precision):
        features = design(x, degree)

        def without(index):
            keep = jnp.arange(x.shape[0]) != index
            mean, _ = posterior(features * keep[:, None], y * keep, precision)
            return (y[index] - features[index] @ mean) ** 2

        return jax.vmap(without)(jnp.arange(x.shape[0])).mean()

    return score


def choose_degree(x, y, degrees=(1, 2, 3)):
    scores = {degree: float(scorer(degree)(x, y, 0.1)) for degree in degrees}
    return min(scores, key=scores.get), scores


def tune(x, y, degree, rounds=5):
    climb = jax.jit(jax.value_and_grad(log_evidence))
    features, log_precision, history = design(x, degree), 0.0, []
    for _ in range(rounds):
        value, slope = climb(log_precision, features, y)
        log_precision = log_precision + 0.05 * float(slope)
        history.append(float(value))
    return log_precision, history


def check_gradient(x, y):
    calls = {}
    slopes = []
    for level in (-1.0, 0.0, 1.0):
        slopes.append(jax.grad(traced_evidence)(level, design(x, 2), y, calls))
    return slopes, calls


def main():
    rng = np.random.default_rng(0)
    x = jnp.asarray(rng.uniform(-1, 1, size=20))
    y = 1 + 2 * x - 3 * x**2 + 0.1 * rng.normal(size=20)
    best, scores = choose_degree(x, y)
    print(best, scores, tune(x, y, best)[0])
    print(check_gradient(x, y)[1])


if __name__ == "__main__":
    main()
