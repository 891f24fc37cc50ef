import jax.numpy as jnp
import molecule_conformer as mc
from tools.observation import compilations, is_tracer
from molecule_conformer import relax

CHAIN = mc.Torsions([1.0, 2.0]).softened(0.5)


def booked():
    book = mc.relax_all(CHAIN, {"a": jnp.ones(2), "b": jnp.zeros(2) + 0.3})
    assert book.count == 6 and not is_tracer(book.best)
    assert compilations(lambda: mc.relax_all(CHAIN, {"c": jnp.ones(2)})) == 0


INNOCENT = [booked, lambda: relax.snap(jnp.ones(2), CHAIN)]
