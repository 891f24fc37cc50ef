import jax.numpy as jnp
import serving as m

from tools.observation import is_tracer

W = jnp.array([1.0, -1.0])


def requests():
    m.handle("/score", W, jnp.ones(2))
    return is_tracer(m._requests)


HOSTILE = {
    "order": lambda: m.handle("/rank", W, jnp.eye(2)),
    "strict": lambda: m.handle("/accept", W, jnp.ones(2)),
}
EXPECT = {
    "order": ("TracerBoolConversionError",),
    "strict": ("TracerBoolConversionError",),
}
SILENT = {"requests": requests}
INNOCENT = [lambda: m.handle("/score", W, jnp.eye(2))]
