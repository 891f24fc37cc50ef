"""JIT102, JIT202, JIT206, JIT211: loops, and what reaches beyond the trace."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.fixes.fixing import fixed, fixed_unsafely


def test_a_loop_carries_what_it_binds(tmp_path: Path) -> None:
    old = """\
    @jax.jit
    def f(x, limit):
        n = 0
        while jnp.max(x) > limit:  # until it is small
            half = x / 2
            # one more turn
            for _ in range(2):
                x = half
            n += 1  # counted
        return x, n
    """
    new = """\
    @jax.jit
    def f(x, limit):
        n = 0
        def go_on(carry):  # until it is small
            x, n = carry
            return jnp.max(x) > limit

        def turn(carry):
            x, n = carry
            half = x / 2
            # one more turn
            for _ in range(2):
                x = half
            n += 1  # counted
            return x, n

        x, n = jax.lax.while_loop(go_on, turn, (x, n))
        return x, n
    """
    assert fixed_unsafely(old, tmp_path) == dedent(new)


def test_a_loop_that_carries_one_array(tmp_path: Path) -> None:
    old = "@jax.jit\ndef f(x):\n    while x > 3:\n        x = x - 1\n    return x\n"
    new = (
        "@jax.jit\ndef f(x):\n    def go_on(x):\n        return x > 3\n\n    def turn(x):\n"
        "        x = x - 1\n        return x\n\n"
        "    x = jax.lax.while_loop(go_on, turn, x)\n    return x\n"
    )
    assert fixed_unsafely(old, tmp_path) == new


@pytest.mark.parametrize(
    "body",
    [
        "while x > 3: x = x - 1",
        "while x > 3:\n        x = x - 1\n        if y: break",
        "while x > 3:\n        x = x - 1\n    else:\n        x = y",
        "while x > 3:\n        x = x - 1\n        last = x\n    x = last",
        "while x > 3:\n        y.append(1)\n        x -= 1\n        y[0] = 2",
        "while x > 3:\n        y.total = x\n        x -= 1",
        "while x > 3:\n        pass",
        "if y:\n        z = x\n    while x > 3:\n        z = x = x - 1\n    x = z",
    ],
)
def test_what_a_loop_does_besides_is_left_alone(body: str, tmp_path: Path) -> None:
    source = f"@jax.jit\ndef f(x, y=None):\n    {body}\n    return x\n"
    assert "while_loop" not in fixed(source, tmp_path, unsafe=True)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LOG.append(y)  # kept", "jax.debug.callback(LOG.append, y)  # kept"),
        ("LOG.append(\n        y,\n    )", "jax.debug.callback(LOG.append, y,\n    )"),
        ("TABLE[0] = y", "jax.debug.callback(partial(TABLE.__setitem__, 0), y)"),
    ],
)
def test_what_is_kept_is_kept_when_the_program_runs(old: str, new: str, tmp_path: Path) -> None:
    source = (
        "LOG = []\nTABLE = {{}}\n\n@jax.jit\ndef f(x):\n    y = x.sum()\n    {}\n    return y\n"
    )
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


@pytest.mark.parametrize(
    "line",
    ["LOG.append(y); y = LOG[-1]", "LOG.append(('y', y))", "LOG.extend([y])", "LOG += [y]",
     "z = LOG.append(y)"],
)  # fmt: skip
def test_what_is_looked_at_again_is_left_alone(line: str, tmp_path: Path) -> None:
    source = f"LOG = []\n\n@jax.jit\ndef f(x):\n    y = x.sum()\n    {line}\n    return y\n"
    assert fixed(source, tmp_path, unsafe=True) == source


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('LOG.info("a %s", y)  # so', 'jax.debug.callback(partial(LOG.info, "a %s"), y)  # so'),
        ('LOG.warning(f"loss {y}")', 'jax.debug.callback(lambda y: LOG.warning(f"loss {y}"), y)'),
    ],
)
def test_values_are_logged_when_the_program_runs(old: str, new: str, tmp_path: Path) -> None:
    source = (
        "import logging\nLOG = logging.getLogger()\n\n@jax.jit\ndef f(x):\n"
        "    y = x.sum()\n    {}\n    return y\n"
    )
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


def test_a_mutable_default_is_made_in_each_call(tmp_path: Path) -> None:
    old = """\
    @jax.jit
    def f(x, found=[]):
        with jax.named_scope("count"):
            found.append(1)
            return x + len(found)
    """
    new = """\
    @jax.jit
    def f(x, found=None):
        if found is None:
            found = []
        with jax.named_scope("count"):
            found.append(1)
            return x + len(found)
    """
    assert fixed_unsafely(old, tmp_path) == dedent(new)
