"""Layers that ask for the mesh while they are traced."""

import jax
import jax.numpy as jnp

import meshes


def split_heads(x):
    """One slice for every device of the model axis."""
    parts = meshes.current().size("model")
    return x.reshape(parts, -1, x.shape[-1])


def attention(x, mask):
    heads = split_heads(x)
    weights = jax.nn.softmax(heads @ heads.swapaxes(1, 2))
    if mask.all():  # expect: JIT101 @mask
        return weights @ heads
    return (weights * mask) @ heads


def experts(x, capacity):
    """Send rows to experts, up to a capacity."""
    count = meshes.default().size("expert")
    scores = jnp.sum(x, axis=-1)
    chosen = [x[i::count] for i in range(capacity)]  # expect: JIT107 @capacity
    return jnp.concatenate(chosen) * scores.mean()


@jax.jit
def block(x, mask):
    return attention(x, mask)


@jax.jit
def routed(x, capacity):
    return experts(x, capacity)


@jax.jit
def balanced(x):
    """The load of every device."""
    heads = split_heads(x)
    load = jnp.abs(heads).sum(axis=(1, 2))
    return load / float(load.max())  # expect: JIT105 @load


def main():
    meshes.set_default(meshes.Mesh((("expert", 2),)))
    x = jnp.ones((4, 3))
    with meshes.use_mesh(meshes.Mesh((("model", 2),))):
        print(block(x, jnp.ones((2, 2))), balanced(x))
    print(routed(x, 2))


if __name__ == "__main__":
    main()
