import jax.numpy as jnp

import agent
import buffer
import run

from tools.harm import compiled, differs_from_eager, same, spans

STATE = jnp.ones(3)


def acted(change):
    one = agent.Agent()
    first = one.act(one.w, STATE)
    change(one)
    return first, one.act(one.w, STATE)


def seeds():
    one = agent.Agent(epsilon=2.0)
    return same(one.act(one.w, STATE), one.act(one.w, STATE))


def stop(one):
    one.epsilon = 0.0


HOSTILE = {"old": lambda: buffer.ReplayBuffer(2, 3).add(STATE)}
EXPECT = {"old": ("ValueError", "RuntimeError", "JaxRuntimeError")}
SILENT = {
    "seeds": seeds,
    "epsilon": lambda: differs_from_eager(lambda: acted(stop)),
    "recent": lambda: compiled(run.collect, "mean_value") == 3,
    "step": lambda: compiled(run.learn, "learn") == 4,
    "speed": lambda: spans(run.speed, run, agent)[0] > 0,
}
