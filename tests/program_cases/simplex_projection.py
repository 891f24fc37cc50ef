import jax.numpy as jnp
import simplex_projection as sp
from tools.observation import compilations, is_tracer

X = jnp.array([0.9, -0.2, 0.8])


def reused():
    sp.table(X)
    assert compilations(lambda: [sp.table(X) for _ in range(3)]) == 0


def descends():
    made = sp.ProjectedDescent(lambda y: ((y - X) ** 2).sum())
    made.fit(jnp.ones(3) / 3, 4)
    assert len(made.losses) == 4 and not is_tracer(made.losses)
    assert compilations(lambda: made.fit(jnp.ones(3) / 3, 4)) == 0


INNOCENT = [reused, descends, sp.main]
