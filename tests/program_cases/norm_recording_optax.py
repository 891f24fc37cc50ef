import fitting
import jax
import jax.numpy as jnp

from tools.observation import compilations, is_tracer

KEY = jax.random.key(0)
X, Y = jnp.ones((5, 3)), jnp.zeros((5, 2))


def params():
    return fitting.init_params(KEY, (3, 8, 2))


def history():
    fitting.NORMS.clear()
    values, state = params(), fitting.sgd.init(params())
    for _ in range(3):
        values, state = fitting.recorded_step(values, state, X, Y)
    return len(fitting.NORMS) == 1 and is_tracer(fitting.NORMS)


def count():
    # Had it counted, the ramp would have ended at 1 and moved further than four quarter steps.
    start = params()
    moved = fitting.warm_start(start, X, Y)
    grads = jax.grad(fitting.loss_fn)
    expected = start
    for _ in range(4):
        expected = jax.tree.map(lambda p, g: p - 0.1 * 0.25 * g, expected, grads(expected, X, Y))
    return bool(jnp.allclose(moved[0]["w"], expected[0]["w"], atol=1e-5))


def plateau():
    values, norms = fitting.fit_plateau(KEY, X, Y)
    assert len(norms) == 5 and not is_tracer(values)


HOSTILE = {
    "mask": lambda: fitting.shielded_step(params(), X, Y),
    "widths": lambda: fitting.fit_recorded(KEY, X, Y),
}
EXPECT = {"mask": ("TypeError",), "widths": ("ValueError",)}
SILENT = {"history": history, "count": count}
INNOCENT = [plateau]
