import agents
import jax.numpy as jnp
import numpy as np
import walk

S = jnp.int32(1)
V = jnp.zeros((3, 2))


def dice():
    # The die is cast while tracing: afterwards NumPy's generator is not asked any more.
    agent = agents.make("explorer")
    agent.act(S)
    np.random.seed(0)
    before = np.random.get_state()[2]
    agent.act(S + 1)
    return np.random.get_state()[2] == before


def learn(name):
    return agents.make(name).learn(V, S, S, jnp.float32(-1.0), S)


HOSTILE = {
    "penalty": lambda: learn("explorer"),
    "walls": lambda: agents.make("cautious").act(S),
    "seen": lambda: learn("cautious"),
}
EXPECT = {
    "penalty": ("TracerBoolConversionError",),
    "walls": ("TracerIntegerConversionError",),
    "seen": ("TypeError",),
}
def tried():
    """Whatever the agent tries, it always tries the same."""
    agent = agents.make("explorer")
    agent.epsilon = 1.0
    return len({int(agent.act(S + k)) for k in range(3) for _ in range(4)}) == 1


SILENT = {"dice": dice, "tried": tried}
INNOCENT = [lambda: walk.episode("greedy")]
