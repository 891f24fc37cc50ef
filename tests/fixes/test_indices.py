"""JIT107 and JIT106: what a traced value indexes, and slices of a static size."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = """\
TABLE = [1.0, 2.0]
GRID = np.ones(3)
NAMES = ["a", "b"]
@jax.jit
def step(x, y):
    i = x.argmax()
"""


def _result(text: str, folder: Path, *, unsafe: bool) -> str:
    result = fixed(f"{_HEAD}    return {text}\n", folder, unsafe=unsafe)
    return result.removeprefix(_HEAD).removeprefix("    return ").rstrip("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("TABLE[i]  # why", "jnp.asarray(TABLE)[i]  # why"),
        ("(x, -x)[i]", "jnp.asarray((x, -x))[i]"),
        ("GRID[i] + 1", "jnp.asarray(GRID)[i] + 1"),
        ("x[i : i + 4]", "jax.lax.dynamic_slice_in_dim(x, i, 4)"),
        ("x[i - 2 : i]", "jax.lax.dynamic_slice_in_dim(x, i - 2, 2)"),
        ("y[:, i:(4 + i)]", "jax.lax.dynamic_slice_in_dim(y, i, 4, axis=1)"),
        ("y[i:i + 2, i:i + 3].sum()",
         "jax.lax.dynamic_slice_in_dim(jax.lax.dynamic_slice_in_dim(y, i, 2), i, 3, axis=1)"
         ".sum()"),
    ],
)  # fmt: skip
def test_indices(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path, unsafe=False) == old
    assert _result(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize("text", ["NAMES[i]", "x[i:]", "x[: i + 1]", "y[0, i:i + 2]", "x[::i]"])
def test_what_has_no_static_size_is_left_alone(text: str, tmp_path: Path) -> None:
    assert _result(text, tmp_path, unsafe=True) == text


def test_a_default_is_made_anew(tmp_path: Path) -> None:
    old = (
        "def outer():\n  @jax.jit\n  def f(x, seen=[]):\n    seen.append(1)  # why\n"
        "    return x\n  return f\n"
    )
    new = old.replace("seen=[]", "seen=None").replace(
        "    seen.a", "    if seen is None:\n      seen = []\n    seen.a"
    )
    assert fixed(old, tmp_path) == old
    assert fixed(old, tmp_path, unsafe=True) == new


def test_the_clock_waits(tmp_path: Path) -> None:
    source = """\
import time

@jax.jit
def work(x):
    return x @ x

def once(x):
    work(x).block_until_ready()
    start = time.perf_counter()
    y = {}work(x){}  # the work
    return y, time.perf_counter() - start

def often(x):
    work(x).block_until_ready()
    start = time.perf_counter()
    for _ in range(3):
        y = {}work(x){}
    return y, time.perf_counter() - start
"""
    waited = "jax.block_until_ready(", ")"
    assert fixed(source.format("", "", "", ""), tmp_path) == source.format(*waited, "", "")
    both = fixed(source.format("", "", "", ""), tmp_path, unsafe=True)
    assert both == source.format(*waited, *waited)
