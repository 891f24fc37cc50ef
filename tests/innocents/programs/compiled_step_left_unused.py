"""Looks like a fault of JIT102.

What is compiled is kept under a private name that nothing reads: the loop runs as it is written.
"""

import jax
import jax.numpy as jnp


class Decoder:
    """Writes tokens until all rows have ended."""

    def __init__(self, weights, longest):
        self.weights = weights
        self.longest = longest
        self._compiled_decode = jax.jit(self._decode)

    def _next(self, tokens, step):
        scores = jnp.take(self.weights, tokens[:, step - 1], axis=0)
        return tokens.at[:, step].set(jnp.argmax(scores, axis=-1))

    def _decode(self, tokens, ended):
        step = 1
        while not jnp.all(ended):
            tokens = self._next(tokens, step)
            ended = ended | (tokens[:, step] == 0) | (step + 1 >= self.longest)
            print("step", step, tokens[:, step])
            step += 1
        return tokens

    def __call__(self, prompt):
        tokens = jnp.zeros((prompt.shape[0], self.longest), int).at[:, 0].set(prompt)
        # Until the cache is an array: return self._compiled_decode(tokens, ...)
        return self._decode(tokens, jnp.zeros(prompt.shape, bool))


decoder = Decoder(jnp.eye(5)[jnp.array([0, 3, 1, 2, 4])], 4)
print(decoder(jnp.array([1, 2])))
