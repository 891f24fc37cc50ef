import jax.numpy as jnp

import agent

HOSTILE = {"norm": lambda: agent.Agent().learn(jnp.ones(2)), "buffer": agent.episode}
EXPECT = dict.fromkeys(HOSTILE, ("ValueError", "RuntimeError", "JaxRuntimeError"))
