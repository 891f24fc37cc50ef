"""Looks like a fault of JIT101.

The base class compiles the step with the static arguments that the subclass lists in a class attribute.
"""

import jax
import jax.numpy as jnp


class Trainer:
    static_args = ()

    def __init__(self, rate=0.1):
        self.rate = rate
        self.compiled = jax.jit(self.step, static_argnames=self.static_args)

    def step(self, params, batch, **flags):
        raise NotImplementedError

    def fit(self, params, batches, **flags):
        losses = []
        for batch in batches:
            params, loss = self.compiled(params, batch, **flags)
            losses.append(float(loss))
        return params, losses


class DenoisingTrainer(Trainer):
    """Learns to restore every second feature, or plain reconstruction."""

    static_args = ("corrupt",)

    def step(self, params, batch, corrupt):
        inputs = batch
        if corrupt:
            inputs = batch * (jnp.arange(batch.shape[-1]) % 2)

        def loss(params):
            return jnp.mean((inputs @ params - batch) ** 2)

        value, grads = jax.value_and_grad(loss)(params)
        return params - self.rate * grads, value


if __name__ == "__main__":
    trainer = DenoisingTrainer()
    data = [jnp.ones((8, 4)) * scale for scale in (1.0, 0.5, 0.25)]
    _, noisy = trainer.fit(jnp.eye(4), data, corrupt=True)
    _, plain = trainer.fit(jnp.eye(4), data, corrupt=False)
    assert plain[0] == 0.0 and abs(noisy[0] - 0.5) < 1e-6
    assert trainer.compiled._cache_size() == 2
