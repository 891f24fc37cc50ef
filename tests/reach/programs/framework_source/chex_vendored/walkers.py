"""Random walkers, harmless on vendored code."""

import jax
import jax.numpy as jnp

from third_party import chex


@chex.dataclass
class Walkers:
    position: jax.Array
    energy: jax.Array

    def count(self):
        return self.position.shape[0]


@jax.jit
def walk(key, walkers):
    chex.assert_rank(walkers.position, 2)
    moved = walkers.position + 0.1 * jax.random.normal(key, walkers.position.shape)
    chex.assert_equal_shape([moved, walkers.position])
    if walkers.count() > 1:
        moved = moved - moved.mean(axis=0)
    if "energy" in walkers and len(walkers) == 2:
        return walkers.replace(position=moved, energy=jnp.sum(moved**2, axis=1))
    return walkers.replace(position=moved)


def main(rounds=2):
    walkers = Walkers(position=jnp.zeros((3, 2)), energy=jnp.zeros(3))
    for key in jax.random.split(jax.random.key(0), rounds):
        walkers = walk(key, walkers)
        if float(walkers.energy.sum()) > 10.0:
            break
    return walkers


if __name__ == "__main__":
    print(main())
