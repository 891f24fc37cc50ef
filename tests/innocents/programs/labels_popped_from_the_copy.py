"""Innocent, though it looks like JIT214.

What makes it right: the traced function takes the labels out of its own copy, and the caller counts on having them still.
"""

import jax
import jax.numpy as jnp


def predict(params, *, age, income):
    return params["age"] * age + params["income"] * income + params["bias"]


@jax.jit
def loss_and_grad(params, batch):
    labels = batch.pop("default")
    weights = batch.pop("weight", jnp.ones(()))
    batch["income"] = jnp.log1p(batch["income"])

    def loss(params):
        logits = predict(params, **batch)
        errors = jax.nn.softplus(logits) - labels * logits
        return jnp.mean(weights * errors)

    return jax.value_and_grad(loss)(params)


def fit(params, batch, steps):
    for _ in range(steps):
        loss, grads = loss_and_grad(params, batch)
        params = jax.tree.map(lambda p, g: p - 0.05 * g, params, grads)
    share = float(batch["default"].mean())
    return params, float(loss), share


batch = {
    "age": jnp.array([0.2, 0.5, 0.7, 0.4]),
    "income": jnp.array([1.0, 3.0, 0.5, 2.0]),
    "default": jnp.array([1.0, 0.0, 1.0, 0.0]),
    "weight": jnp.array([1.0, 2.0, 1.0, 1.0]),
}
params = {"age": jnp.zeros(()), "income": jnp.zeros(()), "bias": jnp.zeros(())}
params, loss, share = fit(params, batch, steps=20)
assert share == 0.5 and set(batch) == {"age", "income", "default", "weight"}
assert float(batch["income"][1]) == 3.0
assert loss < 0.9
