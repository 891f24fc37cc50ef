import jax
import jax.numpy as jnp
import train
from model import Calibrated, Mlp, Router

K = jax.random.key(0)
B = {"x": jax.random.normal(K, (6, 4)), "y": jnp.arange(6) % 3}


def state(model=Mlp([8, 3])):
    return train.create(model, K)


HOSTILE = {
    "temperature": lambda: train.train_step(state(Calibrated(Mlp([3]))), B, dropout=False),
    "expert": lambda: train.train_step(
        state(Router(soft=True)).replace(apply_fn=Router().apply), B, dropout=False
    ),
    "finite": lambda: train.guarded_step(state(), B),
    "format": lambda: train.logged_step(state(), B),
    "wrong": lambda: train.wrong_inputs(state(), B),
}
EXPECT = {
    "temperature": ("TracerBoolConversionError",),
    "expert": ("TracerIntegerConversionError",),
    "finite": ("TracerBoolConversionError",),
    "format": ("TypeError",),
    "wrong": ("NonConcreteBooleanIndexError",),
}
INNOCENT = [
    lambda: train.train_step(state(), B),
    lambda: train.train_step(state(), dict(B, weight=jnp.ones(6))),
    lambda: train.train_step(state(Router(soft=True)), B, dropout=False),
    lambda: train.train_step(state(Calibrated(Mlp([3]), learned=False)), B, dropout=False),
    lambda: train.error_rate(state(), B),
]
