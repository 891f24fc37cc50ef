"""Train the two networks in turns."""

import jax
import jax.numpy as jnp
import optax

import telemetry
from networks import Critic, Generator, fast_penalty, log_density


def excess(norm):
    """How far a slope is from one."""
    return (norm - 1.0) ** 2


class Gan:
    """Both networks, their optimizers and a compiled step."""

    def __init__(self, key):
        first, second = jax.random.split(key)
        self.generator, self.critic = Generator(), Critic()
        self.params = {
            "generator": self.generator.init(first, jnp.ones((1, 3))),
            "critic": self.critic.init(second, jnp.ones((1, 2))),
        }
        self.tx = optax.adam(1e-3)
        self.opt_state = self.tx.init(self.params)
        self.step = jax.jit(self._step)

    def _losses(self, params, noise, real):
        fake = self.generator.apply(params["generator"], noise)
        losses = {}
        losses["generator"] = -jnp.mean(self.critic.apply(params["critic"], fake))
        losses["critic"] = -losses["generator"] - jnp.mean(self.critic.apply(params["critic"], real))
        for name, loss in losses.items():
            telemetry.record(name, loss)
            jax.debug.callback(telemetry.record_on_host, name, loss)
            setattr(self, f"{name}_loss", loss)  # expect: JIT204 @losses
        return losses["generator"] + 0.1 * losses["critic"]

    def _step(self, params, opt_state, noise, real):
        total, grads = jax.value_and_grad(self._losses)(params, noise, real)
        telemetry.latest = total  # expect: JIT204 @latest
        updates, opt_state = self.tx.update(grads, opt_state)
        return optax.apply_updates(params, updates), opt_state

    def train(self, real, key, steps=3):
        """A few steps."""
        for step_key in jax.random.split(key, steps):
            noise = jax.random.normal(step_key, (real.shape[0], 3))
            self.params, self.opt_state = self.step(self.params, self.opt_state, noise, real)
        return telemetry.tail("critic")

    def smoothness(self, points):
        """The penalty of the present critic."""
        return fast_penalty(self.params["critic"], points, excess)  # expect: JIT308 @squash


def compile_sampler(generator, argument="sample_count"):
    """A compiled sampler."""

    def sample(params, key, count):
        return generator.apply(params, jax.random.normal(key, (count, 3)))

    if argument == "sample_count":
        return jax.jit(sample, static_argnames=("sample_count",))  # expect: JIT305 @sampler
    return jax.jit(sample, static_argnames=("count",))


def compile_blend():
    """A compiled mixture of two batches."""

    def blend(first, second, rounds):
        for _ in range(rounds):
            first = 0.5 * (first + second)
        return first

    return jax.jit(blend, static_argnums=(3,))  # expect: JIT305 @blend


def likelihood(mixture, points):
    """Mean log density of generated points."""
    return jnp.mean(log_density(mixture, points))
