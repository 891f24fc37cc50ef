"""A small classifier in Flax linen."""

from typing import Any, Callable, Sequence

import flax.linen as nn
import jax.numpy as jnp


class Mlp(nn.Module):
    sizes: Sequence[int]
    rate: float = 0.1
    activation: Callable = nn.relu
    dtype: Any = jnp.float32

    @nn.compact
    def __call__(self, x, train: bool = False):
        for index, size in enumerate(self.sizes):
            x = nn.Dense(size, dtype=self.dtype, name=f"dense_{index}")(x)
            if index < len(self.sizes) - 1:
                x = self.activation(x)
                x = nn.Dropout(self.rate, deterministic=not train)(x)
        return x


class Calibrated(nn.Module):
    """Divides the logits by a learned temperature."""

    inner: nn.Module
    learned: bool = True

    @nn.compact
    def __call__(self, x):
        logits = self.inner(x)
        if not self.learned:
            return logits
        temperature = self.param("temperature", nn.initializers.ones, ())
        if temperature <= 0:  # expect: JIT101 @temperature
            return logits
        return logits / temperature


class Router(nn.Module):
    """Sends the batch to one of several experts."""

    experts: int = 2
    soft: bool = False

    def setup(self):
        self.gate = nn.Dense(self.experts)
        self.layers = [nn.Dense(3) for _ in range(self.experts)]

    def __call__(self, x):
        scores = nn.softmax(self.gate(x)).mean(axis=0)
        outs = [layer(x) for layer in self.layers]
        if self.soft:
            return sum(score * out for score, out in zip(scores, outs))
        return outs[scores.argmax()]  # expect: JIT107 @expert
