"""A regression with the state of Flax."""

import jax
import jax.numpy as jnp
import optax

from flax import struct
from flax.training import train_state


class State(train_state.TrainState):
    """With an average of the loss."""

    average: jax.Array
    patience: int = struct.field(pytree_node=False, default=3)

    def plateaued(self, loss):
        return loss > self.average


@struct.dataclass
class Batch:
    """Inputs and targets."""

    x: jax.Array
    y: jax.Array
    kind: str = struct.field(pytree_node=False, default="train")

    def check(self):
        if not self.y.any():  # expect: JIT101 @targets
            raise ValueError("no targets")
        return self


def predict(params, x):
    return x @ params["w"]


@jax.jit
def train_step(state, batch):
    def loss_fn(params):
        return jnp.mean((state.apply_fn(params, batch.x) - batch.y) ** 2)

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    if state.patience > 2 and state.plateaued(loss):  # expect: JIT101 @plateau
        return state
    return state.apply_gradients(grads=grads, average=0.9 * state.average + 0.1 * loss)


@jax.jit
def save_name(state):
    """Every step has a name."""
    return state.params, f"step-{state.step:06d}"  # expect: JIT105 @step


@jax.jit
def checked(batch: Batch):
    return batch.check().x


@jax.jit
def evaluate(state, batch):
    error = state.apply_fn(state.params, batch.x) - batch.y
    return jnp.abs(error).max() if batch.kind == "test" else jnp.mean(error**2)


def create(size=2):
    return State.create(
        apply_fn=predict,
        params={"w": jnp.zeros(size)},
        tx=optax.sgd(0.1),
        average=jnp.zeros(()),
    )
