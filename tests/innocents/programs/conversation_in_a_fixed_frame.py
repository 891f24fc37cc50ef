"""Looks like a fault of JIT307.

`__array__` gives a frame of one size, however long the object is.

NumPy's asarray asks the history for it, and pads nothing itself.
"""
import jax
import jax.numpy as jnp
import numpy as np


class History:
    """Tokens of a conversation; what the model sees is its last `frame`."""

    def __init__(self, tokens=(), frame=16):
        self.tokens = list(tokens)
        self.frame = frame

    def __len__(self):
        return len(self.tokens)

    def __array__(self, dtype=None, copy=None):
        framed = np.zeros(self.frame, dtype or np.int32)
        recent = self.tokens[-self.frame :]
        if recent:
            framed[-len(recent) :] = recent
        return framed

    def append(self, token):
        self.tokens.append(int(token))


@jax.jit
def next_token(tokens):
    weights = jnp.arange(1, tokens.shape[0] + 1)
    return jnp.sum(tokens * weights) % 50 + 1


def reply(history, count):
    for _ in range(count):
        history.append(next_token(np.asarray(history)))
    return history


if __name__ == "__main__":
    history = reply(History([3, 1, 4]), 20)
    assert len(history) == 23
    assert next_token._cache_size() == 1
    again = reply(History([3, 1, 4]), 20)
    assert again.tokens == history.tokens and max(again.tokens) <= 50
