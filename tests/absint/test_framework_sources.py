"""A framework's own source in the project: what the tables say, and what its code does."""

from __future__ import annotations

from tests.linting import check_project

_DRIVER = """\
import equinox as eqx
import jax
import jax.numpy as jnp


@jax.jit
def checked(x):
    y = eqx.error_if(x, jnp.any(x > 5), "too large")
    if y.sum() > 0:  # JIT101
        y = -y
    return y
"""


def test_tables_answer_where_the_source_says_nothing() -> None:
    check_project(
        {
            "equinox/__init__.py": "from ._errors import error_if as error_if\n",
            "equinox/_errors.py": """\
                import inspect


                def error_if(x, pred, msg, *, on_error="default"):
                    for frame in inspect.stack():
                        x = frame.frame.f_locals.get(msg, x)
                    return x
                """,
            "driver.py": _DRIVER,
        }
    )


def test_source_of_a_loop_is_entered() -> None:
    check_project(
        {
            "haiku/__init__.py": "from haiku._src.stateful import while_loop as while_loop\n",
            "haiku/_src/__init__.py": "",
            "haiku/_src/stateful.py": """\
                import jax


                def while_loop(cond_fun, body_fun, init_val):
                    if init_val > 0:  # JIT101
                        raise ValueError("must start below zero")
                    return jax.lax.while_loop(cond_fun, body_fun, init_val)
                """,
            "driver.py": """\
                import haiku as hk
                import jax


                @jax.jit
                def rise(x):
                    return hk.while_loop(lambda v: v < 3, lambda v: v + 1, x)
                """,
        }
    )


def test_source_is_not_entered_with_numbers_of_the_host() -> None:
    check_project(
        {
            "haiku/__init__.py": "from haiku._src.stateful import fori_loop as fori_loop\n",
            "haiku/_src/__init__.py": "",
            "haiku/_src/stateful.py": """\
                import jax


                def fori_loop(lower, upper, body_fun, init_val):
                    if upper < lower:
                        return init_val
                    return jax.lax.fori_loop(lower, upper, body_fun, init_val)
                """,
            "driver.py": """\
                import haiku as hk
                import jax


                @jax.jit
                def rise(x):
                    return hk.fori_loop(0, 3, lambda i, v: v + i, x)
                """,
        }
    )


def test_source_of_a_function_with_rules_is_entered() -> None:
    check_project(
        {
            "equinox/__init__.py": "from ._ad import filter_custom_vjp as filter_custom_vjp\n",
            "equinox/_ad.py": """\
                import jax


                class filter_custom_vjp:
                    def __init__(self, fn):
                        self.fn = fn
                        self.fn_fwd = self.fn_bwd = None

                    def def_fwd(self, fn_fwd):
                        self.fn_fwd = fn_fwd

                    def def_bwd(self, fn_bwd):
                        self.fn_bwd = fn_bwd

                    def __call__(self, vjp_arg, /, *args):
                        if self.fn_fwd is None or self.fn_bwd is None:
                            raise RuntimeError("without rules")
                        if vjp_arg.sum() > 0:  # JIT101
                            vjp_arg = -vjp_arg
                        wrapped = jax.custom_vjp(self.fn)
                        wrapped.defvjp(self.fn_fwd, self.fn_bwd)
                        return wrapped(vjp_arg, *args)
                """,
            "driver.py": """\
                import equinox as eqx
                import jax


                @eqx.filter_custom_vjp
                def double(x):
                    return 2 * x


                @double.def_fwd
                def _double_fwd(perturbed, x):
                    return double(x), None


                @double.def_bwd
                def _double_bwd(residuals, gradient, perturbed, x):
                    return 2 * gradient


                @jax.jit
                def run(x):
                    return double(x).sum()
                """,
        }
    )


def test_source_of_a_pair_of_functions_is_entered() -> None:
    check_project(
        {
            "haiku/__init__.py": "from haiku._src.transform import transform as transform\n",
            "haiku/_src/__init__.py": "",
            "haiku/_src/transform.py": """\
                from typing import NamedTuple


                class Transformed(NamedTuple):
                    init: object
                    apply: object


                def transform(f):
                    def init_fn(rng, *args):
                        if rng[0] == 0:  # JIT101
                            return f(*args)
                        return {}

                    def apply_fn(params, rng, *args):
                        return f(*args)

                    return Transformed(init_fn, apply_fn)
                """,
            "driver.py": """\
                import haiku as hk
                import jax

                net = hk.transform(lambda x: hk.Linear(3)(x))


                def start(x):
                    return jax.jit(net.init)(jax.random.PRNGKey(0), x)
                """,
        }
    )


