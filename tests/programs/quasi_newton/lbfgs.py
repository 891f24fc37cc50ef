"""Limited-memory BFGS over arbitrary trees of parameters."""

import collections
import functools
import operator

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class History:
    """Pairs of steps and gradient changes; the length is part of the structure."""

    def __init__(self, steps=(), changes=()):
        self.steps = tuple(steps)
        self.changes = tuple(changes)

    def __len__(self):
        return len(self.steps)

    def pairs(self):
        for step, change in zip(self.steps, self.changes):
            yield step, change

    def push(self, step, change, limit):
        steps, changes = self.steps + (step,), self.changes + (change,)
        if len(steps) > limit:
            steps, changes = steps[1:], changes[1:]
        return History(steps, changes)

    def push_curved(self, step, change, limit):
        """Keep only pairs of positive curvature."""
        if dot(step, change) <= 0:  # expect: JIT101 @curved
            return self
        return self.push(step, change, limit)

    def tree_flatten(self):
        return (self.steps, self.changes), None

    @classmethod
    def tree_unflatten(cls, _, children):
        return cls(*children)


def dot(a, b):
    return functools.reduce(operator.add, jax.tree.leaves(jax.tree.map(jnp.vdot, a, b)), 0.0)


def axpy(scale, x, y):
    return jax.tree.map(lambda u, v: scale * u + v, x, y)


def two_loop(history, gradient, reverse=reversed):
    weights, direction = [], gradient
    pairs = list(history.pairs())
    for step, change in reverse(pairs):
        weight = dot(step, direction) / dot(step, change)
        weights.append(weight)
        direction = axpy(-weight, change, direction)
    if pairs:
        step, change = pairs[-1]
        scale = dot(step, change) / dot(change, change)
        direction = jax.tree.map(lambda d: scale * d, direction)
    for (step, change), weight in zip(pairs, reversed(weights)):
        direction = axpy(weight - dot(change, direction) / dot(step, change), step, direction)
    return direction


FIELDS = {"memory": 3, "rate": 0.1, "curved": False, "guard": ""}
Settings = collections.namedtuple("Settings", FIELDS, defaults=FIELDS.values())


def keep_descent(direction, gradient):
    """Fall back to the gradient where the direction is no descent."""
    sound = dot(direction, gradient) > 0
    return jax.tree.map(lambda d, g: jnp.where(sound, d, g), direction, gradient)


def keep_descent_eagerly(direction, gradient):
    norms = [dot(direction, direction), dot(gradient, gradient)]
    if all(norm > 0 for norm in norms):  # expect: JIT110 @all
        return direction
    return gradient


def cap_length(direction, gradient):
    length = dot(direction, direction) ** 0.5
    return axpy(0.0, gradient, direction) if length < 10.0 else gradient  # expect: JIT101 @cap


GUARDS = {"descent": keep_descent, "eager": keep_descent_eagerly, "cap": cap_length}


@functools.partial(jax.jit, static_argnums=(0, 1))
def iterate(objective, settings, params, history, previous):
    value, gradient = jax.value_and_grad(objective)(params)
    direction = two_loop(history, gradient)
    if settings.guard:
        direction = GUARDS[settings.guard](direction, gradient)
    following = axpy(-settings.rate, direction, params)
    step = axpy(-1.0, params, following)
    if previous is not None:
        push = history.push_curved if settings.curved else history.push
        history = push(step, axpy(-1.0, previous, gradient), settings.memory)
    return following, history, gradient, value


@jax.jit
def converged(gradient, tolerance):
    small = jax.tree.map(lambda g: jnp.abs(g).max() < tolerance, gradient)
    return all(jax.tree.leaves(small))  # expect: JIT110 @small


@jax.jit
def converged_everywhere(gradient, tolerance):
    largest = jax.tree.map(lambda g: jnp.abs(g).max(), gradient)
    return functools.reduce(jnp.maximum, jax.tree.leaves(largest)) < tolerance


def minimise(objective, params, settings=Settings(), turns=5):
    history, gradient, best = History(), None, float("inf")
    for _ in range(turns):
        params, history, gradient, value = iterate(objective, settings, params, history, gradient)
        if value < best:
            best = value.item()
        if converged_everywhere(gradient, 1e-6):
            break
    return params, best


def bowl(params):
    return (params["a"] ** 2).sum() + 2.0 * (params["b"] - 1.0) ** 2


def main():
    start = {"a": jnp.ones(3), "b": jnp.array(3.0)}
    print(minimise(bowl, start), minimise(bowl, start, Settings(guard="descent")))
    for settings in (Settings(curved=True), Settings(guard="eager"), Settings(guard="cap")):
        print(minimise(bowl, start, settings))
    print(converged(start, 1e-3))


if __name__ == "__main__":
    main()
