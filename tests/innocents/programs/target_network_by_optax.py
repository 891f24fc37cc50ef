"""Looks like a fault of JIT310.

optax.incremental_update makes new arrays, also with a step size of one: the target shares no memory.
"""

import functools

import jax
import jax.numpy as jnp
import optax

optimiser = optax.sgd(0.1)


@functools.partial(jax.jit, donate_argnums=(0, 1))
def learn(params, opt_state, target, batch):
    state, reward, following = batch

    def loss(params):
        bootstrap = reward + 0.9 * jnp.max(following @ target["q"], axis=-1)
        return jnp.mean((jnp.max(state @ params["q"], axis=-1) - bootstrap) ** 2)

    updates, opt_state = optimiser.update(jax.grad(loss)(params), opt_state, params)
    return optax.apply_updates(params, updates), opt_state


class Agent:
    def __init__(self, features, actions, period):
        self.params = {"q": jnp.eye(features, actions)}
        self.target = {"q": jnp.zeros((features, actions))}
        self.opt_state = optimiser.init(self.params)
        self.period = period
        self.synchronise(1.0)

    def synchronise(self, share):
        self.target = optax.incremental_update(self.params, self.target, share)

    def run(self, batches):
        for count, batch in enumerate(batches, start=1):
            self.params, self.opt_state = learn(self.params, self.opt_state, self.target, batch)
            if count % self.period == 0:
                self.synchronise(1.0)
        return jnp.abs(self.params["q"] - self.target["q"]).max()


if __name__ == "__main__":
    agent = Agent(3, 2, period=3)
    batch = jnp.eye(3), jnp.ones(3), jnp.eye(3)[::-1]
    assert agent.run([batch] * 5) > 0.0
    assert jnp.isfinite(agent.target["q"]).all()
    assert agent.run([batch] * 6) == 0.0
    assert not agent.target["q"].is_deleted() and learn._cache_size() == 1
