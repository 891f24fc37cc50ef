"""The state of the optimizer is donated too."""

from functools import partial

import jax
import jax.numpy as jnp
import optax

optimizer = optax.adam(1e-2)


def loss_fn(params, x):
    return jnp.mean((x @ params["w"]) ** 2)  # expect: JIT310 @before


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, opt_state, x):
    grads = jax.grad(loss_fn)(params, x)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state


def pretrain(x, steps=2):
    params = {"w": jnp.ones(2)}
    ema = params
    opt_state = optimizer.init(params)
    for _ in range(steps):
        params, opt_state = train_step(params, opt_state, x)
        ema = jax.tree.map(lambda e, p: 0.9 * e + 0.1 * p, ema, params)  # expect: JIT310 @ema
    return params, ema


def resume(params, x):
    opt_state = optimizer.init(params)
    new_params, opt_state = train_step(params, opt_state, x)
    before, after = loss_fn(params, x), loss_fn(new_params, x)
    return before, after
