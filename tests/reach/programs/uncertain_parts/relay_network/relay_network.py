"""Signals through a network of relays, whose states are trees."""

import functools

import jax
import jax.numpy as jnp


def converged(old, new):
    """Whether two states are the same."""
    return jnp.asarray(old["level"]) == new["level"]


@jax.jit
def settle(state, inputs):
    after = jax.tree.map(lambda s, i: 0.5 * (s + i), state, inputs)
    if converged(state, after):  # expect: JIT101 @settled
        return state
    return after


@jax.jit
def alarms(levels, limits):
    """How many are too high; both are lists."""
    count = 0
    for level, limit in zip(levels, limits):
        if level > limit:  # expect: JIT101 @alarm
            count += 1
    return count


@jax.jit
def loudest(signal):
    best = signal[0]
    for sample in signal:
        best = sample if sample > best else best  # expect: JIT101 @louder
    return best


@jax.jit
def status(signal, threshold):
    """A text for every relay."""
    texts = [f"{sample:.2f}" for sample in signal]  # expect: JIT105 @texts
    return signal > threshold, len(texts)


@jax.jit
def delayed(signal, lag):
    """Backwards, from the lag of the relay on."""
    return jnp.flip(signal)[lag:]  # expect: JIT107 @lag


@functools.partial(jax.jit, static_argnames="known")
def gain(state, known=None):
    """Weights of the caller, or those of the state."""
    weights = known if known is not None else state["weights"]
    merged = jax.tree.map(jnp.multiply, state["level"], weights)
    total = sum(jax.tree.leaves(merged))
    return state["level"] / total.item()  # expect: JIT105 @total


@jax.jit
def route(state, targets: list[jax.Array]):
    """The target of the quietest relay."""
    nearest = jnp.argmin(state["level"])
    return targets[nearest]  # expect: JIT107 @target


@jax.jit
def merge(first, second):
    """Keep the entries that differ."""
    changed = {name: first[name] for name in first if first[name] is not second[name]}
    if any(value.sum() > 0 for value in changed.values()):  # expect: JIT110 @any
        return first
    return second


def start(size=3):
    return {"level": jnp.ones(size), "weights": jnp.arange(1.0, size + 1)}
