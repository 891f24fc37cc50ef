import jax
import jax.numpy as jnp
import numpy as np

import eager_or_traced as program

from tools.observation import is_tracer, printed

X = jnp.sin(jnp.arange(6.0))


def no_leak():
    program.debugger.values.clear()
    printed(lambda: [program.smooth_fast(X), jax.jit(jax.grad(program.roughness))(X)])
    assert not program.debugger.values
    printed(lambda: program.smooth(X))
    assert sorted(program.debugger.values) == ["smooth", "spectrum"]
    assert not is_tracer(program.debugger.values)


def cached_table():
    program.smooth_fast(X[:5])
    assert isinstance(program.fourier_basis(5), np.ndarray)
    assert "JitTracer" not in printed(lambda: program.smooth(X[:5]))


HOSTILE = {}
INNOCENT = [no_leak, cached_table, lambda: printed(lambda: program.constant_window(X)), lambda: printed(program.main)]
