import anneal as a
import jax
import potts

K = jax.random.key(0)
L = potts.Lattice(jax.random.bernoulli(K, 0.5, (4, 4)).astype(int))
HOSTILE = {
    "distance": lambda: a.plain_at(L, 1),
    "cold": lambda: a.anneal(L, K, move="cold"),
    "grow": lambda: a.anneal(L, K, "cluster"),
    "first": lambda: a.critical_spins(L, 2),
    "frozen": lambda: a.frozen(L),
    "domains": lambda: a.domain_sizes(L),
}
EXPECT = {
    "distance": ("IndexError",),
    "cold": ("TracerBoolConversionError",),
    "grow": ("TracerBoolConversionError",),
    "first": ("TypeError",),
    "frozen": ("TracerBoolConversionError",),
    "domains": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: a.anneal(L, K),
    lambda: a.anneal(L, K, move="flip"),
    lambda: a.survey(L._replace(field=0.1), (potts.energy, potts.magnetisation)),
    lambda: a.survey_at(L, 2),
]
