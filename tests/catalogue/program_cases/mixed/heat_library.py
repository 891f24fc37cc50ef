import sys

sys.path.append(f"{sys.path[0]}/examples")

import jax.numpy as jnp
import decay
from heat import operators, solver

from tools.harm import compiled, differs_from_eager, equations, raises
from tools.observation import is_tracer

U = jnp.ones(4)


def laplacian():
    failed = raises(lambda: decay.both(U), "UnexpectedTracerError")
    return failed and is_tracer(operators.laplacian(4))


HOSTILE = {}
SILENT = {
    "laplacian": laplacian,
    "boundary": lambda: differs_from_eager(lambda: decay.cooled(U)),
    "unrolled": lambda: equations(solver.solve, U) > 500,
    "integrate": lambda: compiled(decay.decay, "scan") == 3,
    "clear": lambda: compiled(lambda: decay.repeated(U), "energy") == 3,
}
