"""RandAugment-like policies: each image picks its own operation."""

import jax
from jax import lax

from operations import autocontrast, brighten, contrast, cutout, identity, posterise, solarise

GENTLE = (identity, brighten, contrast, solarise)
RISKY = {"autocontrast": autocontrast, "posterise": posterise, "cutout": cutout}


def jitter_one(key, image, operations):
    pick_key, strength_key = jax.random.split(key)
    pick = jax.random.randint(pick_key, (), 0, len(operations))
    strength = jax.random.uniform(strength_key)
    return lax.switch(pick, operations, image, strength)


def jitter_direct(key, image, operations):
    pick = jax.random.randint(key, (), 0, len(operations))
    operation = operations[pick]  # expect: JIT107 @operation
    return operation(image, 0.5)


def jitter_batch(key, images, operations=GENTLE, one=jitter_one):
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(lambda k, image: one(k, image, operations))(keys, images)
