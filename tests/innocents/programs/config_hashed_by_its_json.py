"""Looks like a fault of JIT304.

The object hook of the JSON decoder makes dicts of a class that has a hash.
"""

import functools
import json

import jax
import jax.numpy as jnp


class Config(dict):
    """Options of a run, at any depth; nobody writes to them once they are read."""

    def __hash__(self):
        return hash(json.dumps(self, sort_keys=True))

    def __getattr__(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(name) from error


def load(text):
    return json.loads(text, object_hook=Config)


@functools.partial(jax.jit, static_argnames="config")
def encode(x, config):
    for block in range(config.blocks.count):
        h = x / (1e-6 + jnp.linalg.norm(x, axis=-1, keepdims=True)) if config.norm else x
        h = getattr(jax.nn, config.blocks.activation)(h)
        x = x + h if config.blocks["residual"] else h
    return x


RUN = '{"norm": false, "blocks": {"count": 2, "activation": "relu", "residual": true}}'


def serve(requests):
    return [encode(jnp.asarray(request["x"]), config=load(request["config"])) for request in requests]


if __name__ == "__main__":
    reordered = json.dumps(dict(reversed(json.loads(RUN).items())))
    normed = RUN.replace("false", "true")
    x = [[3.0, 4.0]]
    first, second, third = serve([{"x": x, "config": c} for c in (RUN, reordered, normed)])
    assert first.tolist() == second.tolist() == [[12.0, 16.0]]
    assert jnp.allclose(third, jnp.array([[4.2, 5.6]]), atol=1e-4)
    assert encode._cache_size() == 2
