"""What waits for pending work, and what does not, observed."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import timeit
from collections.abc import Callable
from typing import Any

import pytest

from jitlint.jaxmodel.asynchrony import (
    IN_FLIGHT,
    MANY_EXECUTIONS,
    WAITING_METHODS,
    dispatches_many,
    has_calls_wait,
    magic_runs_often,
    waits_for_arguments,
    waits_itself,
)

np: Any = pytest.importorskip("numpy")
jax: Any
jnp: Any
pytestmark = pytest.mark.jax


@pytest.fixture(scope="module", autouse=True)
def _jax() -> None:
    """Import it when a test runs, not when tests are collected."""
    global jax, jnp
    import jax
    import jax.numpy as jnp


def _work(x: Any) -> Any:
    return jax.lax.fori_loop(0, 60, lambda _, a: jnp.tanh(a @ x), x)


@functools.cache
def _input() -> Any:
    return jnp.eye(400) + 0.01


@functools.cache
def _jitted() -> Any:
    return jax.jit(_work)


def waits(call: Callable[[Any], Any]) -> bool:
    """Whether something waits for a result that it is given; a busy machine has three chances."""
    call(jax.block_until_ready(_jitted()(_input())))
    for _ in range(3):
        result = _jitted()(_input())
        if result.is_ready():
            continue
        call(result)
        ready = result.is_ready()
        jax.block_until_ready(result)
        if not ready:
            return False
    return True


@pytest.mark.parametrize("name", ["block_until_ready", "tolist", "tobytes", "__array__"])
def test_methods_that_wait(name: str) -> None:
    assert name in WAITING_METHODS
    assert waits(lambda y: getattr(y, name)())


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("jax.block_until_ready", lambda y: jax.block_until_ready({"y": y})),
        ("jax.device_get", lambda y: jax.device_get(y)),
        ("numpy.asarray", np.asarray),
        ("numpy.sin", np.sin),
        ("builtins.str", str),
        ("builtins.print", lambda y: str([y])),
    ],
)
def test_functions_that_wait(name: str, call: Callable[[Any], Any]) -> None:
    assert waits_for_arguments(name, is_array=True)
    assert waits(call)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("jax.numpy.linalg.norm", lambda y: jnp.linalg.norm(y)),
        ("jax.tree.leaves", lambda y: jax.tree.leaves(y)),
        ("jax.device_put", lambda y: jax.device_put(y)),
        ("builtins.len", len),
        ("builtins.isinstance", lambda y: isinstance(y, jax.Array)),
        ("builtins.sum", lambda y: sum([y, y])),
        ("builtins.abs", abs),
        ("numpy.shape", np.shape),
        ("numpy.sum", np.sum),
    ],
)
def test_functions_that_do_not(name: str, call: Callable[[Any], Any]) -> None:
    assert not waits_for_arguments(name, is_array=True)
    assert not waits(call)


@pytest.mark.parametrize("name", ["sum", "mean", "max"])
def test_of_a_list_numpy_makes_an_array_of_its_own(name: str) -> None:
    assert waits_for_arguments(f"numpy.{name}", is_array=False)
    assert waits(lambda y: getattr(np, name)([y, y]))


@pytest.mark.parametrize(
    ("magic", "often"),
    [
        ("%timeit", True),
        ("%%timeit -n 10 -r 3", False),
        ("%timeit -n 100 -r 5", True),
        ("%timeit -n 5", False),
        ("%time", False),
    ],
)
def test_magics_that_run_something_often(magic: str, often: bool) -> None:
    assert magic_runs_often(magic) is often


def test_dispatches_that_are_repeated_wait_for_each_other() -> None:
    """As ``%timeit`` does it: of so many runs next to nothing is lost."""
    x = jnp.ones((300, 300))
    step = jax.jit(lambda x: jnp.sin(x @ x) @ x)
    step(x).block_until_ready()
    dispatched, done = (
        min(timeit.repeat(run, number=MANY_EXECUTIONS, repeat=3))
        for run in (lambda: step(x), lambda: step(x).block_until_ready())
    )
    assert dispatched > 0.4 * done


def test_functions_of_equinox_wait_for_themselves() -> None:
    equinox = pytest.importorskip("equinox")
    assert waits_itself("equinox.filter_jit")
    assert equinox.filter_jit(_work)(_input()).is_ready()
    assert not waits_itself("jax.jit")


def test_who_dispatches_more_than_a_device_takes_waits() -> None:
    x = jax.block_until_ready(_jitted()(_input()))
    results = [_jitted()(x) for _ in range(2 * IN_FLIGHT)]
    left = sum(not result.is_ready() for result in results)
    jax.block_until_ready(results)
    # The one that is being handed over may wait to be taken.
    assert 0 < left <= IN_FLIGHT + 1


#: what a program with an option sees: whether what a call gives is there as soon as it returns
PROGRAM = """
import sys
import jax
import jax.numpy as jnp

jax.config.update(sys.argv[1], True)
work = jax.jit(lambda x: jax.lax.fori_loop(0, 60, lambda _, a: jnp.tanh(a @ x), x))
x = jnp.eye(400) + 0.01
jax.block_until_ready(work(x))
print(*{str(work(x).is_ready()) for _ in range(3)})
"""


@pytest.mark.parametrize("option", ["jax_debug_nans", "jax_debug_infs", "jax_check_tracer_leaks"])
def test_options_that_have_each_call_wait(option: str) -> None:
    """In a program of its own: a process that has compiled without it may go on so."""
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, option],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    waits = has_calls_wait(f'jax.config.update("{option}", True)')
    assert ran.stdout.split() == ["True"] if waits else "False" in ran.stdout.split()


def test_a_step_of_an_optimizer_waits_for_what_was_dispatched_before() -> None:
    optax = pytest.importorskip("optax")
    params = {name: jnp.ones(9) for name in "abcd"}
    adam, plain = optax.adam(1e-3), optax.sgd(1e-3)
    state, nothing = adam.init(params), plain.init(params)
    assert dispatches_many("optax.GradientTransformation.update")
    kept: list[Any] = []

    def grads(y: Any) -> Any:
        return dict.fromkeys(params, y[0, :9])

    def often(step: Callable[[Any], Any]) -> int:
        """Of six times: on a busy machine what is dispatched may come too late to wait."""
        return sum(waits(lambda y: kept.append(step(grads(y)))) for _ in range(6))

    assert often(lambda g: adam.update(g, state, params)) > 0
    assert often(lambda g: plain.update(g, nothing, params)) < 6
