import book_recommender as books
import jax.numpy as jnp

from tools.observation import printed

HOSTILE = {}


def trained():
    made = []
    text = printed(lambda: made.append(books.train()))
    model, log = made[0]
    assert log.rows == 3 and len(text.splitlines()) == 3
    return model.ranking(2, jnp.arange(9))


INNOCENT = [trained]
