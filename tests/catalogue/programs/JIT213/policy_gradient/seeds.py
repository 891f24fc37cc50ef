import zlib

import jax

SEED = 2024


def experiment_key(name):
    """A key for each purpose; those who want more fold in a step."""
    return jax.random.fold_in(jax.random.key(SEED), zlib.crc32(name.encode()))  # expect: JIT213 @seed
