"""Static modes that really are static: all their values are fine."""

from functools import partial

import jax
import jax.numpy as jnp


@partial(jax.jit, static_argnames=("shading", "verbose", "bounces"))
def render(normals, light, shading="flat", verbose=False, bounces=None):
    """Brightness of a surface."""
    facing = jnp.clip(normals @ light, 0.0)
    if verbose:
        jax.debug.print("brightest {b}", b=facing.max())
    if shading == "flat":
        image = facing
    elif shading == "toon":
        image = jnp.round(facing * 3) / 3
    else:
        raise ValueError(f"no shading {shading!r}")
    if bounces is not None and bounces > 0:
        for bounce in range(bounces):
            image = image + 0.5 ** (bounce + 1) * facing
    return image


def make_camera(exposure=None, clip=None, compiled=True):
    """A camera with optional corrections."""

    def shoot(image):
        if exposure is not None and exposure > 1.0:
            image = image * exposure
        if clip is not None:
            image = jnp.minimum(image, clip)
        return image

    return jax.jit(shoot) if compiled else shoot


def main(debug=False):
    normals = jnp.eye(3)
    light = jnp.array([0.0, 0.6, 0.8])
    image = render(normals, light, shading="toon", bounces=2)
    camera = make_camera(exposure=2.0, compiled=not debug)
    shot = camera(image)
    if debug and shot.max() > 1.0:
        print("over-exposed by", float(shot.max()) - 1.0)
    return shot


if __name__ == "__main__":
    main()
