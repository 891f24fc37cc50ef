"""A search over settings: one compiled function, made once, however many settings there are."""

import dataclasses
import itertools
import random

import jax
import jax.numpy as jnp


@dataclasses.dataclass(frozen=True)
class Setting:
    rate: float
    momentum: float
    rounds: int = 3


def settings(rates, momenta, limit=None, shuffle=False, seed=0):
    """All combinations."""
    found = [Setting(rate, momentum) for rate, momentum in itertools.product(rates, momenta)]
    if shuffle:
        random.Random(seed).shuffle(found)
    if limit is not None and len(found) > limit:
        found = found[:limit]
    return found


def make_run(objective):
    """A compiled run of gradient descent with momentum."""
    gradient = jax.grad(objective)

    def body(carry, _):
        w, velocity, rate, momentum = carry
        velocity = momentum * velocity - rate * gradient(w)
        return (w + velocity, velocity, rate, momentum), objective(w)

    def run(w, rate, momentum, rounds):
        carry = (w, jnp.zeros_like(w), rate, momentum)
        (w, *_), losses = jax.lax.scan(body, carry, None, length=rounds)
        return w, losses

    return jax.jit(run, static_argnames="rounds")


def search(objective, w, candidates):
    """Reads each result on the host."""
    run = make_run(objective)
    table, best = [], None
    for candidate in candidates:
        final, losses = run(w, candidate.rate, candidate.momentum, rounds=candidate.rounds)
        loss = float(objective(final))
        table.append((loss, candidate))
        if best is None or loss < best[0]:
            best = (loss, candidate)
        if not jnp.isfinite(losses).all():
            print("diverged", candidate)
    return best, sorted(table, key=lambda row: row[0])


def bowl(w):
    return jnp.sum((w - 1.0) ** 2)


if __name__ == "__main__":
    print(search(bowl, jnp.zeros(2), settings((0.1, 0.3), (0.0, 0.5), limit=3, shuffle=True)))
