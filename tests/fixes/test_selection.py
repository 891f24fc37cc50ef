"""JIT101: branches that choose between values become ``jnp.where``; guards have no fix."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from tests.fixes.fixing import fixed

_HEAD = "@jax.jit\ndef step(x, y, n):\n    s = x.sum()\n"


def _result(text: str, folder: Path, *, unsafe: bool) -> str:
    body = indent(dedent(text).strip("\n"), "    ")
    result = fixed(f"{_HEAD}{body}\n", folder, unsafe=unsafe)
    return dedent(result.removeprefix(_HEAD)).strip("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return x if s > 0 else -x", "return jnp.where(s > 0, x, -x)"),
        ("return (x if s > 0 else 0.0)  # why", "return (jnp.where(s > 0, x, 0.0))  # why"),
        ("return 2 * (x if s > 0 else y)", "return 2 * (jnp.where(s > 0, x, y))"),
        ("return jnp.exp(x) if s else x.at[0].set(1.0)",
         "return jnp.where(s, jnp.exp(x), x.at[0].set(1.0))"),
        ("if s > 0:\n    return x\nelse:\n    return y[0] * 2",
         "return jnp.where(s > 0, x, y[0] * 2)"),
        ("if s > 0:\n    z = x\nelse:\n    z = -x\nreturn z",
         "z = jnp.where(s > 0, x, -x)\nreturn z"),
        ("if s > 0: x = -x\nreturn x", "x = jnp.where(s > 0, -x, x)\nreturn x"),
        ("z = y\nif s > 0:\n    z = x\nreturn z", "z = y\nz = jnp.where(s > 0, x, z)\nreturn z"),
        ("if s > 0:\n    return x\nreturn y", "return jnp.where(s > 0, x, y)"),
        ("if s > 0:  # a\n    return x  # b\n# c\nreturn y  # d",
         "# b\n# c\nreturn jnp.where(s > 0, x, y)  # a  # d"),
        ("if s > 0:\n    z = x  # why\nelse:\n    z = y\nreturn z",
         "# why\nz = jnp.where(s > 0, x, y)\nreturn z"),
        ("if s > 0:\n    z = x\nelif n > 0:\n    z = y\nelse:\n    z = 0\nreturn z",
         "z = jnp.where(s > 0, x, jnp.where(n > 0, y, 0))\nreturn z"),
        ("if s > 0 and not n > 0:\n    x += y - 1\nreturn x",
         "x = jnp.where(jnp.logical_and(s > 0, jnp.logical_not(n > 0)), x + (y - 1), x)\n"
         "return x"),
        ("return x['a'] if s > 0 else x['b'] * 2", "return jnp.where(s > 0, x['a'], x['b'] * 2)"),
        ("a, b = x, y\nif s > 0:\n    b = -x\nreturn b",
         "a, b = x, y\nb = jnp.where(s > 0, -x, b)\nreturn b"),
        ("if 0 < s < 1:\n    n.total = 0.0\nreturn n",
         "n.total = jnp.where(jnp.logical_and(0 < s, s < 1), 0.0, n.total)\nreturn n"),
    ],
)  # fmt: skip
def test_values(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path, unsafe=False) == old
    assert _result(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return log(x) if s > 0 else x", "return jax.lax.cond(s > 0, lambda: log(x), lambda: x)"),
        ("if s > 0:\n    return jax.tree.map(lambda v: v * s, n), x\nreturn n, x",
         "return jax.lax.cond(s > 0, lambda: (jax.tree.map(lambda v: v * s, n), x), "
         "lambda: (n, x))"),
        ("if s > 0:\n    return x, y\nreturn y, {'a': x}",
         "return jax.lax.cond(s > 0, lambda: (x, y), lambda: (y, {'a': x}))"),
        ("if s > 0:\n    x = -x\n    y = log(y)\nreturn x + y",
         "x, y = jax.lax.cond(s > 0, lambda: (-x, log(y)), lambda: (x, y))\nreturn x + y"),
    ],
)  # fmt: skip
def test_what_may_be_any_pytree(old: str, new: str, tmp_path: Path) -> None:
    new = new.replace("{'a': x}", "{0: x}")
    assert _result(old.replace("{'a': x}", "{0: x}"), tmp_path, unsafe=True) == new


@pytest.mark.parametrize(
    "text",
    [
        "if s > 0:\n    raise ValueError\nreturn y",
        "return x if s > 0 else None",
        "return x if s > 0 else (x, y)",
        "if s > 0:\n    return x\nlog(y)\nreturn y",
        "if n is None:\n    z = x\nelif s > 0:\n    z = y\nelse:\n    z = 0\nreturn z",
        "if n is not None and s > 0:\n    x = y\nreturn x",
        "if s > 0:\n    x = -x\n    y = x + 1\nreturn y",
        "return 'a' if s > 0 else 'b'",
        "return (lambda: x) if s > 0 else (lambda: y)",
        "return print(x) if s > 0 else x",
        "if s > 0:\n    z = x\nelse:\n    w = y\nreturn x",
        "if s > 0:\n    z = x\n    y = z\nelse:\n    z = y\nreturn z",
        "if s > 0:\n    z = x\nreturn x",
    ],
)
def test_what_does_more_than_choose_is_left_alone(text: str, tmp_path: Path) -> None:
    assert _result(text, tmp_path, unsafe=True) == text


@pytest.mark.parametrize("value", ["nn.Dense(3)(x)", "self.dense(x)"])
def test_layers_of_frameworks_are_run_in_no_branch(value: str, tmp_path: Path) -> None:
    text = f"""import flax.linen as nn


class M(nn.Module):
    @nn.compact
    def __call__(self, x):
        return {value} if x.sum() > 0 else x
"""
    assert fixed(text, tmp_path, unsafe=True) == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return new if s > 0 else tree",
         "return jax.lax.cond(s > 0, lambda: new, lambda: tree)"),
        ("if s > 0:\n    return new\nreturn tree",
         "return jax.lax.cond(s > 0, lambda: new, lambda: tree)"),
        ("return new['a'] if s > 0 else x", "return jnp.where(s > 0, new['a'], x)"),
    ],
)  # fmt: skip
def test_whole_trees_are_chosen_by_cond(old: str, new: str, tmp_path: Path) -> None:
    head = "@jax.jit\ndef step(tree, x):\n    s = x.sum()\n"
    head += "    new = jax.tree.map(lambda leaf: 2 * leaf, tree)\n"
    result = fixed(head + indent(f"{old}\n", "    "), tmp_path, unsafe=True)
    assert result == head + indent(f"{new}\n", "    ")


def test_what_looks_at_its_caller_is_not_moved(tmp_path: Path) -> None:
    source = (
        "class Gated(Base):\n    @partial(jax.jit, static_argnums=(0,))\n"
        "    def __call__(self, x):\n"
        "        return super().__call__(x) if x.sum() > 0 else x\n"
    )
    assert fixed(source, tmp_path, unsafe=True) == source
