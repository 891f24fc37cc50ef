"""Programs for releases of JAX that the installed one has left behind: nothing here can be run."""

from __future__ import annotations

from tests.linting import check


def test_transforms_under_their_former_names() -> None:
    check("""
        from jax import api, partial as bound
        from jax.api import jit as compiled
        from jax.util import partial as other

        @api.jit
        def clip(x):
            if x > 0:  # JIT101
                return x
            slope = api.grad(jnp.sum)(x)
            return float(slope[0])  # JIT105

        @compiled
        def positive(x):
            assert x > 0  # JIT103
            return x

        @bound(jax.jit, static_argnums=(1,))
        def repeated(x, count):
            if count > 2:
                return x
            return x if x > 0 else -x  # JIT101

        @other(jax.jit, static_argnames="count")
        def doubled(x, count):
            for _ in range(count):
                x = 2 * x
            while x > 0:  # JIT102
                x = x - 1
            return x
    """)


def test_functions_under_their_former_names() -> None:
    check("""
        import jax.numpy.lax_numpy as lnp
        from jax.experimental import host_callback as hcb
        from jax.experimental.maps import xmap
        from jax.ops import index, index_add, index_update

        @jax.jit
        def updated(x):
            y = index_update(x, index[0], 1.0)
            if y.sum() > 0:  # JIT101
                return y
            return jax.ops.index_add(x, jax.ops.index[1:], x[0])

        @jax.jit
        def counted(x):
            y = index_add(jnp.zeros(3), 0, x)
            return float(lnp.sum(y))  # JIT105

        @jax.jit
        def shown(x):
            y = hcb.id_print(x)
            if y > 0:  # JIT101
                return y
            z = hcb.id_tap(lambda value, _: print(value > 0), x)
            return lax.tie_in(x, z) if z < 0 else z  # JIT101

        def row(x):
            return x if jnp.sum(x) > 0 else -x  # JIT101

        rows = xmap(row, in_axes={0: "i"}, out_axes={0: "i"})
        rows(jnp.ones((2, 3)))
    """)


def test_updates_outside_a_trace_are_innocent() -> None:
    check("""
        from jax.ops import index, index_update

        def filled(n):
            x = index_update(jnp.zeros(n), index[0], 1.0)
            if x.sum() > 0:
                return float(x[0])
            return 0.0

        print(filled(3))
    """)


def test_layers_of_stax() -> None:
    check("""
        from jax.experimental import stax

        init, apply = stax.serial(stax.Dense(3), stax.Relu)
        _, both = stax.serial(stax.FanOut(2), stax.parallel(stax.Dense(2), stax.Dense(3)))

        @jax.jit
        def classify(params, x):
            y = apply(params, x)
            if y.sum() > 0:  # JIT101
                return y
            several = both(params, x)
            if several:
                return several[0]
            return x
    """)
