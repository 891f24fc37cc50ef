"""Looks like a fault of JIT104.

The operands of `or` and `and` are the tuple of bias arrays and the dict of masks a request carries, whose truth is their length and not their values.
"""

import jax
import jax.numpy as jnp
import numpy as np

DEFAULT_BIAS = np.array([0.0, 0.0, -5.0, 0.0], dtype=np.float32)


@jax.jit
def process_logits(logits, biases, masks):
    biases = biases or (DEFAULT_BIAS,)
    for bias in biases:
        logits = logits + bias
    allowed = masks and masks.get("allowed")
    if not (masks and biases):
        return jax.nn.log_softmax(logits)
    if allowed is not None:
        logits = jnp.where(allowed, logits, -1e9)
    return jax.nn.log_softmax(logits)


class Request:
    def __init__(self, logits, *biases, **masks):
        self.logits = jnp.asarray(logits, jnp.float32)
        self.biases = tuple(jnp.asarray(b, jnp.float32) for b in biases)
        self.masks = {name: jnp.asarray(m) for name, m in masks.items()}

    def best_token(self):
        return int(process_logits(self.logits, self.biases, self.masks).argmax())


if __name__ == "__main__":
    raw = [1.0, 0.5, 3.0, 0.0]
    assert Request(raw).best_token() == 0
    assert Request(raw, [0, 0, 0, 0]).best_token() == 2
    assert Request(raw, [0, 0, 0, 0], [0, 9, 0, 0]).best_token() == 1
    banned = Request(raw, [0, 0, 0, 0], allowed=[False, True, False, True])
    assert banned.best_token() == 1
    assert process_logits._cache_size() == 4
    for shift in range(5):
        Request(np.roll(raw, shift), [0, 0, 0, 0]).best_token()
    assert process_logits._cache_size() == 4
