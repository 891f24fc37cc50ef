"""Compare the losses."""

import jax
import jax.numpy as jnp
import numpy as np

from gradients import clipped_step, eager_step
from losses import cross_entropy, entropy, focal_static, focal_traced, soft_cross_entropy, weighted


def main():
    logits = jax.random.normal(jax.random.key(0), (6, 3))
    labels = jnp.arange(6) % 3
    print(cross_entropy(logits, labels, 0.1), soft_cross_entropy(logits, labels, 0.1))
    losses = soft_cross_entropy(logits, labels, 0.1, reduction="none")
    if (losses > 5).any():
        print("large losses at", np.flatnonzero(np.asarray(losses) > 5))
    print(weighted(losses, jnp.array([1.0, 0, 0, 0, 0, 0])), focal_static(logits, labels, 2.0))
    print(eager_step(logits, labels).shape)
    print(focal_traced(logits, labels, 2.0), entropy(jax.nn.softmax(logits)))
    print(clipped_step(logits, labels, 0.1))


if __name__ == "__main__":
    main()
