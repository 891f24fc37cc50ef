"""Training with Flax, Optax and Equinox as their documentation shows it."""

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax
from flax.training.train_state import TrainState


class Net(nn.Module):
    """Dropout and batch statistics are switched by static flags."""

    width: int = 4
    dropout: float = 0.1

    @nn.compact
    def __call__(self, x, train: bool = False):
        x = nn.Dense(self.width)(x)
        mean = self.variable("stats", "mean", jnp.zeros, (self.width,))
        if train and not self.is_initializing():
            mean.value = 0.9 * mean.value + 0.1 * x.mean(axis=0)
        if self.dropout > 0:
            x = nn.Dropout(self.dropout, deterministic=not train)(x)
        return nn.Dense(1)(x - mean.value)[..., 0]


@jax.jit
def train_step(state, stats, key, x, y):
    def loss_fn(params):
        out, updates = state.apply_fn(
            {"params": params, "stats": stats},
            x,
            train=True,
            rngs={"dropout": key},
            mutable=["stats"],
        )
        return jnp.mean((out - y) ** 2), updates["stats"]

    (loss, stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(state.params)
    return state.apply_gradients(grads=grads), stats, loss


class Line(eqx.Module):
    slope: jax.Array
    offset: float = 0.0
    square: bool = eqx.field(static=True, default=False)

    def __call__(self, x):
        y = self.slope * x + self.offset
        return y**2 if self.square else y


@eqx.filter_jit
def fit(line, optimizer, state, x, y):
    loss, grads = eqx.filter_value_and_grad(lambda m: jnp.mean((m(x) - y) ** 2))(line)
    if line.offset > 0:
        loss = loss + line.offset
    updates, state = optimizer.update(grads, state, line)
    return eqx.apply_updates(line, updates), state, loss


def main():
    x, y = jnp.ones((3, 2)), jnp.zeros(3)
    net = Net()
    variables = net.init(jax.random.key(0), x)
    schedule = optax.warmup_cosine_decay_schedule(0.0, 0.1, 2, 5)
    tx = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(schedule))
    state = TrainState.create(apply_fn=net.apply, params=variables["params"], tx=tx)
    stats = variables["stats"]
    for step in range(2):
        key = jax.random.fold_in(jax.random.key(1), step)
        state, stats, loss = train_step(state, stats, key, x, y)
        if float(loss) < 1e-6 or int(state.step) > 10:
            break
    optimizer = optax.sgd(0.1)
    line = Line(jnp.ones(()))
    line, _, loss = fit(line, optimizer, optimizer.init(eqx.filter(line, eqx.is_array)), y, y)
    print(f"{loss:.3f} {line.slope:.2f}")


if __name__ == "__main__":
    main()
