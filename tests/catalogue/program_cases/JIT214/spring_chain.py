import chain

from tools.harm import same


def lost(name):
    state, _ = chain.simulate()
    with chain.jax.disable_jit():
        moved, _ = chain.simulate()
    return not same(state[name], moved[name])


HOSTILE = {}
SILENT = {"velocity": lambda: lost("velocity"), "position": lambda: lost("position")}
