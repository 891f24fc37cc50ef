import os

import jax
import jax.numpy as jnp
import verse_generator as verse

from tools.observation import compilations, is_tracer

params = verse.init_params(jax.random.key(5))
codes = verse.encode("the rain in spain")


def embeddings():
    verse.score(params, codes)
    return is_tracer(verse.EMBEDDINGS["plain"])


def softness():
    verse.EMBEDDINGS.clear()
    before = float(verse.score(params, codes))
    os.environ["VERSE_SOFTNESS"] = "3.0"
    try:
        return float(verse.score(params, codes)) == before
    finally:
        del os.environ["VERSE_SOFTNESS"]


def seen():
    seen_lengths = verse.likelihood.__defaults__[0]
    seen_lengths.clear()
    verse.EMBEDDINGS.clear()
    longer = verse.encode("falls mainly in the plain")
    for _ in range(3):
        verse.score(params, longer)
    return len(seen_lengths) == 1


def dice():
    first, *others = [verse.decode(verse.dream(params, jnp.int32(3))) for _ in range(4)]
    return all(other == first for other in others)


SILENT = {"embeddings": embeddings, "softness": softness, "seen": seen, "dice": dice}


def poem():
    verse.write_poem(params, 1)
    assert compilations(lambda: verse.write_poem(params, 2)) == 0


INNOCENT = [poem]
