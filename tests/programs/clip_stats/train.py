"""A regression with both transformations."""

import jax
import jax.numpy as jnp
import optax

import monitor
from transforms import clip_and_tell, watch, watched

log = []


def predict(params, xs):
    return jnp.tanh(xs @ params["hidden"]) @ params["out"]


def loss(params, xs, ys):
    return jnp.mean((predict(params, xs) - ys) ** 2)


def watched_loss(params, xs, ys):
    return jnp.mean((watched(predict(params, xs)) - ys) ** 2)


def start(optimizer):
    params = {"hidden": jnp.eye(3) * 0.5, "out": jnp.ones(3)}
    return params, optimizer.init(params)


def make_step(optimizer, objective=loss):
    def step(params, state, xs, ys):
        grads = jax.grad(objective)(params, xs, ys)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state

    return jax.jit(step, donate_argnums=(0, 1))


def logged_loss(params, xs, ys):
    """The loss, with every residual kept for a histogram."""
    residual = predict(params, xs) - ys
    log.append(residual)  # expect: JIT202 @residual
    return jnp.mean(residual**2)


def slope_report(params, xs, ys):
    """Gradients outside of any compiled code."""
    value, grads = jax.value_and_grad(logged_loss)(params, xs, ys)
    return float(value), {name: float(jnp.abs(g).max()) for name, g in grads.items()}


def fit(optimizer, xs, ys, objective=loss, steps=4):
    params, state = start(optimizer)
    step = make_step(optimizer, objective)
    for _ in range(steps):
        params, state = step(params, state, xs, ys)
    return params, state


def main():
    xs = jnp.arange(12.0).reshape(4, 3) / 12
    ys = xs.sum(axis=1)
    params, state = fit(optax.chain(watch(), optax.adam(0.01)), xs, ys)
    print("largest", float(state[0].largest), slope_report(params, xs, ys)[0])
    fit(optax.chain(clip_and_tell(1.0), optax.sgd(0.1)), xs, ys)
    fit(optax.sgd(0.1), xs, ys, objective=watched_loss)
    print(len(monitor.series))
    monitor.reset()


if __name__ == "__main__":
    main()
