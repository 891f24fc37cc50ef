"""Signed distances; shapes register themselves, and scenes are built of them."""

import jax.numpy as jnp

SHAPES = {}
_made = []


def shape(name):
    def keep(factory):
        def counted(*sizes):
            _made.append(name)
            return factory(*sizes)

        SHAPES[name] = counted
        return counted

    return keep


@shape("sphere")
def sphere(centre, radius):
    centre = jnp.asarray(centre)
    return lambda p: jnp.linalg.norm(p - centre) - radius


@shape("floor")
def floor(height):
    return lambda p: p[1] - height


def union(parts):
    def distance(p):
        nearest = []
        for part in parts:
            nearest.append(part(p))
        return jnp.stack(nearest).min()

    return distance


def build(description):
    """A scene from tuples of a name and its sizes."""
    return union([SHAPES[name](*sizes) for name, *sizes in description])
