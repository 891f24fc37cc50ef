"""Batches of encoded rows and statistics about them."""

import jax
import jax.numpy as jnp

from learning import learn, merge_ids
from merge import PAD, distinct, encode, exhaust, exhaust_loop, pair_counts

COLUMNS = {"distinct": distinct, "pairs": pair_counts}


def pad_rows(texts, length):
    rows = [list(text.encode())[:length] for text in texts]
    return jnp.array([row + [PAD] * (length - len(row)) for row in rows])


class Encoder:
    def __init__(self, table, length):
        self.table = list(table)
        self.length = length
        self.ids = merge_ids(self.table)
        self._batch = jax.jit(jax.vmap(lambda row: encode(row, self.table)))

    def __call__(self, texts):
        if not texts:
            return jnp.zeros((0, self.length), int)
        return self._batch(pad_rows(texts, self.length))

    def merge_all(self, texts, pair, strategy=exhaust_loop):
        rows = pad_rows(texts, self.length)
        new = self.ids.get(pair, 256)
        return jax.vmap(lambda row: strategy(row, *pair, new))(rows)


def lengths(rows):
    return (rows != PAD).sum(axis=-1)


@jax.jit
def crop(rows):
    """Cut off the columns that are padding in every row."""
    used = (rows != PAD).any(axis=0)
    return rows[:, used]  # expect: JIT109 @crop


@jax.jit
def attention_bias(rows):
    valid = rows != PAD
    return jnp.where(valid[:, None, :] & valid[:, :, None], 0.0, -1e9)


@jax.jit
def sort_by_length(rows):
    return rows[jnp.argsort(lengths(rows))]


@jax.jit
def bucket_shape(rows):
    """An empty bucket that is as wide as the longest row."""
    return jnp.full((rows.shape[0], lengths(rows).max()), PAD)  # expect: JIT108 @bucket


def describe(rows, column):
    return jax.jit(COLUMNS[column])(rows[0])


def main():
    texts = ["banana band", "bandana", "anna"]
    table = learn(texts, 3)
    encoder = Encoder(table, 12)
    rows = encoder(texts)
    print(lengths(rows).tolist(), attention_bias(rows).shape, sort_by_length(rows)[0])
    print(len({int(token) for token in rows[0]}), bucket_shape.__name__)
    print(encoder.merge_all(texts, table[0]))
    print(encoder.merge_all(texts, table[0], strategy=exhaust))
    print(crop(rows), bucket_shape(rows), [describe(rows, name) for name in COLUMNS])


if __name__ == "__main__":
    main()
