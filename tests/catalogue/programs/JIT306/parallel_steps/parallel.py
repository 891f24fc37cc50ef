"""Static positions of pmap, and lengths that come from the data."""

from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

SENTENCES = """to be
or not to be
that is the question
whether
'tis nobler
in the mind to suffer
the slings and arrows""".splitlines()


@partial(jax.pmap, static_broadcasted_argnums=(1,))
def device_step(x, step):
    return x * 0.5**step


@partial(jax.jit, static_argnames=("length",))
def score(tokens, length):
    return jnp.sum(tokens[:length] ** 2)


def encode(sentence, width=32):
    tokens = np.zeros(width, np.float32)
    tokens[: len(sentence)] = [ord(letter) for letter in sentence]
    return tokens


def steps(count=3):
    x = jnp.ones((1, 2))
    for step in range(count):
        x = device_step(x, step)  # expect: JIT306 @pmap
    return x


def scores(sentences=SENTENCES):
    found = []
    for sentence in sentences:
        found.append(score(encode(sentence), length=len(sentence)))  # expect: JIT306 @length
    return found
