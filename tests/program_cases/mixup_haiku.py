import jax
import jax.numpy as jnp
import net
import steps as s

K = jax.random.key(0)
X, Y = jax.random.normal(K, (6, 4)), jnp.arange(6) % 3
P = s.init(K)


def normalise(guard):
    start, apply = s.normaliser(guard)
    return apply(*start(K, X), X)


HOSTILE = {
    "training": lambda: s.apply_jit(P, K, X, None, True),
    "guard": lambda: normalise(True),
    "larger": lambda: s.loss_step(P, K, X, Y, larger=True),
    "groups": lambda: s.per_group_accuracy(P, X, Y, Y),
}
EXPECT = {
    "training": ("TracerBoolConversionError",),
    "guard": ("TracerBoolConversionError",),
    "larger": ("TracerArrayConversionError",),
    "groups": ("ConcretizationTypeError",),
}
INNOCENT = [
    lambda: s.loss_step(P, K, X, Y, reduce=False),
    lambda: s.apply_static(P, K, X, is_training=True),
    lambda: normalise(False),
    lambda: s.group_accuracy(P, X, Y, Y, 3),
    lambda: net.draw_mix(K, 4, larger=True),
]
