"""Try the operations."""

import jax

from blending import blend, blend_maps
from operations import identity, turn
from policy import RISKY, jitter_batch, jitter_direct

LEVELS = 4


def sweep(images, names):
    """Apply operations at fixed strengths on the host."""
    results = {}
    for name in names:
        for level in range(1, LEVELS + 1):
            out = RISKY[name](images[0], level / LEVELS)
            results[name, level] = float(out.mean())
    return results


def main():
    key = jax.random.key(0)
    images = jax.random.uniform(key, (3, 8, 8))
    print(jitter_batch(key, images).mean())
    print(jax.jit(turn, static_argnames="quarters")(images[0], 1.0, quarters=2).shape)
    print(blend(images[0], images[1], 0.25).mean())
    print(blend_maps(images[0], images[1], images[2]).mean())
    print(sweep(images, ["autocontrast", "posterise"]))
    print(jitter_batch(key, images, one=jitter_direct).mean())
    for operation in RISKY.values():
        print(jitter_batch(key, images, (identity, operation)).mean())


if __name__ == "__main__":
    main()
