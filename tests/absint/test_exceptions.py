"""Code that catches what is raised, in the trace and around it, and code that waits for it."""

from __future__ import annotations

import pytest

from tests.linting import check, check_project

_SIGN = """
        @jax.jit
        def sign(x):
            if x > 0:{label}
                return 1.0
            return -1.0
"""


def _around(label: str, rest: str) -> None:
    """Lint a function and the code that calls it."""
    check(_SIGN.format(label=label) + rest)


@pytest.mark.parametrize(
    "handler",
    [
        "except Exception:\n                pass",
        "except TypeError as error:\n                print(error)",
        "except (TypeError, ValueError):\n                return None",
        "except:\n                return 0.0",
    ],
)
def test_the_host_hides_nothing_of_what_it_calls(handler: str) -> None:
    _around(
        "  # JIT101",
        f"""
        def main():
            try:
                sign(1.0)
            {handler}

        main()
    """,
    )


def test_nor_do_those_who_call_it() -> None:
    _around(
        "  # JIT101",
        """
        def retry(job, *args):
            try:
                return job(*args)
            except Exception:
                return None

        def helper(x):
            return sign(x) + 1

        retry(helper, 2.0)
    """,
    )


def test_an_error_that_the_host_catches_by_its_name_is_what_it_waits_for() -> None:
    _around(
        "",
        """
        try:
            sign(1.0)
        except jax.errors.TracerBoolConversionError as error:
            print(error)
    """,
    )


@pytest.mark.parametrize(
    "test",
    [
        "with pytest.raises(TypeError):\n                sign(1.0)",
        "with pytest.raises(jax.errors.JAXTypeError) as caught:\n                sign(1.0)",
        "with pytest.raises(OwnError, match='own'), open('log') as log:\n                sign(1.0)",
        "with contextlib.suppress(TypeError):\n                sign(1.0)",
        "with np.testing.assert_raises(TypeError):\n                sign(1.0)",
        "with self.assertRaises(TypeError):\n                sign(1.0)",
        "with self.assertRaisesRegex(TypeError, 'bool'):\n                print(sign(1.0))",
        "pytest.raises(TypeError, sign, 1.0)",
        "self.assertRaises(TypeError, sign, 1.0)",
        "self.assertRaisesRegex(TypeError, 'bool', sign, x=1.0)",
    ],
)
def test_failures_that_are_expected(test: str) -> None:
    _around(
        "",
        f"""
        import contextlib
        import unittest
        import pytest

        class TestSign(unittest.TestCase):
            def test_sign(self):
                {test.replace(chr(10), chr(10) + "    ")}
    """,
    )


def test_another_call_justifies_the_report() -> None:
    _around(
        "  # JIT101",
        """
        import pytest

        def test_it():
            with pytest.raises(TypeError):
                sign(1.0)
            sign(2.0)
    """,
    )


def test_what_follows_an_expected_failure_runs() -> None:
    check("""
        import contextlib

        @jax.jit
        def f(x):
            with contextlib.suppress(TypeError):
                x = x * int(x)
            if x > 0:  # JIT101
                return x
            return -x
    """)


def test_suppressing_other_errors_expects_nothing() -> None:
    _around(
        "  # JIT101",
        """
        import contextlib

        with contextlib.suppress(KeyError):
            sign(1.0)
    """,
    )


def test_who_expects_one_failure_does_not_hide_that_of_a_like_call() -> None:
    check("""
        import pytest

        def positive(x):
            if x > 0:  # JIT101
                return 1.0
            return 0.0

        @jax.jit
        def first(x):
            return positive(x)

        @jax.jit
        def second(x):
            return positive(x)

        def test_first():
            with pytest.raises(TypeError):
                first(1.0)

        def test_second():
            second(1.0)
    """)


def test_a_number_in_place_of_a_value() -> None:
    check("""
        @jax.jit
        def mean_or_zero(x):
            try:  # JIT113
                scale = float(jnp.mean(x))
            except Exception:
                return 0.0
            return scale * 2.0

        def size(n):
            try:
                return int(n)
            except TypeError:
                return None

        @jax.jit
        def sized(x, n):
            return x if size(n) is None else x * n
    """)


def test_two_handlers_around_like_calls() -> None:
    check("""
        def number(x):
            return float(x)

        @jax.jit
        def f(x):
            try:  # JIT113
                a = number(x) + 1
            except TypeError:
                a = 0.0
            try:  # JIT113
                b = number(x) + 2
            except TypeError:
                b = 0.0
            return a + b
    """)


def test_a_type_test_before_a_report_on_the_same_value() -> None:
    check("""
        @jax.jit
        def f(x, level):
            if isinstance(level, float):
                level = jnp.full_like(x, level)
            if level > 0:  # JIT101
                return x
            return -x

        @jax.jit
        def g(x, level, limit):
            if isinstance(level, float):  # JIT112
                level = jnp.full_like(x, level)
            if limit > 0:  # JIT101
                return x + level
            return -x

        @jax.jit
        def h(x, level, strict=False):
            if isinstance(level, float):  # JIT112
                level = jnp.full_like(x, level)
            if x.ndim > 2:
                if level > 0:  # JIT101
                    return x
            return -x

        f(jnp.ones(3), 0.5)
        g(jnp.ones(3), 0.5, 1.0)
        h(jnp.ones(3), 0.5)
    """)


