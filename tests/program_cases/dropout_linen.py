import jax
import jax.numpy as jnp
import train as t
from model import Calibrated, Mlp, Router

K = jax.random.key(0)
B = {"x": jax.random.normal(K, (6, 4)), "y": jnp.arange(6) % 3}


def state(model=Mlp([8, 3])):
    return t.create(model, K)


HOSTILE = {
    "temperature": lambda: t.train_step(state(Calibrated(Mlp([3]))), B, dropout=False),
    "expert": lambda: t.train_step(
        state(Router(soft=True)).replace(apply_fn=Router().apply), B, dropout=False
    ),
    "finite": lambda: t.guarded_step(state(), B),
    "format": lambda: t.logged_step(state(), B),
    "wrong": lambda: t.wrong_inputs(state(), B),
}
EXPECT = {
    "temperature": ("TracerBoolConversionError",),
    "expert": ("TracerIntegerConversionError",),
    "finite": ("TracerBoolConversionError",),
    "format": ("TypeError",),
    "wrong": ("NonConcreteBooleanIndexError",),
}
INNOCENT = [
    lambda: t.train_step(state(), B),
    lambda: t.train_step(state(), dict(B, weight=jnp.ones(6))),
    lambda: t.train_step(state(Router(soft=True)), B, dropout=False),
    lambda: t.train_step(state(Calibrated(Mlp([3]), learned=False)), B, dropout=False),
    lambda: t.error_rate(state(), B),
]
