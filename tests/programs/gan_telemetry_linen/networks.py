"""Generator and critic."""

import flax.linen as nn
import jax
import jax.numpy as jnp

import telemetry


class Generator(nn.Module):
    """Noise to points."""

    width: int = 8

    @nn.compact
    def __call__(self, noise):
        order = telemetry.ordinal("generator")
        hidden = nn.relu(nn.Dense(self.width)(noise))
        return nn.Dense(2)(hidden) + 0.0 * order


class Critic(nn.Module):
    """Points to scores."""

    width: int = 8

    def setup(self):
        self.hidden = nn.Dense(self.width)
        self.score = nn.Dense(1)

    def __call__(self, points):
        return self.score(nn.leaky_relu(self.hidden(points)))[..., 0]


class Mixture:
    """The data: a few bumps."""

    def __init__(self, centres):
        self.centres = centres

    def log_density(self, points):
        """Unnormalised."""
        squares = jnp.sum((points[:, None] - self.centres) ** 2, -1)
        return jax.nn.logsumexp(-8.0 * squares, axis=1)


log_density = jax.jit(Mixture.log_density)  # expect: JIT309 @density


def penalty(params, points, squash):
    """Smoothness of the critic."""
    slopes = jax.vmap(jax.grad(lambda p: Critic().apply(params, p)))(points)
    return jnp.mean(squash(jnp.linalg.norm(slopes, axis=1)))


fast_penalty = jax.jit(penalty)
