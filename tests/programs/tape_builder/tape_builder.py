"""Objects that are built, changed and thrown away within one compiled call."""

from dataclasses import dataclass, field
from functools import partial

import jax
import jax.numpy as jnp


@dataclass
class Tape:
    """What a forward pass did, for the pass back."""

    values: list = field(default_factory=list)
    names: dict = field(default_factory=dict)
    depth: int = 0

    def push(self, name, value):
        self.names[name] = len(self.values)
        self.values.append(value)
        self.depth += 1
        return value

    def pop(self):
        self.depth -= 1
        return self.values.pop()

    def __getitem__(self, name):
        return self.values[self.names[name]]


class Scope:
    """A context that counts and forwards to its parent."""

    def __init__(self, tape, prefix):
        self.tape = tape
        self.prefix = prefix
        self.count = 0

    def __enter__(self):
        self.tape.prefixes = getattr(self.tape, "prefixes", []) + [self.prefix]
        return self

    def __exit__(self, *_):
        self.tape.prefixes.pop()

    def push(self, value):
        self.count += 1
        setattr(self, f"latest_{self.prefix}", value)
        return self.tape.push(f"{self.prefix}{self.count}", value)


def scaled_into(target, values, factor=2.0):
    """Write scaled values into a dictionary."""
    for name in sorted(values):
        target[name] = factor * values[name]
    target.pop("unused", None)
    return target


@jax.jit
def forward(layers, x):
    """Values of all layers, by name."""
    tape = Tape()
    with Scope(tape, "layer") as scope:
        for weights in layers:
            x = scope.push(jnp.tanh(x @ weights))
    scope.latest_layer *= 1.0
    out = {name: tape[name] for name in tape.names}
    out |= {"last": scope.latest_layer, "depth": tape.depth}
    return scaled_into({"unused": x}, out)


@partial(jax.jit, static_argnames="rounds")
def rounds_of(x, rounds):
    """A counter, a list and a nested function that all live in the call."""
    done = 0
    trail = []

    def once(value):
        nonlocal done
        done += 1
        trail.append(value)
        return value * 0.5 + done

    for _ in range(rounds):
        x = once(x)
    while len(trail) > 2:
        del trail[0]
    trail += [x]
    return jnp.stack(trail), done


def smoothed(series, length=3):
    """A scan whose body has state of its own."""

    def body(window, value):
        parts = list(window)
        parts.insert(0, value)
        parts.pop()
        stats = {}
        stats["mean"] = sum(parts) / len(parts)
        stats.update(spread=jnp.stack(parts).std())
        return tuple(parts), stats

    return jax.lax.scan(body, (series[0],) * length, series)[1]


def polynomial(coefficients, x):
    """Horner's rule with a list as a stack, differentiated twice."""

    def value(x):
        stack = list(coefficients)
        total = stack.pop()
        while stack:
            total = total * x + stack.pop()
        return total

    return jax.jit(jax.vmap(jax.grad(jax.grad(value))))(x)


def main():
    layers = [jnp.eye(3), jnp.ones((3, 3))]
    print(forward(layers, jnp.ones(3)))
    for rounds in (2, 4):
        print(rounds_of(jnp.float32(1.0), rounds))
    print(smoothed(jnp.arange(5.0)), polynomial((1.0, 0.0, 2.0, 3.0), jnp.arange(3.0)))


if __name__ == "__main__":
    main()
