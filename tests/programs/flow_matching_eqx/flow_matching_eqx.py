"""Flow matching on the plane with an Equinox vector field."""

import equinox as eqx
import jax
import jax.numpy as jnp
import jax.random as jr
import optax

PROFILE = {"forward": 0}


class VectorField(eqx.Module):
    """A velocity for every place and time."""

    layers: list
    activation: callable = eqx.field(static=True)
    gain: jax.Array

    def __init__(self, width, key):
        first, second = jr.split(key)
        self.layers = [eqx.nn.Linear(3, width, key=first), eqx.nn.Linear(width, 2, key=second)]
        self.activation = jnp.tanh
        self.gain = jnp.ones(())

    def __call__(self, t, y):
        PROFILE["forward"] += 1  # expect: JIT202 @profile
        hidden = jnp.append(y, t)
        for layer in self.layers[:-1]:
            hidden = self.activation(layer(hidden))
        return self.gain * self.layers[-1](hidden)

    def divergence(self, t, y):
        """Trace of the Jacobian."""
        return jnp.trace(jax.jacfwd(lambda place: self(t, place))(y))


def matching_loss(field, targets, key):
    """Mean squared distance to the straight line's velocity."""
    key_t, key_y = jr.split(key)
    start = jr.normal(key_y, targets.shape)
    t = jr.uniform(key_t, targets.shape[:1])
    between = (1 - t[:, None]) * start + t[:, None] * targets
    error = jax.vmap(field)(t, between) - (targets - start)
    return jnp.mean(error**2)


@eqx.filter_jit
def step(field, opt_state, targets, key, tx):
    """One update; the optimizer is static."""
    loss, grads = eqx.filter_value_and_grad(matching_loss)(field, targets, key)
    print("flow loss", loss)  # expect: JIT201 @loss
    updates, opt_state = tx.update(grads, opt_state)
    return eqx.apply_updates(field, updates), opt_state, loss


@eqx.filter_jit
def sample_path(field, start, times):
    """Euler's method; every place on the way."""
    path = jnp.zeros((times.shape[0] + 1, *start.shape))
    path = path.at[0].set(start)
    place = start
    for index in range(times.shape[0]):
        place = place + field(times[index], place) / times.shape[0]
        path.at[index + 1].set(place)  # expect: JIT212 @path
    return path


class Judge:
    """Compares samples with data."""

    def __init__(self, data):
        self.centre = jnp.mean(data, 0)

    @jax.jit  # expect: JIT309 @judge
    def distance(self, samples):
        return jnp.linalg.norm(jnp.mean(samples, 0) - self.centre)


def train(data, key, steps=3):
    """Fit a field."""
    model_key, loop_key = jr.split(key)
    field = VectorField(8, model_key)
    tx = optax.adam(1e-2)
    opt_state = tx.init(eqx.filter(field, eqx.is_array))
    losses = []
    for step_key in jr.split(loop_key, steps):
        field, opt_state, loss = step(field, opt_state, data, step_key, tx)
        losses.append(loss.item())
    return field, losses


def speeds(fields, places):
    """Mean speed at time one half for several trained fields."""
    found = []
    for field in fields:
        speed = eqx.filter_jit(lambda f, ys: jax.vmap(lambda y: f(0.5, y))(ys))  # expect: JIT301 @speed
        found.append(float(jnp.mean(jnp.abs(speed(field, places)))))
    return found
