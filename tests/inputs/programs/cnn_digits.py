"""A small convolutional net for digits of 28 by 28."""

import jax
import jax.numpy as jnp

DIMENSIONS = ("NHWC", "HWIO", "NHWC")


def conv(x, kernel):
    return jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=DIMENSIONS)


def logits(params, images):
    x = images.reshape(-1, 28, 28, 1)
    x = jax.nn.relu(conv(x, params["conv1"]))
    x = x.reshape(x.shape[0], 14, 2, 14, 2, -1).max(axis=(2, 4))
    x = x.reshape(x.shape[0], -1)
    return x @ params["dense"]["w"] + params["dense"]["b"]


def loss(params, images, labels):
    scores = jax.nn.log_softmax(logits(params, images))
    hits = (scores.argmax(axis=1) == labels).mean()
    print("accuracy", float(hits))  # expect: JIT105 @hits
    return -jnp.take_along_axis(scores, labels[:, None], axis=1).mean()


gradient = jax.jit(jax.grad(loss))
