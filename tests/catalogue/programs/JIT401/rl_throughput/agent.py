import jax
import jax.numpy as jnp


class Agent:
    def __init__(self, width=350):
        self.w = jnp.eye(width)
        self._update = jax.jit(self._learn)

    @staticmethod
    def _learn(w, batch):
        def loss(w):
            for _ in range(6):
                batch_out = jnp.tanh(batch @ w)
            return jnp.mean((batch_out @ w @ w @ w) ** 2)

        return w - 0.01 * jax.grad(loss)(w)

    def update(self, batch):
        """Leaves its work to the device."""
        self.w = self._update(self.w, batch)

    def act(self, state):
        return int(jnp.argmax(state @ self.w))
