"""Errors of the host, caught on the host."""

import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def predict(w, x):
    return jax.nn.sigmoid(x @ w)


def load(path):
    try:
        return np.load(path)
    except (OSError, ValueError):
        return np.ones(3, np.float32)


def serve(requests):
    w = load("weights.npy")
    answers = []
    for request in requests:
        try:
            x = np.asarray(request["x"], np.float32)
            answers.append(float(predict(w, x)))
        except KeyError:
            answers.append(None)
        except Exception as error:
            answers.append(type(error).__name__)
    return answers


@jax.jit
def lookup(params, x):
    try:
        scale = params["scale"]
    except KeyError:
        scale = 1.0
    return scale * x


def main():
    return serve([{"x": [1, 2, 3]}, {}, {"x": [1]}]), lookup({}, jnp.ones(2))