def test_exceptions_that_a_variable_names() -> None:
    check("""
        try:
            import torch
            HAS_TORCH = True
        except ImportError:
            HAS_TORCH = False

        if HAS_TORCH:
            ERRORS = (TypeError, jax.errors.ConcretizationTypeError)
        else:
            ERRORS = (TypeError,)

        def key_of(x):
            try:
                return len(x), float(x[0])
            except ERRORS:
                return None

        def value_of(x, errors):
            try:
                return float(x[0])
            except errors:
                return None

        def number_of(x):
            try:
                return float(x[0])  # JIT105
            except (KeyError, AttributeError):
                return None

        CACHE = {}

        @jax.jit
        def f(x, errors):
            key = key_of(x)
            if key is None:
                return x + 1
            CACHE[key] = x
            return x

        @partial(jax.jit, static_argnums=1)
        def g(x, errors):
            return x if value_of(x, errors) is None else -x

        @jax.jit
        def h(x):
            return x if number_of(x) is None else -x
    """)


def test_jax_is_there_where_something_is_traced() -> None:
    check_project(
        {
            "correct.py": """
                import numpy as np

                try:
                    import jax
                    import jax.numpy as jnp
                    from jax import jit, vmap

                    HAS_JAX = True
                except ImportError:
                    HAS_JAX = False
                    jnp = np

                def is_jax(x):
                    if not HAS_JAX:
                        return False
                    return type(x).__module__.startswith(("jax", "jaxlib"))

                def correct(x, backend="auto"):
                    if backend == "jax" or (backend == "auto" and is_jax(x)):
                        return x + 1
                    return np.asarray(x)

                corrected = vmap(correct)
            """,
            "old.py": """
                import numpy as np

                try:
                    import jax
                    import torch

                    HAS_TORCH = True
                except ImportError:
                    HAS_TORCH = False

                @jax.jit
                def f(x):
                    if not HAS_TORCH:
                        return np.asarray(x)  # JIT106
                    return x
            """,
        }
    )


def test_a_type_test_that_asks_whether_a_default_was_left() -> None:
    check("""
        @jax.jit
        def f(x, offset=0):
            if not (isinstance(offset, int) and offset == 0):
                x = x + offset
            return x

        @jax.jit
        def g(x, offset=0):
            if isinstance(offset, int) and x.ndim == 0:  # JIT112
                return x
            return x + offset
    """)


def test_a_try_that_only_logs() -> None:
    check("""
        import logging

        logger = logging.getLogger(__name__)

        @jax.jit
        def f(x):
            result = x * 2
            try:
                least = float(jnp.nanmin(result))
                logger.debug("least: %.3f", least)
            except (TypeError, ValueError):
                logger.debug("shape: %s", result.shape)
            return result

        @jax.jit
        def g(x):
            least = 0.0
            try:  # JIT113
                least = float(jnp.nanmin(x))
                logger.debug("least: %.3f", least)
            except (TypeError, ValueError):
                logger.debug("shape: %s", x.shape)
            return x - least
    """)


def test_what_lacks_an_attribute_of_arrays_is_no_tracer() -> None:
    check("""
        import logging

        def dtype_of(x):
            try:
                return x.dtype
            except AttributeError:
                logging.warning("no dtype: %s", x)
                return np.asarray(x).dtype

        def number_of(x):
            try:
                return x.number
            except AttributeError:
                return float(x)  # JIT105

        @jax.jit
        def f(x):
            return x.astype(dtype_of(x)) + number_of(x)
    """)


def test_a_test_that_is_to_fail() -> None:
    check("""
        import pytest

        class Encoder:
            def encode(self, edges):
                return [int(edge) for edge in edges]

            def count(self, edges):
                return int(edges.sum())  # JIT105

        @pytest.mark.xfail(reason="int() of tracers", strict=True)
        def test_encode_is_not_compiled():
            jax.jit(Encoder().encode)(jnp.arange(3))

        def test_count():
            jax.jit(Encoder().count)(jnp.arange(3))
    """)


def test_what_an_object_prints_of_itself_decides_nothing_in_an_error() -> None:
    """What a library says of its objects costs more than all that leads there."""
    check("""
        class Bounded:
            def __init__(self, value):
                self.value = value

            def __repr__(self):
                return "high" if self.value > 1 else "low"

        @jax.jit
        def checked(x, limit=None):
            box = Bounded(x)
            if limit is None:
                raise ValueError(f"no limit for {box}, {box!r} or {str(box)}")
            assert x.shape, f"no array in {box}"
            return x

        class Shown(Bounded):
            def __repr__(self):
                return "high" if self.value > 2 else "low"  # JIT101

        @jax.jit
        def named(x):
            return {str(Shown(x)): x}
    """)


def test_a_lesson_that_shows_how_calls_fail() -> None:
    check("""
        rows = jnp.array([1, 2, 3])
        table = {}

        try:
            rows[0] = 10
        except TypeError as error:
            print("cannot be changed:", error)

        try:
            table["rows"] = rows
        except TypeError as error:
            print("cannot be kept:", error)
        else:
            rows[0] = 10  # JIT205

        def counted(x, n):
            i = 0
            while i < n:
                i += 1
            return x + i

        try:
            jax.jit(counted)(10, 20)
        except Exception as error:
            print("cannot be traced:", error)

        @jax.jit
        def positive(x):
            return x[x > 0]

        try:
            positive(rows)
        except Exception as error:
            print(error)
    """)


def test_a_program_that_is_careful_hides_nothing() -> None:
    check("""
        @jax.jit
        def step(x):
            if x > 0:  # JIT101
                return x
            return -x

        def main(x):
            step(x)

        try:
            main(1.0)
        except Exception as error:
            print(error)

        @jax.jit
        def other(x):
            if x > 0:  # JIT101
                return x
            return -x

        def run(x):
            try:
                x = other(x)
            except Exception as error:
                print(error)
            return x
    """)
