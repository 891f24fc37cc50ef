"""Looks like a fault of JIT107.

`finalize` replaces the list of blocks by one stacked array before anything is compiled.
"""
import jax
import jax.numpy as jnp


class Stack:
    def __init__(self):
        self.blocks = []
        self.biases = []

    def add(self, block, bias):
        self.blocks.append(jnp.asarray(block))
        self.biases.append(bias)
        return self

    def finalize(self):
        for name, value in vars(self).items():
            if isinstance(value, list):
                setattr(self, name, jnp.stack([jnp.asarray(v, jnp.float32) for v in value]))
        return self

    def __call__(self, x):
        def body(i, h):
            return jnp.tanh(self.blocks[i] @ h + self.biases[i])
        return jax.lax.fori_loop(0, len(self.blocks), body, x)


def build(depth, width):
    stack = Stack()
    for layer in range(depth):
        stack.add(jnp.eye(width) * (layer + 1), 0.1 * layer)
    return stack.finalize()


if __name__ == "__main__":
    model = build(3, 2)
    forward = jax.jit(model.__call__)
    out = forward(jnp.array([0.5, -0.5]))
    expected = jnp.array([0.5, -0.5])
    for layer in range(3):
        expected = jnp.tanh((layer + 1) * expected + 0.1 * layer)
    assert jnp.allclose(out, expected, atol=1e-5)
