"""Train a line until the loss stops falling."""

import jax
import jax.numpy as jnp

from . import keeper
from .stopping import HostPatience, Patience


def loss_fn(params, xs, ys):
    return jnp.mean((params["slope"] * xs + params["offset"] - ys) ** 2)


def step(params, xs, ys, rate):
    loss, grads = jax.value_and_grad(loss_fn)(params, xs, ys)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), loss


compiled_step = jax.jit(step, static_argnames="rate")


@jax.jit
def fit(params, xs, ys):
    """The whole run as one compiled loop."""

    def body(state):
        params, patience = state
        params, loss = step(params, xs, ys, 0.1)
        return params, patience.update_select(loss)

    start = (params, Patience.create(limit=4))
    return jax.lax.while_loop(lambda state: ~state[1].exhausted, body, start)


@jax.jit
def fit_tracked(params, xs, ys):
    def body(state, _):
        params, patience = state
        params, loss = step(params, xs, ys, 0.1)
        return (params, patience.update(loss)), loss

    return jax.lax.scan(body, (params, Patience.create()), length=5)


@jax.jit
def resume(slots, params, xs, ys):
    """Continue, and say how fast to go on."""
    params, loss = step(params, xs, ys, 0.05)
    slots = keeper.insert(slots, params, loss)
    return slots, keeper.restart_rate(slots)


@jax.jit
def unchanged(old, new):
    return keeper.same(old, new)


unchanged_close = jax.jit(keeper.close, static_argnames=("tolerance",))
distinct_losses = jax.jit(keeper.filled)


def train(xs, ys, epochs=10):
    params = {"slope": jnp.zeros(()), "offset": jnp.zeros(())}
    slots, patience = keeper.empty_slots(params), HostPatience()
    for epoch in range(epochs):
        previous = params
        params, loss = compiled_step(params, xs, ys, rate=0.1)
        slots = keeper.insert(slots, params, loss)
        if keeper.same(previous, params) or patience.should_stop(float(loss)):
            print("stopped at", epoch, keeper.restart_rate(slots))
            break
    return params, slots


def main():
    xs = jnp.linspace(0, 1, 8)
    params, slots = train(xs, 3 * xs - 1)
    print(fit(params, xs, 3 * xs - 1))
    print(fit_tracked(params, xs, 3 * xs - 1))
    print(resume(slots, params, xs, 3 * xs - 1))
    print(unchanged(params, params), unchanged_close(params, params), distinct_losses(slots))


if __name__ == "__main__":
    main()
