"""Looks like a fault of JIT101.

A base class registers its subclasses, with fields static by their metadata.

`clip` and `warmup` are part of the tree structure, so the branches on them
are decided while tracing.
"""
import dataclasses

import jax
import jax.numpy as jnp


def setting(default):
    return dataclasses.field(default=default, metadata={"kind": "setting"})


class Config:
    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        dataclasses.dataclass(cls)
        kinds = {f.name: f.metadata.get("kind", "data") for f in dataclasses.fields(cls)}
        jax.tree_util.register_dataclass(
            cls,
            data_fields=[name for name, kind in kinds.items() if kind == "data"],
            meta_fields=[name for name, kind in kinds.items() if kind == "setting"],
        )


class OptimizerConfig(Config):
    rate: float = 0.1
    clip: float = setting(0.0)
    warmup: int = setting(0)


@jax.jit
def update(params, grads, step, config):
    if config.clip > 0:
        grads = jnp.clip(grads, -config.clip, config.clip)
    rate = config.rate
    if config.warmup:
        rate = rate * jnp.minimum(1.0, (step + 1) / config.warmup)
    return params - rate * grads


if __name__ == "__main__":
    params, grads = jnp.zeros(3), jnp.array([4.0, -4.0, 0.5])
    plain = update(params, grads, 0, OptimizerConfig())
    assert jnp.allclose(plain, -0.1 * grads)
    clipped = update(params, grads, 0, OptimizerConfig(clip=1.0, warmup=2))
    assert jnp.allclose(clipped, jnp.array([-0.05, 0.05, -0.025]))
    update(params, grads, 3, OptimizerConfig(rate=0.2))
    assert update._cache_size() == 2
