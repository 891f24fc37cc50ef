"""Elo ratings of programs that play each other."""

import jax
import jax.numpy as jnp


def expected(own, other):
    return 1.0 / (1.0 + 10.0 ** ((other - own) / 400.0))


class League:
    """A league with a scale; ratings are handed in and out."""

    def __init__(self, scale):
        self.scale = scale

    def settle(self, ratings, winner, loser):
        gain = self.scale * (1.0 - expected(ratings[winner], ratings[loser]))
        return ratings.at[winner].add(gain).at[loser].add(-gain)

    def relegate(self, ratings, worst):
        ratings.at[worst].add(-self.scale)  # expect: JIT212 @relegated
        return ratings - ratings.mean()

    def season(self, ratings, games):
        def play(ratings, game):
            ratings = self.settle(ratings, game[0], game[1])
            announce("table", ratings)
            return ratings, ratings.max()

        return jax.lax.scan(play, ratings, games)


def announce(title, ratings):
    top = ratings.max()
    print(f"{title}: leader at {top}")  # expect: JIT201 @leader
    print(f"{ratings.shape[0]} players")


def announce_later(title, ratings):
    jax.debug.print(title + ": leader at {top}", top=ratings.max())


settle_fast = jax.jit(League.settle)  # expect: JIT309 @settle
settle_static = jax.jit(League.settle, static_argnums=0)
relegate = jax.jit(League.relegate, static_argnames="self")


@jax.jit
def rescale(ratings, shape=jnp.tanh):
    spread = ratings - ratings.mean()
    return 1500.0 + 100.0 * shape(spread / 100.0)


@jax.jit
def compress(ratings):
    announce_later("compressed", ratings)
    return rescale(ratings)
