"""Training and evaluation steps with a TrainState."""

import functools

import jax
import jax.numpy as jnp
import optax
from flax.training import train_state


class State(train_state.TrainState):
    key: jax.Array
    best: jax.Array


def create(model, key, features=4):
    params = model.init(key, jnp.ones((1, features)))["params"]
    return State.create(
        apply_fn=model.apply, params=params, tx=optax.adam(1e-2), key=key, best=jnp.inf
    )


@functools.partial(jax.jit, static_argnames=("dropout",))
def train_step(state, batch, dropout=True):
    key = jax.random.fold_in(state.key, state.step)

    def loss_fn(params):
        extra = {"train": True, "rngs": {"dropout": key}} if dropout else {}
        logits = state.apply_fn({"params": params}, batch["x"], **extra)
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"])
        if "weight" in batch:
            loss = loss * batch["weight"]
        return loss.mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


@jax.jit
def guarded_step(state: State, batch):
    """Apply the update only when the loss is finite."""
    new_state, loss = train_step(state, batch)
    skip = not jnp.isfinite(loss)  # expect: JIT104 @finite
    return state if skip else new_state


@jax.jit
def logged_step(state, batch):
    state, loss = train_step(state, batch)
    jax.debug.print(f"loss {loss:.4f}")  # expect: JIT105 @format
    return state


@jax.jit
def wrong_inputs(state, batch):
    """The inputs that the model gets wrong."""
    logits = state.apply_fn({"params": state.params}, batch["x"])
    wrong = logits.argmax(-1) != batch["y"]
    return batch["x"][wrong]  # expect: JIT109 @wrong


@jax.jit
def error_rate(state, batch):
    logits = state.apply_fn({"params": state.params}, batch["x"])
    return jnp.mean(logits.argmax(-1) != batch["y"])
