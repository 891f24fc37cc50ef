"""A neural stochastic differential equation in Haiku."""

import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax


class Drift(hk.Module):
    """The drift network; options are fixed when the module is made."""

    def __init__(self, widths=(8,), gated=False, residual=True, name=None):
        super().__init__(name=name)
        self.widths = widths
        self.gated = gated
        self.residual = residual

    def __call__(self, t, x):
        hidden = jnp.concatenate([x, jnp.full((1,), t)])
        for number, width in enumerate(self.widths):
            hidden = jnp.tanh(hk.Linear(width, name=f"layer_{number}")(hidden))
        drift = hk.Linear(x.shape[-1])(hidden)
        if self.residual and x.ndim == 1:
            drift = drift - 0.1 * x
        return self.gate(drift) if self.gated else drift

    def gate(self, drift):
        strength = hk.get_parameter("strength", (), init=jnp.ones)
        if strength < 0:  # expect: JIT101 @gate
            return jnp.zeros_like(drift)
        return strength * drift


def euler_maruyama(drift, x0, key, steps, scale, dt=0.1):
    noise = jax.random.normal(key, (steps, *x0.shape))

    def step(carry, dw):
        t, x = carry
        x = x + dt * drift(t, x) + scale * jnp.sqrt(dt) * dw
        return (t + dt, x), x

    return hk.scan(step, (0.0, x0), noise)[1]


def stopped(drift, x0, key, steps, scale, dt=0.1):
    """Paths that rest once they have left the unit ball."""

    def step(x, k):
        move = dt * drift(0.0, x) + scale * jax.random.normal(k, x.shape)
        inside = jnp.linalg.norm(x) < 1.0
        x = x + (move if bool(inside) else 0.0)  # expect: JIT105 @inside
        return x, x

    return hk.scan(step, x0, jax.random.split(key, steps))[1]


def make_model(simulate, **options):
    def model(x0, key, steps, scale):
        return simulate(Drift(**options), x0, key, steps, scale)

    transformed = hk.without_apply_rng(hk.transform(model))
    return transformed.init, jax.jit(transformed.apply, static_argnums=3)


def moments(path, order):
    centred = path - path.mean(0)
    return [(centred**power).mean(0) for power in range(1, order)]  # expect: JIT107 @order


summary = jax.jit(jax.vmap(moments, in_axes=(0, None)))


@jax.jit
def crossing_times(path, level):
    above = path[:, 0] > level
    return jnp.nonzero(above, size=3), np.argmax(above), np.nonzero(above)  # expect: JIT106 @cross


def train_step(apply, optimiser):
    def loss(params, x0, key, target, steps):
        path = apply(params, x0, key, steps, 0.1)
        return ((path - target) ** 2).mean()

    def step(params, state, x0, key, target, steps):
        value, gradient = jax.value_and_grad(loss)(params, x0, key, target, steps)
        updates, state = optimiser.update(gradient, state, params)
        return optax.apply_updates(params, updates), state, value

    return jax.jit(step, static_argnums=5)


@jax.jit
def warm_rate(count, most):
    """A schedule of our own."""
    share = count / most
    assert 0 <= share, "negative step"  # expect: JIT103 @share
    return 1e-2 * jnp.minimum(share, 1.0)


def main():
    key, x0 = jax.random.key(0), jnp.array([0.5, 0.1])
    init, apply = make_model(euler_maruyama, widths=(4, 4))
    params = init(key, x0, key, 4, 0.1)
    optimiser = optax.adam(1e-2)
    step, state, losses = train_step(apply, optimiser), optimiser.init(params), []
    for _ in range(3):
        params, state, value = step(params, state, x0, key, jnp.zeros(2), 4)
        losses.append(float(value))
    if losses[-1] > losses[0]:
        print("no progress", np.diff(losses))
    path = apply(params, x0, key, 6, 0.1)
    init, apply = make_model(stopped)
    print(apply(init(key, x0, key, 1, 0.1), x0, key, 4, 0.1))
    init, gated = make_model(euler_maruyama, gated=True)
    print(gated(init(key, x0, key, 1, 0.1), x0, key, 4, 0.1), summary(path[None], 3))
    print(crossing_times(path, 0.0), warm_rate(1, 10))


if __name__ == "__main__":
    main()
