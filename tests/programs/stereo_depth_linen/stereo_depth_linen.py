"""Depth from stereo pairs; Linen variables are assigned to inside the modules."""

import logging

import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training import train_state

logger = logging.getLogger(__name__)


class RunningRange(nn.Module):
    """Scales by the largest value met in training."""

    decay: float = 0.9

    @nn.compact
    def __call__(self, x, train: bool):
        largest = self.variable("range", "largest", lambda: jnp.ones(()))
        if train and not self.is_initializing():
            largest.value = self.decay * largest.value + (1 - self.decay) * jnp.max(jnp.abs(x))
        return x / largest.value


class CostVolume(nn.Module):
    """Correlates the right view, shifted, with the left one."""

    shifts: int = 4

    def setup(self):
        self.encode = nn.Dense(6)
        self.scale = RunningRange()
        self.blocks = [nn.Dense(self.shifts) for _ in range(2)]

    def __call__(self, left, right, train: bool = False):
        left, right = self.encode(left[..., None]), self.encode(right[..., None])
        costs = []
        for shift in range(self.shifts):
            costs.append(jnp.sum(left * jnp.roll(right, shift, axis=-2), -1))
        volume = self.scale(jnp.stack(costs, -1), train)
        self.sow("intermediates", "volume", volume)
        for block in self.blocks:
            volume = volume + nn.relu(block(volume))
        weights = nn.softmax(volume)
        return jnp.sum(weights * jnp.arange(self.shifts), -1)


class State(train_state.TrainState):
    """Parameters, optimizer and the running range."""

    ranges: dict


class DepthTrainer:
    """Keeps the state and calls the compiled step."""

    def __init__(self, seed=0, size=8):
        self.model = CostVolume()
        variables = self.model.init(jax.random.key(seed), *(jnp.ones((2, size)),) * 2)
        self.state = State.create(
            apply_fn=self.model.apply,
            params=variables["params"],
            tx=optax.adam(1e-3),
            ranges=variables["range"],
        )
        self.step_count = 0
        self.losses = []
        self._step = jax.jit(self._update)

    def _update(self, state, pair, depth):
        def loss_fn(params):
            variables = {"params": params, "range": state.ranges}
            predicted, changed = state.apply_fn(
                variables, *pair, train=True, mutable=["range", "intermediates"]
            )
            report = {"range": changed["range"]}
            report["volume"] = changed["intermediates"]["volume"][0].mean()
            return jnp.mean(jnp.abs(predicted - depth)), report

        (loss, report), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
        ranges = report.pop("range")
        return state.apply_gradients(grads=grads, ranges=ranges), loss

    def train(self, examples):
        """One pass over (pair, depth) examples."""
        for pair, depth in examples:
            self.state, loss = self._step(self.state, pair, depth)
            self.step_count += 1
            self.losses.append(float(loss))
            logger.info("step %d: %.3f", self.step_count, self.losses[-1])
        return self.state
