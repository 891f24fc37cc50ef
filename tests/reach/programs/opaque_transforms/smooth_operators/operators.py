"""Functions with derivatives of their own."""

import jax
import jax.numpy as jnp
import numpy as np

backward_norms = []


@jax.custom_vjp
def clipped(x, limit):
    """The identity, whose gradient is clipped."""
    return x


def clipped_forward(x, limit):
    return x, limit


def clipped_backward(limit, cotangent):
    norm = jnp.linalg.norm(cotangent)
    backward_norms.append(norm)  # expect: JIT202 @norms
    if norm > limit:  # expect: JIT101 @clip
        cotangent = cotangent * limit / norm
    return cotangent, None


clipped.defvjp(clipped_forward, clipped_backward)


@jax.custom_jvp
def log1pexp(x):
    return jnp.log1p(jnp.exp(x))


@log1pexp.defjvp
def log1pexp_jvp(primals, tangents):
    (x,), (dx,) = primals, tangents
    if x > 30.0:  # expect: JIT101 @large
        return x, dx
    return log1pexp(x), jax.nn.sigmoid(x) * dx


@jax.custom_jvp
def soft_sign(x, sharpness):
    return jnp.tanh(sharpness * x)


soft_sign.defjvps(
    lambda dx, out, x, sharpness: dx * sharpness * (1 - np.square(out)),  # expect: JIT106 @slope
    None,
)


@jax.custom_vjp
def rounded(x):
    return jnp.round(x)


rounded.defvjp(lambda x: (jnp.round(x), None), lambda _, g: (g,))


@jax.jit
def train(w, x):
    return jax.grad(lambda w: jnp.sum(clipped(w * x, 0.5)))(w)


@jax.jit
def energy_slope(x):
    return jax.grad(log1pexp)(x)


@jax.jit
def sign_slope(x):
    return jax.jacfwd(soft_sign)(x, 2.0)


@jax.jit
def straight_through(x):
    return jax.grad(lambda x: jnp.sum(rounded(x) ** 2))(x)


@jax.jit
def pulled(x):
    """Through lambdas."""
    out, pull = jax.vjp(lambda v: v if v.sum() > 0 else -v, x)  # expect: JIT101 @lambda
    return pull(out)


@jax.jit
def tangent(x):
    out, push = jax.linearize(lambda v: v * float(v[0]), x)  # expect: JIT105 @linear
    return push(out)
