"""A script in which everything is global."""

import jax
import jax.numpy as jnp
import numpy as np

rng = np.random.default_rng(0)
x_train = jnp.asarray(rng.normal(size=(8, 2)))
y_train = x_train @ jnp.array([1.0, -1.0])
params = jnp.zeros(2)


@jax.jit
def gradient(w):
    return jax.grad(lambda w: jnp.mean((x_train @ w - y_train) ** 2))(w)


@jax.jit
def predict(x):
    return x @ params  # expect: JIT208 @params


errors = []
for epoch in range(3):
    params = params - 0.2 * gradient(params)
    errors.append(jnp.abs(predict(x_train) - y_train).mean())
