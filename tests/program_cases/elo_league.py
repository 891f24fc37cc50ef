import jax
import jax.numpy as jnp
from elo_league import ratings, tournament

from tools.observation import is_tracer, printed

start = jnp.array([1500.0, 1400.0, 1600.0])
league = ratings.League(16.0)

HOSTILE = {"shape": lambda: tournament.reshaped(start)}
EXPECT = {"shape": ("TypeError",)}


def settle():
    try:
        ratings.settle_fast(league, start, 0, 1)
    except TypeError:
        return True
    return False


def leader():
    text = printed(lambda: tournament.Tournament(5, 1).run(3))
    return text.count("table: leader at JitTracer") == 1


def relegated():
    return bool((ratings.relegate(league, start, 1) == start - start.mean()).all())


def form():
    made = tournament.Tournament(4, 2)
    games = jnp.array([[0, 1]])
    results = []
    printed(lambda: results.extend(made._play(made.ratings, games, k) for k in (0, 0, 0)))
    return all(bool((other == results[0]).all()) for other in results)


def crown():
    tournament.champions["by_round"].clear()
    printed(lambda: tournament.Tournament(6, 3).run(3))
    kept = tournament.champions["by_round"]
    return len(kept) == 1 and is_tracer(kept[0])


SILENT = {
    "settle": settle,
    "leader": leader,
    "relegated": relegated,
    "form": form,
    "crown": crown,
}


def quiet():
    text = printed(lambda: (ratings.compress(start), jax.effects_barrier()))
    assert "leader at 1" in text


INNOCENT = [quiet, lambda: tournament.Tournament(3, 0).friendly(0, 1)]
