import jax
import jax.numpy as jnp
import tempered_smc as smc
from tools.observation import compilations, is_tracer

KEY = jax.random.key(0)
X = jax.random.normal(KEY, (16, 1))
LADDER = [0.0, 0.5, 1.0]
smc.evidence(LADDER, X)


def compiled():
    move, count = smc.make_mover()
    for k in range(3):
        move(KEY, X * k, 0.5)
    return count() == 1


def history():
    smc.annealed_sweep(KEY, X, LADDER)
    return is_tracer(smc.trace_with_history.__defaults__)


SILENT = {
    "identity": lambda: len({int(smc.reweight(KEY, X, 0.1 * k)[1]["id"]) for k in range(4)}) == 1,
    "compiled": compiled,
    "kernels": lambda: compilations(lambda: smc.evidence(LADDER, X)) >= 2,
    "history": history,
    "stamp": lambda: len(set(smc.annealed_sweep(KEY, X, LADDER)[1][1].tolist())) == 1,
}
INNOCENT = [lambda: smc.evidence_fast(LADDER, X), lambda: smc.systematic(KEY, jnp.ones(8) / 8)]
