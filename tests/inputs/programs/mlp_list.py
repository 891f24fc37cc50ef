"""A multilayer perceptron as a list of pairs."""

import jax
import jax.numpy as jnp


def forward(layers, x):
    for weight, bias in layers[:-1]:
        x = jnp.tanh(x @ weight + bias)
    weight, bias = layers[-1]
    return x @ weight + bias


def objective(layers, batch):
    inputs, targets = batch
    errors = forward(layers, inputs) - targets
    value = jnp.mean(errors**2)
    if jnp.isnan(value):  # expect: JIT101 @nan
        value = jnp.inf
    return value


@jax.jit
def update(layers, batch, rate):
    grads = jax.grad(objective)(layers, batch)
    return [(w - rate * dw, b - rate * db) for (w, b), (dw, db) in zip(layers, grads, strict=True)]
