"""Looks like a fault of JIT303.

The dict calls the builder only for a size that it does not hold, and keeps what it returns.
"""
import jax
import jax.numpy as jnp


class Programs(dict):
    def __init__(self, build):
        super().__init__()
        self.build = build

    def __missing__(self, size):
        self[size] = program = self.build(size)
        return program


class Embedder:
    def __init__(self, width):
        self.table = jnp.arange(100.0 * width).reshape(100, width)
        self.traces = 0
        self.by_size = Programs(self.program_for)

    def program_for(self, size):
        def embed(table, tokens):
            self.traces += 1
            return table[tokens].mean(axis=0) * (size / (size + 1))
        return jax.jit(embed)

    def __call__(self, tokens):
        size = 4 if len(tokens) <= 4 else 8
        padded = jnp.array(tokens + [0] * (size - len(tokens)))
        return self.by_size[size](self.table, padded)


def serve(embedder, requests):
    return [embedder(request) for request in requests]


if __name__ == "__main__":
    embedder = Embedder(2)
    answers = serve(embedder, [[1], [1, 2, 3], [4] * 7, [5] * 4, [6] * 8])
    assert len(answers) == 5 and answers[0].shape == (2,)
    assert embedder.traces == 2
    assert all(program._cache_size() == 1 for program in embedder.by_size.values())
