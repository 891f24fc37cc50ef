"""Operations on one grey image."""

import jax.numpy as jnp


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