def test_source_with_overloads_is_entered() -> None:
    check_project(
        {
            "haiku/__init__.py": "from haiku._src.stateful import while_loop as while_loop\n",
            "haiku/_src/__init__.py": "",
            "haiku/_src/stateful.py": """\
                from typing import overload

                import jax


                @overload
                def while_loop(cond_fun, body_fun, init_val: int) -> int: ...


                @overload
                def while_loop(cond_fun, body_fun, init_val: float) -> float: ...


                def while_loop(cond_fun, body_fun, init_val):
                    if init_val > 0:  # JIT101
                        raise ValueError("must start below zero")
                    return jax.lax.while_loop(cond_fun, body_fun, init_val)
                """,
            "driver.py": """\
                import haiku as hk
                import jax


                @jax.jit
                def rise(x):
                    return hk.while_loop(lambda v: v < 3, lambda v: v + 1, x)
                """,
        }
    )


def test_source_that_wraps_a_function_is_entered() -> None:
    check_project(
        {
            "equinox/__init__.py": "from ._vmap import filter_vmap as filter_vmap\n",
            "equinox/_vmap.py": """\
                import jax


                class _Mapped:
                    def __init__(self, fn, in_axes):
                        self.fn, self.in_axes = fn, in_axes

                    def __call__(self, *args):
                        if callable(args[0]):
                            raise TypeError("maps arrays")
                        if args[0].sum() > 0:  # JIT101
                            return self.fn(*args)
                        result = jax.vmap(self.fn, self.in_axes)(*args)
                        if result.ndim == 0:
                            raise ValueError("not mapped")
                        if result.sum() > 0:  # JIT101
                            return -result
                        return result


                def filter_vmap(fn, *, in_axes=0):
                    return _Mapped(fn, in_axes)
                """,
            "driver.py": """\
                import equinox as eqx
                import jax


                @jax.jit
                def doubled(x):
                    return eqx.filter_vmap(lambda row: 2 * row, in_axes=0)(x)
                """,
        }
    )


def test_source_of_a_solver_says_more_than_its_row() -> None:
    """The steps of the project's own solver are run on what the caller gives, as its code does."""
    check_project(
        {
            "optimistix/__init__.py": "from ._root_find import root_find as root_find\n",
            "optimistix/_root_find.py": """\
                import jax


                def root_find(fn, solver, y0, args=None, max_steps=8):
                    def body(_, y):
                        return solver.step(fn, y, args)

                    return jax.lax.fori_loop(0, max_steps, body, y0)
                """,
            "driver.py": """\
                import jax
                import optimistix as optx


                class Bisection:
                    def step(self, fn, y, args):
                        residual = fn(y, args)
                        if residual > 0:  # JIT101
                            y = y - 1.0
                        return y


                def offset(y, args):
                    if y > args:  # JIT101
                        y = args
                    return y - 0.5


                @jax.jit
                def solve(y0):
                    return optx.root_find(offset, Bisection(), y0, 2.0)
                """,
        }
    )


def test_source_of_what_keeps_a_function_is_entered() -> None:
    """The project's own class calls the function that it keeps as its code does."""
    check_project(
        {
            "diffrax/__init__.py": """\
                from ._integrate import diffeqsolve as diffeqsolve
                from ._term import ODETerm as ODETerm
                """,
            "diffrax/_term.py": """\
                from collections.abc import Callable

                import equinox as eqx
                import jax.numpy as jnp


                class ODETerm(eqx.Module):
                    vector_field: Callable

                    def vf(self, t, y, args):
                        if t > 0:  # JIT101
                            t = -t
                        return self.vector_field(t, y, args)
                """,
            "diffrax/_integrate.py": """\
                import equinox as eqx
                import jax


                @eqx.filter_jit
                def diffeqsolve(terms, y0, args, steps=8):
                    def body(i, y):
                        return y + terms.vf(i, y, args)

                    return jax.lax.fori_loop(0, steps, body, y0)
                """,
            "driver.py": """\
                import diffrax
                import jax.numpy as jnp


                def field(t, y, args):
                    if y.sum() > args:  # JIT101
                        return -y
                    return jnp.sin(y)


                def solve(y0, limit):
                    return diffrax.diffeqsolve(diffrax.ODETerm(field), y0, jnp.asarray(limit))
                """,
        }
    )


def test_what_a_model_samples_is_an_array_whatever_handlers_do() -> None:
    check_project(
        {
            "numpyro/__init__.py": "from numpyro.primitives import sample as sample\n",
            "numpyro/primitives.py": """\
                STACK = []


                def apply_stack(message):
                    for handler in reversed(STACK):
                        message = handler(message)
                    return message


                def sample(name, fn, obs=None, rng_key=None):
                    message = {"name": name, "fn": fn, "value": obs}
                    return apply_stack(message)["value"]
                """,
            "driver.py": """\
                import jax
                import numpyro


                def scale(noise):
                    if noise > 0:  # JIT101
                        return noise
                    return -noise


                def model(dist, data):
                    noise = numpyro.sample("noise", dist)
                    seen = numpyro.sample("seen", dist, obs=data)
                    if seen is None:
                        return noise
                    return scale(noise)


                @jax.jit
                def run(x):
                    return model(None, 1.0) + x
                """,
        }
    )
