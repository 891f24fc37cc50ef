"""JIT306, JIT312, JIT402: what is compiled for each turn of a loop, or while a clock runs."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.fixes.fixing import fixed, fixed_unsafely

_SCALED = """\
{}
def scaled(x, rate):
    return x * rate


def run(x, steps):
    for step in range(steps):
        x = scaled(x, {})
    return x
"""


@pytest.mark.parametrize(
    "decorator",
    ['@partial(jax.jit, static_argnames="rate")', "@partial(jax.jit, static_argnums=1)"],
)
def test_a_number_that_varies_is_traced(decorator: str, tmp_path: Path) -> None:
    new = fixed_unsafely(_SCALED.format(decorator, "0.5 * step"), tmp_path)
    assert new == _SCALED.format("@jax.jit", "0.5 * step")


def test_equinox_gets_an_array(tmp_path: Path) -> None:
    decorator = "import equinox as eqx\n\n@eqx.filter_jit"
    new = fixed_unsafely(_SCALED.format(decorator, "0.5 * step"), tmp_path)
    assert new == _SCALED.format(decorator, "jnp.asarray(0.5 * step)")


def test_what_shapes_rest_on_stays_static(tmp_path: Path) -> None:
    source = (
        "@partial(jax.jit, static_argnums=1)\ndef first(x, n):\n    return x[:n].sum()\n\n\n"
        "def run(x, steps):\n    return [first(x, n) for n in range(steps)]\n"
    )
    assert fixed(source, tmp_path, unsafe=True) == source


_BANK = """
def run(rows, gain):
    found = []
{}    for row in rows:
{}        found.append(jax.lax.scan({}, 0.0, row)[1])
    return found
"""
_STEP = "{0}def step(c, v):\n{0}    c = c + gain * v\n{0}    return c, c\n\n"


@pytest.mark.parametrize(
    ("before", "inside", "function", "moved", "name"),
    [
        ("", "\n" + _STEP.format(8 * " "), "step", "\n" + _STEP.format(4 * " "), "step"),
        ("", "", "lambda c, v=1: (c, gain * v)",
         "\n    def function(c, v=1):\n        return (c, gain * v)\n\n", "function"),
        ("", "        body = partial(move, gain)\n", "body", "    body = partial(move, gain)\n",
         "body"),
    ],
)  # fmt: skip
def test_a_function_is_made_before_the_loop(
    before: str, inside: str, function: str, moved: str, name: str, tmp_path: Path
) -> None:
    helper = "def move(gain, c, v):\n    return c + v, gain * v\n\n"
    new = fixed_unsafely(helper + _BANK.format(before, inside, function), tmp_path)
    assert new == helper + _BANK.format(moved, "", name)


def test_what_takes_something_from_the_turn_stays(tmp_path: Path) -> None:
    source = _BANK.format("", "", "lambda c, v: (c + row[0], v)")
    assert fixed(source, tmp_path, unsafe=True) == source


def test_a_function_that_a_loop_calls_is_jitted(tmp_path: Path) -> None:
    source = dedent("""
        {}def relax(x, rate):
            return jax.lax.fori_loop(0, 4, lambda _, x: x - rate * x, x)


        def run(rows):
            return [relax(row, 0.5) for row in rows]
    """)
    assert fixed_unsafely(source.format(""), tmp_path) == source.format("@jax.jit\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("start = time.time()\nfor _ in range(9):\n    norm(x).block_until_ready()\n"
         "return (time.time() - start) / 9",
         "{}start = time.time()\nfor _ in range(9):\n    norm(x).block_until_ready()\n"
         "return (time.time() - start) / 9"),
        ("rows = []\nfor turn in range(9):\n    start = time.time()\n"
         "    x = norm(x).block_until_ready()\n    rows.append((turn, time.time() - start))\n"
         "return rows",
         "rows = []\n{}for turn in range(9):\n    start = time.time()\n"
         "    x = norm(x).block_until_ready()\n    rows.append((turn, time.time() - start))\n"
         "return rows"),
        ("rows = []\nfor size in range(9):\n    x = jnp.ones(size)\n    start = time.time()\n"
         "    norm(x).block_until_ready()\n    rows.append((size, time.time() - start))\n"
         "return rows",
         "rows = []\nfor size in range(9):\n    x = jnp.ones(size)\n    {}    start = time.time()\n"
         "    norm(x).block_until_ready()\n    rows.append((size, time.time() - start))\n"
         "return rows"),
    ],
)  # fmt: skip
def test_what_is_timed_is_called_before(old: str, new: str, tmp_path: Path) -> None:
    head = "import time\n\ndef measure(x):\n    norm = jax.jit(jnp.sum)\n"

    def source(body: str) -> str:
        return head + "".join(f"    {row}\n" for row in body.split("\n"))

    call = "jax.block_until_ready(norm(x))\n"
    assert fixed_unsafely(source(old), tmp_path) == source(new.format(call))


def test_a_call_with_something_that_is_made_later_is_not_made_before(tmp_path: Path) -> None:
    source = (
        "import time\n\ndef measure(rows):\n    norm = jax.jit(jnp.sum)\n"
        "    start = time.time()\n    for row in rows:\n"
        "        norm(row).block_until_ready()\n    return (time.time() - start) / 9\n"
    )
    assert fixed(source, tmp_path, unsafe=True) == source
