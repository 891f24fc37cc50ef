"""Generate vectors one position at a time."""

from functools import partial

import jax
import jax.numpy as jnp

import attention

WIDTH = 4
encode = jax.jit(attention.self_attention)
encode_static = jax.jit(attention.self_attention, static_argnums=1)


@partial(jax.jit, static_argnames=("steps", "style"))
def generate(params, start, steps, style="mask"):
    look = attention.attend_cached if style == "mask" else attention.attend_prefix

    def body(carry, position):
        x, cache = carry
        x = x + attention.sinusoid(position, WIDTH)
        new_cache = []
        for layer, entry in zip(params, cache):
            entry = attention.store(entry, position, x @ layer["k"], x @ layer["v"])
            x = x + look(entry, position, x @ layer["q"])
            new_cache.append(entry)
        return (x, new_cache), x

    cache = attention.empty_cache(len(params), steps, WIDTH)
    return jax.lax.scan(body, (start, cache), jnp.arange(steps))[1]


@jax.jit
def stop_position(norms, limit):
    """First position where the norm passes the limit."""
    position = 0
    while norms[position] < limit and position < norms.shape[0] - 1:  # expect: JIT102 @stop
        position += 1
    return position


@jax.jit
def stop_argmax(norms, limit):
    return jnp.argmax(norms >= limit)


@jax.jit
def biases(positions):
    return jax.lax.map(lambda position: attention.alibi(position, 8), positions)


def init(key, layers=2):
    names = ("q", "k", "v")
    keys = jax.random.split(key, layers * len(names)).reshape(layers, len(names))
    return [
        {name: 0.3 * jax.random.normal(k, (WIDTH, WIDTH)) for name, k in zip(names, row)}
        for row in keys
    ]


def main():
    params = init(jax.random.key(0))
    out = generate(params, jnp.ones(WIDTH), steps=5)
    norms = jnp.linalg.norm(out, axis=1)
    position = 0
    while position < len(norms) - 1 and norms[position] < 3.0:
        position += 1
    print(position, int(stop_argmax(norms, 3.0)), encode_static(out, True).shape)
    print(generate(params, jnp.ones(WIDTH), steps=5, style="prefix"))
    print(encode(out, True), stop_position(norms, 3.0), biases(jnp.arange(3)))


if __name__ == "__main__":
    main()
