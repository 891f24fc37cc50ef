"""Innocent, though it looks like JIT101.

What makes it right: argument's attribute replaced in the trace.
"""

import importlib

import jax
import jax.numpy as jnp


class Step:
    def __init__(self, x):
        self.x = x
        self.train = jnp.sum(x) > 0


def evaluate_only(step):
    step.train = False


def hooks(names):
    module = importlib.import_module("__main__")
    return [vars(module)[name] for name in names]


HOOKS = hooks(["evaluate_only"]) if __name__ == "__main__" else []


@jax.jit
def run(x):
    step = Step(x)
    for hook in HOOKS:
        hook(step)
    if step.train:
        return step.x * 2
    return step.x


if __name__ == "__main__":
    print(run(jnp.ones(2)))
