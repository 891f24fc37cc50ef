import jax
import jax.numpy as jnp
import strategies as s

P = {"w": jnp.ones((2, 2)), "b": jnp.ones(2)}
K = jax.random.key(0)
F = jnp.arange(8.0)
HOSTILE = {
    "limit": lambda: s.generation(K, P, 0.1, objective=s.sphere, limit=0.5),
    "order": lambda: s.generation(K, P, 0.1, objective=s.sphere, shaping="sorted"),
    "count": lambda: s.elite(F, 0.25),
    "best": lambda: s.best_members(F, 2),
}
SILENT = {"fifth": lambda: float(s.success_rule(1.0, F, -1.0)) > 1.0}
EXPECT = {
    "limit": ("TracerBoolConversionError",),
    "order": ("TracerBoolConversionError",),
    "count": ("ConcretizationTypeError",),
    "best": ("TracerBoolConversionError",),
}
INNOCENT = [
    lambda: s.diversity(P),
    lambda: s.generation(K, P, 0.1, objective=s.sphere),
    lambda: jax.jit(s.describe)(P),
    lambda: s.success_rule_where(0.1, F, 1.0),
    lambda: jax.jit(s.success_rule_where)(0.1, F, 1.0),
]
