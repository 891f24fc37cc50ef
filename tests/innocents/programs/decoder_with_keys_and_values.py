"""Looks like a fault of JIT313.

`clear_cache` is a method of the decoder: it empties its keys and values.

The decoder hands everything else over to the compiled step by `__getattr__`.
"""
import jax
import jax.numpy as jnp


@jax.jit
def step(cache, position, token):
    cache = cache.at[position].set(token)
    visible = jnp.arange(cache.shape[0]) <= position
    return cache, jnp.sum(jnp.where(visible, cache, 0)) % 11


class Decoder:
    def __init__(self, program, length):
        self.program = program
        self.length = length
        self.clear_cache()

    def __getattr__(self, name):
        return getattr(self.program, name)

    def clear_cache(self):
        self.cache = jnp.zeros(self.length, jnp.int32)
        self.position = 0

    def __call__(self, token):
        self.cache, token = self.program(self.cache, self.position, token)
        self.position += 1
        return token


decode = Decoder(step, length=16)


def answer(prompts, count):
    answers = []
    for prompt in prompts:
        decode.clear_cache()
        token = prompt
        for _ in range(count):
            token = decode(token)
        answers.append(int(token))
    return answers


if __name__ == "__main__":
    first = answer([3, 5, 3], 4)
    size = decode._cache_size()
    assert first[0] == first[2] and size <= 2
    assert answer([3, 5, 3, 7], 4)[:3] == first
    assert decode._cache_size() == size
