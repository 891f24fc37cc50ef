import heat
import jax.numpy as jnp

from tools.observation import printed

F = jnp.arange(3.0)


def moved():
    text = printed(lambda: [heat.careful_step(F + k, 0.1) for k in range(3)])
    return text.count("moved") == 1


HOSTILE = {
    "singular": lambda: heat.step(F, 0.1, "lu"),
    "residual": lambda: heat.step(F, 0.1, "richardson"),
}
EXPECT = {
    "singular": ("TracerBoolConversionError",),
    "residual": ("TracerBoolConversionError",),
}
SILENT = {"moved": moved}
INNOCENT = [lambda: heat.step(F, 0.1), lambda: heat.step(F, 0.1, "cholesky")]
