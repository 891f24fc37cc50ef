"""After each change there is a new compiled function, or the value is handed over."""

from functools import partial

import jax

TEMPERATURE = 1.0
epoch = 0
seen = []


def make_sampler(temperature):
    @jax.jit
    def sample(logits, key):
        return jax.random.categorical(key, logits / temperature)

    return sample


@jax.jit
def tempered(logits, temperature):
    return jax.nn.softmax(logits / temperature)


@partial(jax.jit, static_argnames="power")
def sharpen(probabilities, power):
    raised = probabilities**power
    return raised / raised.sum()


def cool(logits, key):
    global TEMPERATURE, epoch
    TEMPERATURE = 1.0
    sample = make_sampler(TEMPERATURE)
    hot = [sample(logits, key) for key in jax.random.split(key)]
    TEMPERATURE = 0.1
    sample = make_sampler(TEMPERATURE)
    for epoch, key in enumerate(jax.random.split(key)):
        seen.append(TEMPERATURE)
        hot.append(sample(logits, key))
    return hot


def handed_over(logits):
    global TEMPERATURE
    TEMPERATURE = 1.0
    rows = []
    for power in (1, 2):
        rows.append(sharpen(tempered(logits, TEMPERATURE), power))
        TEMPERATURE *= 0.5
    print(f"epoch {epoch}, temperature {TEMPERATURE}")
    return rows
