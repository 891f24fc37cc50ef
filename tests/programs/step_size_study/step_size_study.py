# %% [markdown]
# # Which step size?
# Logistic regression on two blobs, trained with several step sizes.

# %%
from functools import lru_cache, partial

import jax
import jax.numpy as jnp


def blobs(key, count=20):
    """Points of two classes."""
    labels = jnp.arange(count) % 2
    return jax.random.normal(key, (count, 2)) + 2.0 * labels[:, None], labels


def loss(weights, points, labels):
    """Cross entropy."""
    scores = points @ weights[:2] + weights[2]
    return jnp.mean(jnp.logaddexp(0.0, scores) - labels * scores)


def train_step(weights, points, labels, rate):
    return weights - rate * jax.grad(loss)(weights, points, labels)


# %%
def final_losses(points, labels, rates, steps=3):
    """Loss after a few steps for every rate."""
    found = {}
    for rate in rates:
        step = jax.jit(partial(train_step, rate=rate))  # expect: JIT301 @rate
        weights = jnp.zeros(3)
        for _ in range(steps):
            weights = step(weights, points, labels)
        found[rate] = float(loss(weights, points, labels))
    return found


def gradient_norms(candidates, points, labels):
    """Size of the gradient at several weights."""
    return [
        jnp.linalg.norm(jax.jit(jax.grad(loss))(weights, points, labels))  # expect: JIT301 @norms
        for weights in candidates
    ]


def batched_losses(populations, points, labels):
    """Losses of whole populations of weights."""
    results = []
    index = 0
    while index < len(populations):
        evaluate = jax.jit(jax.vmap(loss, in_axes=(0, None, None)))  # expect: JIT301 @vmapped
        results.append(evaluate(populations[index], points, labels))
        index += 1
    return results


# %%
def run_trial(momentum, points, labels, steps=3):
    """Loss after training with momentum."""

    @jax.jit  # expect: JIT301 @trial
    def step(weights, velocity):
        velocity = momentum * velocity - 0.1 * jax.grad(loss)(weights, points, labels)
        return weights + velocity, velocity

    weights, velocity = jnp.zeros(3), jnp.zeros(3)
    for _ in range(steps):
        weights, velocity = step(weights, velocity)
    return loss(weights, points, labels)


def momentum_study(points, labels, momenta=(0.0, 0.5, 0.9)):
    """Best momentum of the three."""
    return min(momenta, key={m: float(run_trial(m, points, labels)) for m in momenta}.get)


# %%
class Classifier:
    """Weights and what can be asked of them."""

    def __init__(self, weights, threshold=0.5):
        self.weights = weights
        self.threshold = threshold

    def decide(self, points):
        return jax.nn.sigmoid(points @ self.weights[:2] + self.weights[2]) > self.threshold

    def accuracy(self, points, labels):
        """Share of right decisions."""
        decisions = jax.jit(self.decide)(points)  # expect: JIT303 @decide
        return float(jnp.mean(decisions == labels))


def margin(weights, points):
    """Distance of the closest point to the boundary."""
    return jax.jit(lambda w: jnp.min(jnp.abs(points @ w[:2] + w[2])))(weights)  # expect: JIT303 @margin


def summary(weights, points, labels):
    """Accuracy on either half and the margins there."""
    half = len(labels) // 2
    classifier = Classifier(weights)
    return {
        "first": classifier.accuracy(points[:half], labels[:half]),
        "second": classifier.accuracy(points[half:], labels[half:]),
        "first margin": margin(weights, points[:half]),
        "second margin": margin(weights, points[half:]),
    }


# %%
@lru_cache(maxsize=None)
def step_for(rate):
    """The compiled step of a rate, made once."""
    return jax.jit(partial(train_step, rate=rate))


def cached_losses(points, labels, rates):
    """The same study on cached steps; compiling a named function again costs nothing."""
    found = []
    for rate in rates:
        weights = step_for(rate)(jnp.zeros(3), points, labels)
        found.append(jax.jit(loss)(weights, points, labels))
    return found


def main():
    points, labels = blobs(jax.random.key(0))
    print(final_losses(points, labels, (0.01, 0.1, 1.0)))
    print("momentum", momentum_study(points, labels))
    print(cached_losses(points, labels, (0.1, 0.2)))
    print(summary(jnp.ones(3), points, labels))
    print(batched_losses([jnp.ones((2, 3))] * 3, points, labels))
    print(gradient_norms([jnp.zeros(3), jnp.ones(3)], points, labels))


if __name__ == "__main__":
    main()
