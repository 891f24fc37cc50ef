"""Thompson sampling with a mutable chex.dataclass: what jit hands over is a fresh object."""

from functools import partial

import chex
import jax
import jax.numpy as jnp


@chex.dataclass
class Beliefs:
    """Beta distributions of every arm."""

    wins: chex.Array
    losses: chex.Array
    pulls: chex.Array
    notes: dict


def prior(arms):
    """Know nothing."""
    return Beliefs(
        wins=jnp.ones(arms),
        losses=jnp.ones(arms),
        pulls=jnp.zeros((), jnp.int32),
        notes={"regret": jnp.zeros(())},
    )


def observe(beliefs, arm, won):
    """Change the beliefs that came in."""
    beliefs.wins = beliefs.wins.at[arm].add(won)
    beliefs.losses = beliefs.losses.at[arm].add(1.0 - won)
    beliefs.pulls += 1
    return beliefs


def charge(beliefs, chances, arm):
    """Book the regret."""
    beliefs.notes["regret"] += jnp.max(chances) - chances[arm]


@jax.jit
def play(beliefs, chances, key):
    """One pull of the arm that looks best in a random draw."""
    chex.assert_equal_shape([beliefs.wins, chances])
    draw_key, win_key = jax.random.split(key)
    arm = jnp.argmax(jax.random.beta(draw_key, beliefs.wins, beliefs.losses))
    won = jax.random.bernoulli(win_key, chances[arm]).astype(jnp.float32)
    charge(beliefs, chances, arm)
    return observe(beliefs, arm, won), arm


@partial(jax.jit, static_argnames="rounds")
def season(beliefs, chances, key, rounds):
    """Many pulls in one scan."""

    def body(beliefs, key):
        beliefs, arm = play(beliefs, chances, key)
        beliefs.notes["last"] = arm
        beliefs.notes.pop("last")
        return beliefs, arm

    return jax.lax.scan(body, beliefs, jax.random.split(key, rounds))


class BanditTest(chex.TestCase):
    """Runs with and without compilation."""

    @chex.variants(with_jit=True, without_jit=True)
    def test_prior_is_flat(self):
        mean = self.variant(lambda b: b.wins / (b.wins + b.losses))(prior(3))
        chex.assert_trees_all_close(mean, jnp.full(3, 0.5))


def tournament(key, seasons=3):
    """Histories of the chosen arms; the mutable state is reused by the host."""
    beliefs, history = prior(3), []
    chances = jnp.array([0.2, 0.5, 0.8])
    for season_key in jax.random.split(key, seasons):
        beliefs, arms = season(beliefs, chances, season_key, 5)
        beliefs.notes["regret"] = beliefs.notes["regret"].round(2)
        history.append(arms.tolist())
        print("regret", beliefs.notes["regret"])
    return beliefs, history
