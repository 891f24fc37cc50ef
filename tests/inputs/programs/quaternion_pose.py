"""Rotations by quaternions of four numbers."""

import jax
import jax.numpy as jnp


def multiply(p, q):
    if p.shape != (4,) or q.shape != (4,):
        raise ValueError("a quaternion has four numbers")
    w, v = p[0], p[1:]
    s, u = q[0], q[1:]
    return jnp.concatenate([(w * s - v @ u)[None], w * u + s * v + jnp.cross(v, u)])


def conjugate(q):
    return q * jnp.array([1.0, -1.0, -1.0, -1.0])


def rotate(q, point):
    norm = jnp.linalg.norm(q)
    if abs(norm - 1.0) > 1e-3:  # expect: JIT101 @unit
        q = q / norm
    pure = jnp.concatenate([jnp.zeros(1), point])
    return multiply(multiply(q, pure), conjugate(q))[1:]


rotate_all = jax.jit(jax.vmap(rotate, in_axes=(None, 0)))


@jax.jit
def slerp(p, q, t):
    dot = multiply(conjugate(p), q)[0]
    q = -q if dot < 0 else q  # expect: JIT101 @shortest
    angle = jnp.arccos(jnp.clip(jnp.abs(dot), 0.0, 1.0))
    return jnp.sin((1 - t) * angle) * p + jnp.sin(t * angle) * q
