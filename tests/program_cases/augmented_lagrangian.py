import os
import tempfile
import jax
import jax.numpy as jnp
import outer
import problem
from tools.observation import compilations

X = jnp.array([0.9, 0.8])
P = problem.circle([2.0, 1.0])
outer.solve(P, X, limit=1)


def lines(make):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "journal.txt")
        step = make(path)
        for k in range(3):
            step(X + k)
        jax.effects_barrier()
        with open(path) as stream:
            return len(stream.readlines())


def rows():
    assert lines(outer.row_recorder) == 3


HOSTILE = {"fixed": lambda: outer.projected_step(X)}
EXPECT = {"fixed": ("TypeError",)}
SILENT = {
    "journal": lambda: lines(outer.recorder) == 1,
    "slope": lambda: compilations(lambda: outer.solve(P, X, tolerance=0.0, limit=3)) >= 3,
}
INNOCENT = [rows, lambda: outer.solve_compiled(P, X), lambda: outer.released_step(X)]
