"""Forward kinematics of a chain of joints."""

import jax
import jax.numpy as jnp


def rotation(axis, angle):
    x, y, z = axis
    skew = jnp.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return jnp.eye(3) + jnp.sin(angle) * skew + (1 - jnp.cos(angle)) * skew @ skew


def forward(links, angles):
    frame, origin = jnp.eye(3), jnp.zeros(3)
    positions = []
    for link, angle in zip(links, angles, strict=True):
        if angle != 0:  # expect: JIT101 @bent
            frame = frame @ rotation(link["axis"], angle)
        origin = origin + frame @ link["offset"]
        positions.append(origin)
    return jnp.stack(positions)


jacobian = jax.jit(jax.jacfwd(forward, argnums=1))
