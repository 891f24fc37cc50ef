import jax
import jax.numpy as jnp


def update_norm(old, new):
    return jnp.sqrt(sum(jnp.sum((a - b) ** 2) for a, b in zip(jax.tree.leaves(old), jax.tree.leaves(new))))  # expect: JIT310 @norm
