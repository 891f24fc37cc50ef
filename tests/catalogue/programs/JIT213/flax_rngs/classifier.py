"""Dropout in Flax, with the collection of keys made on the spot."""

import flax.linen as nn
import jax
import optax
from flax.training.train_state import TrainState


class Classifier(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.relu(nn.Dense(8)(x))
        x = nn.Dropout(0.5, deterministic=not train)(x)
        return nn.Dense(2)(x)


def create_state(key, x):
    model = Classifier()
    params = model.init(key, x, train=False)["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.sgd(0.1))


@jax.jit
def logits(state, x):
    return state.apply_fn({"params": state.params}, x, rngs={"dropout": jax.random.PRNGKey(0)})  # expect: JIT213 @rngs


@jax.jit
def train_step(state, x, y):
    dropout_key = jax.random.fold_in(jax.random.PRNGKey(1), state.step)

    def loss_fn(params):
        out = state.apply_fn({"params": params}, x, rngs={"dropout": dropout_key})
        return optax.softmax_cross_entropy_with_integer_labels(out, y).mean()

    return state.apply_gradients(grads=jax.grad(loss_fn)(state.params))
