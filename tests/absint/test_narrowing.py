"""Tests that Python answers without a value, and what is known behind them."""

from __future__ import annotations

import pytest

from tests.linting import check


def test_none() -> None:
    check("""
        @jax.jit
        def f(x, mask=None):
            if mask is None:
                mask = 1
                for _ in range(mask):
                    pass
                return x
            if mask is not None and mask > 0:  # JIT101
                pass
            return x

        f(1.0)
        f(1.0, 2.0)
    """)


def test_a_parameter_that_is_never_passed_stays_none() -> None:
    check("""
        @jax.jit
        def f(x, mask=None):
            if mask is not None:
                return float(mask)
            return x

        f(1.0)
    """)


def test_isinstance() -> None:
    check("""
        @jax.jit
        def f(x, n):
            if isinstance(x, jax.Array):
                return float(x)  # JIT105
            return int(x)

        def describe(v):
            if isinstance(v, str):
                return v == "a" and v
            if isinstance(v, (int, float)):
                return v if v > 0 else -v
            if isinstance(v, (list, tuple)):
                return [describe(w) for w in v]
            return float(v)  # JIT105

        @jax.jit
        def g(x):
            return describe("a"), describe(3), describe([1, 2]), describe(x)
    """)


@pytest.mark.parametrize("tracer", ["jax.core.Tracer", "jax.extend.core.Tracer"])
def test_tracer(tracer: str) -> None:
    check(f"""
        def check_positive(v):
            if isinstance(v, {tracer}):
                return
            if v < 0:
                raise ValueError("negative")

        @jax.jit
        def f(x):
            check_positive(x)
            return jnp.sqrt(x)
    """)


def test_negated_and_early() -> None:
    check("""
        @jax.jit
        def f(x):
            if not isinstance(x, jax.core.Tracer):
                if x > 0:
                    return x
            return -x

        def validate(v):
            if not isinstance(v, jax.core.Tracer) and v < 0:
                raise ValueError

        @jax.jit
        def g(x):
            validate(x)
            return x
    """)


def test_callable_and_hasattr() -> None:
    check("""
        @jax.jit
        def f(x):
            if callable(x):
                return x(1)
            if hasattr(x, "shape"):
                return int(x)  # JIT105
            return x
    """)


def test_repeated_static_tests_agree() -> None:
    check("""
        @partial(jax.jit, static_argnames="weighted")
        def f(x, weighted):
            if weighted:
                w = x.sum()
            else:
                w = 3
            if not weighted:
                for _ in range(w):
                    x = x + 1
            return x
    """)


def test_concreteness_guards() -> None:
    check("""
        def validate(v):
            try:
                if v < 0:
                    raise ValueError("negative")
            except jax.errors.TracerBoolConversionError:
                pass
            return v

        @jax.jit
        def f(x):
            return validate(x)
    """)


def test_swallowed_tracer_error() -> None:
    check("""
        @jax.jit
        def f(x):
            try:  # JIT113
                if x > 0:
                    x = x + 1
            except Exception:
                pass
            return x
    """)


def test_type_test_of_a_scalar_that_arrives_as_a_tracer() -> None:
    check("""
        @jax.jit
        def f(x, n):
            if isinstance(n, int):  # JIT112
                return x + 1
            return x

        f(jnp.ones(3), 3)
    """)


def test_no_tracer_is_left_behind_a_negative_test() -> None:
    check("""
        @jax.jit
        def f(x):
            return x if isinstance(x, jax.core.Tracer) else int(x)

        @jax.jit
        def g(x):
            if isinstance(x, jax.Array):
                return x.sum()
            return int(x)
    """)


def test_a_question_for_tracers_that_is_not_followed_to_its_end() -> None:
    check("""
        def is_known(x, depth=10):
            if depth == 0:
                return not isinstance(x, jax.core.Tracer)
            return is_known(x, depth - 1)

        @jax.jit
        def f(x, y):
            if is_known(x):
                return float(x)
            return float(y)  # JIT105
    """)


def test_a_key_that_was_filled_in_is_there() -> None:
    check("""
        def scaled(x, options):
            if "scale" not in options:
                options["scale"] = 2.0
            if "scale" not in options:
                if x > 0:
                    return x
            return x * options["scale"]

        def taken(x, options):
            if "scale" not in options:
                options["scale"] = 2.0
            x = x * options.pop("scale")
            if "scale" not in options:
                if x > 0:  # JIT101
                    return x
            return x

        def run(x, options):
            return jax.jit(lambda x: scaled(x, options) + taken(x, options))(x)
    """)


def test_a_question_for_tracers_that_is_handed_on() -> None:
    check("""
        def is_traced(x):
            return isinstance(x, jax.core.Tracer)

        def on_any_rank(flag, comm):
            return flag if comm is None else bool(comm.allreduce(flag))

        def validate(rows, comm):
            if on_any_rank(is_traced(rows), comm):
                return
            values = np.asarray(rows)
            if np.any(values >= 9):
                raise ValueError("a label is too large")

        def shown(rows, comm):
            if on_any_rank(is_traced(rows), comm):
                return float(rows.sum())  # JIT105
            return 0.0

        def run(comm):
            def solve(rows):
                validate(rows, comm)
                return rows + shown(rows, comm)

            return jax.jit(solve)
    """)


def test_what_is_left_of_two_conditions() -> None:
    check("""
        def build(x, spec, mesh):
            concrete = spec.chunk is None and not isinstance(x, jax.core.Tracer)
            whiten = concrete if spec.whiten is None else spec.whiten
            if whiten and not concrete:
                raise ValueError("whitening needs values")
            shared = spec.shared and whiten and mesh is None
            if shared:
                return np.asarray(x)
            return x

        def verified(lat, lon):
            if isinstance(lat, jax.core.Tracer) and isinstance(lon, jax.core.Tracer):
                return
            if lat.min() < -90 or lon.max() > 360:
                raise ValueError("no such place")

        def certified(value, accepted):
            traced = any(isinstance(x, jax.core.Tracer) for x in jax.tree.leaves((value, accepted)))
            if not traced and not bool(accepted):
                raise RuntimeError("not accepted")
            return value

        def run(x, spec, mesh):
            @jax.jit
            def place(lat: jax.Array, lon: jax.Array):
                verified(lat, lon)
                return certified(lat + lon, jnp.all(lat > 0))

            return jax.jit(lambda x: build(x, spec, mesh))(jnp.sin(x)), place
    """)


def test_a_text_is_looked_for_in_dicts() -> None:
    check("""
        def run(batch, x):
            guidance = batch["guidance"] if "guidance" in batch else None
            return x if guidance is None else x + guidance

        def benchmark(batch, x):
            return jax.jit(run)(batch, x)

        @jax.jit
        def step(batch: jax.Array, x):
            if "guidance" in batch:
                return x
            return -x
    """)


def test_a_tracer_is_no_sequence_to_change() -> None:
    check("""
        import copy
        from collections.abc import MutableMapping, MutableSequence

        def changed(holder, key, value):
            if isinstance(holder, MutableSequence | MutableMapping):
                holder = copy.copy(holder)
                holder[key] = value
                return holder
            return holder.at[key].set(value)

        @jax.jit
        def f(x):
            return changed(jnp.sin(x), 0, 1.0)
    """)
