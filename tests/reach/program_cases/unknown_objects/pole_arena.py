import jax
import jax.numpy as jnp
import search
from arena.envs import CountingPole, Pole
from arena.rollouts import Searcher

from tools.observation import is_tracer

K = jax.random.key(0)


def last():
    env = CountingPole()
    Searcher(env).evaluate(jnp.ones(2), K)
    return is_tracer(env.last_t)


HOSTILE = {
    "fallen": lambda: search.search(Pole),
    "expired": lambda: Searcher(CountingPole()).finish(K),
}
EXPECT = {
    "fallen": ("TracerBoolConversionError",),
    "expired": ("TracerBoolConversionError",),
}
SILENT = {"last": last}
INNOCENT = [lambda: Pole().expired(Pole().reset(K))]
