"""RandAugment-like policies: each image picks its own operation."""

import jax
import jax.numpy as jnp
from jax import lax

LEVELS = 4


def identity(image, strength):
    return image


def brighten(image, strength):
    return jnp.clip(image + 0.3 * strength, 0.0, 1.0)


def contrast(image, strength):
    mean = image.mean()
    return mean + (1.0 + strength) * (image - mean)


def autocontrast(image, strength):
    middle = float(image.mean())  # expect: JIT105 @middle
    return jnp.clip(middle + (1.0 + strength) * (image - middle), 0.0, 1.0)


def posterise(image, strength):
    """Keep only a few grey levels."""
    levels = 2 ** int(1 + 6 * strength)  # expect: JIT105 @levels
    return jnp.round(image * levels) / levels


def solarise(image, strength):
    return jnp.where(image > 1.0 - strength, 1.0 - image, image)


def cutout(image, strength):
    """Grey out a corner whose size grows with the strength."""
    side = jnp.round(image.shape[0] * strength).astype(int)
    return image.at[:side, :side].set(0.5)  # expect: JIT107 @cutout


def turn(image, strength, quarters=1):
    if quarters % 2 and image.shape[0] != image.shape[1]:
        raise ValueError("only square images turn by a quarter")
    return jnp.rot90(image, quarters)


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


@jax.jit
def blend(image, other, weight):
    """Mix two images with one weight, or with a weight map."""
    if isinstance(weight, float):  # expect: JIT112 @weight
        return weight * image + (1 - weight) * other
    return jnp.where(weight > 0.5, image, other)


@jax.jit
def blend_maps(image, other, weight):
    if not isinstance(weight, jax.Array):
        raise TypeError("a weight map is needed")
    if weight.ndim == 0 or weight.shape == image.shape:
        return weight * image + (1 - weight) * other
    return weight[..., None] * image + (1 - weight[..., None]) * other


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
