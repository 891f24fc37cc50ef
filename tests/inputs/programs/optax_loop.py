"""A training step with an optimizer of optax that is handed in."""

import jax
import optax


def cross_entropy(params, batch):
    logits = batch["x"] @ params["w"] + params["b"]
    return optax.softmax_cross_entropy_with_integer_labels(logits, batch["y"]).mean()


def make_step(optimizer: optax.GradientTransformation):
    @jax.jit
    def step(params, state, batch):
        loss, grads = jax.value_and_grad(cross_entropy)(params, batch)
        updates, state = optimizer.update(grads, state, params)
        if optax.global_norm(updates) > 10.0:  # expect: JIT101 @diverging
            return params, state, loss
        return optax.apply_updates(params, updates), state, loss

    return step


def default_step():
    return make_step(optax.adam(1e-3))
