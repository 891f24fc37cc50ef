import jax.numpy as jnp
import lasso_paths as m

from tools.observation import is_tracer, printed

X, Y, W = jnp.eye(3), jnp.arange(3.0), jnp.zeros(3)


def shown():
    def run():
        for scale in (1.0, 2.0):
            try:
                m.descend(W, X, Y, scale, debug=True)
            except Exception:
                pass

    # Each call stops at the assertion, and each trace shows tracers instead of numbers.
    return "Tracer" in printed(run)


def trail():
    m.trail.clear()
    m.descend(W, X, Y, 0.1, record=True)
    return is_tracer(m.trail)


HOSTILE = {
    "stop": lambda: m.descend(W, X, Y, 0.1, stop=1e-3),
    "finite": lambda: printed(lambda: m.descend(W, X, Y, 0.1, debug=True)),
    "max": lambda: m.scaled(X, Y, norm="max"),
}
EXPECT = {
    "stop": ("TracerBoolConversionError",),
    "finite": ("TracerBoolConversionError",),
    "max": ("TracerBoolConversionError",),
}
SILENT = {"shown": shown, "trail": trail}
INNOCENT = [lambda: m.path(X, Y, (0.1, 0.5))]
