"""Looks like a fault of JIT310.

The params property returns a copy on every access, so the buffer that is donated is never the one that is read afterwards.
"""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import optax

optimiser = optax.sgd(0.1)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def update(params, opt_state, x, y):
    def loss(p):
        return jnp.mean((x @ p["w"] + p["b"] - y) ** 2)

    value, slopes = jax.value_and_grad(loss)(params)
    changes, opt_state = optimiser.update(slopes, opt_state, params)
    return optax.apply_updates(params, changes), opt_state, value


class Trainer:
    def __init__(self, width):
        self._params = {"w": jnp.zeros(width), "b": jnp.zeros(())}
        self._opt_state = optimiser.init(self._params)

    @property
    def params(self):
        return jax.tree.map(jnp.copy, self._params)

    def probe(self, x, y):
        state = jax.tree.map(jnp.copy, self._opt_state)
        after, _, value = update(self.params, state, x, y)
        moved = optax.global_norm(optax.tree.sub(after, self.params))
        return float(moved), float(value)

    def step(self, x, y):
        self._params, self._opt_state, value = update(
            self._params, self._opt_state, x, y
        )
        return float(value)


if __name__ == "__main__":
    rng = np.random.default_rng(1)
    x = jnp.asarray(rng.normal(size=(32, 3)), jnp.float32)
    y = x @ jnp.array([1.0, 2.0, 3.0]) + 0.5
    trainer = Trainer(3)
    for _ in range(3):
        moved, value = trainer.probe(x, y)
        assert not trainer.params["w"].is_deleted()
        assert moved > 0.0 and value == trainer.probe(x, y)[1]
        assert value == trainer.step(x, y)
    losses = [trainer.step(x, y) for _ in range(60)]
    assert losses[-1] < 1e-3 < losses[0]
    np.testing.assert_allclose(trainer.params["w"], [1.0, 2.0, 3.0], atol=0.05)
    print("final loss", losses[-1])
