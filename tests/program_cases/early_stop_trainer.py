import jax
import jax.numpy as jnp
from trainer import Trainer

X = jax.random.normal(jax.random.key(0), (12, 3))
Y = (X.sum(axis=1) > 0).astype(jnp.float32)
P, V = Trainer(3).init()
EDGES = jnp.linspace(-1, 1, 4)
HOSTILE = {
    "absolute": lambda: Trainer(3, penalty="l1").fit(X, Y),
    "diverged": lambda: Trainer(3, strict=True).step(P, V, X, Y),
    "cuts": lambda: Trainer(3).threshold(P, X, Y),
    "bucket": lambda: Trainer(3).bucket(P, X, EDGES),
}
EXPECT = {
    "absolute": ("TracerBoolConversionError",),
    "diverged": ("TracerBoolConversionError",),
    "cuts": ("TracerBoolConversionError",),
    "bucket": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: Trainer(3, momentum=0.9).fit(X, Y),
    lambda: Trainer(3, penalty="none").fit(X, Y),
    lambda: Trainer(3).evaluate(P, X, Y),
    lambda: Trainer(3).confident(P, X, 2),
    lambda: Trainer(3).bucket_fixed(P, X, EDGES),
]
