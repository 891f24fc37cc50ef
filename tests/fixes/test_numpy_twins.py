"""JIT106: NumPy's functions give way to those of ``jax.numpy``."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = "@jax.jit\ndef step(x, y, z):\n    x = x * 2\n    y = y * 2\n"


def _result(text: str, folder: Path, *, unsafe: bool = False) -> str:
    result = fixed(f"{_HEAD}    return {text}\n", folder, unsafe=unsafe)
    return result.removeprefix(_HEAD).removeprefix("    return ").rstrip("\n")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("np.sin(x)", "jnp.sin(x)"),
        ("np.sin(np.cos(x))  # both", "jnp.sin(jnp.cos(x))  # both"),
        ("np.maximum(x, 0)", "jnp.maximum(x, 0)"),
        ("np.median(x, axis=0, keepdims=True)", "jnp.median(x, axis=0, keepdims=True)"),
        ("np.where(x > y, x, 0)", "jnp.where(x > y, x, 0)"),
    ],
)
def test_safe(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("np.sin([x, y])", "jnp.sin(jnp.array([x, y]))"),
        ("np.exp(z['a'])", "jnp.exp(z['a'])"),
        ("np.percentile(x, [5, 95])", "jnp.percentile(x, jnp.array([5, 95]))"),
        ("np.broadcast_to(x, (2, 3))", "jnp.broadcast_to(x, (2, 3))"),
        ("np.average(x, weights=y)", "jnp.average(x, weights=y)"),
    ],
)
def test_unsafe(old: str, new: str, tmp_path: Path) -> None:
    assert _result(old, tmp_path) == old
    assert _result(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize(
    "text", ["np.sin(x, out=z)", "np.sin(*x)", "np.random.shuffle(x)", "np.zeros(x.sum())"]
)
def test_what_has_no_twin_is_left_alone(text: str, tmp_path: Path) -> None:
    assert _result(text, tmp_path, unsafe=True) == text
