"""Innocent, though it looks like JIT105.

What makes it right: registry behind a class.
"""

import jax
import jax.numpy as jnp


class Rules:
    def __init__(self):
        self._rules = {}

    def __call__(self, name):
        def keep(function):
            self._rules[name] = function
            return function

        return keep

    def __getitem__(self, name):
        return self._rules[name]


rules = Rules()


@rules("sgd")
def sgd(params, grads, rate):
    return params - rate * grads


@rules("line-search")
def line_search(params, grads, rate):
    while float(jnp.sum(grads**2)) * rate > 1:
        rate /= 2
    return params - rate * grads


def trainer(options):
    rule = rules[options.get("rule", "sgd")]
    return jax.jit(lambda p, g: rule(p, g, 0.1))


def main(argv):
    options = dict(part.split("=") for part in argv)
    print(trainer(options)(jnp.ones(2), jnp.ones(2)))


main([])
print(line_search(jnp.ones(2), jnp.ones(2), 1.0))
