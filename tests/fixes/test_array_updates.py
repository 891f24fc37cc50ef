"""JIT205 and JIT212: elements are assigned to copies."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = "@jax.jit\ndef step(x, y, n, mask, other):\n    x = x * 2\n    y = y + 1\n"


def _body(lines: str, folder: Path, *, unsafe: bool = False, end: str = "return x, y") -> str:
    result = fixed(f"{_HEAD}    {lines}\n    {end}\n", folder, unsafe=unsafe)
    assert result.startswith(_HEAD)
    return result.removeprefix(_HEAD).removesuffix(f"    {end}\n").strip()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[0] = 1.0", "x = x.at[0].set(1.0)"),
        ("x[0] = 1.0  # keep", "x = x.at[0].set(1.0)  # keep"),
        ("x[-1], = 1.0,", "x[-1], = 1.0,"),
        ("x[1:] += y[1:]", "x = x.at[1:].add(y[1:])"),
        ("x[:, 0] -= 1", "x = x.at[:, 0].subtract(1)"),
        ("x[0] *= 2", "x = x.at[0].multiply(2)"),
        ("x[0] /= 2", "x = x.at[0].divide(2)"),
        ("x[0] **= 2", "x = x.at[0].power(2)"),
        ("x[0] //= 3 + 1", "x = x.at[0].set(x[0] // (3 + 1))"),
        ("x[0] %= 3", "x = x.at[0].set(x[0] % 3)"),
        ("x[0] = (1.0 +\n            # why\n            2)", None),
        ("x[0] = 1; x[1] = 2", "x = x.at[0].set(1); x = x.at[1].set(2)"),
        ("for i in range(3): x[i] = i", "for i in range(3): x = x.at[i].set(i)"),
        ("x[0] = 1.0 + \\\n        2", "x = x.at[0].set(1.0 + \\\n        2)"),
        ("x[ 0 ]=1", "x = x.at[ 0 ].set(1)"),
    ],
)
def test_safe(old: str, new: str | None, tmp_path: Path) -> None:
    if new is None:
        new = old.replace("x[0] = (", "x = x.at[0].set(")
    assert _body(old, tmp_path) == new


@pytest.mark.parametrize(
    "lines",
    [
        "view = x[1:]\n    x[0] = 1.0\n    y = y + view",
        "alias = x\n    x[0] = 1.0\n    y = alias",
        "x = y\n    x[0] = 1.0",
        "row = x[0]\n    row[0] = 1.0",
        "for row in x: row[0] = 1.0",
        "other['a'] = x\n    x[0] = 1.0",
        "keep(x)\n    x[0] = 1.0",
        "x[np.asarray([0, 0])] += 1",
        "x[n] = other",
    ],
)
def test_what_an_alias_may_see_is_unsafe(lines: str, tmp_path: Path) -> None:
    assert _body(lines, tmp_path) == lines
    assert ".at[" in _body(lines, tmp_path, unsafe=True)


def test_a_mask_chooses(tmp_path: Path) -> None:
    assert _body("x[mask > 0] = 0.0", tmp_path) == "x[mask > 0] = 0.0"
    new = _body("x[mask > 0] = 0.0", tmp_path, unsafe=True)
    assert new == "x = jnp.where(mask > 0, 0.0, x)"
    new = _body("x[mask > 0] += 2", tmp_path, unsafe=True)
    assert new == "x = jnp.where(mask > 0, x + 2, x)"


def test_an_array_of_the_caller_is_left_to_him(tmp_path: Path) -> None:
    source = """\
    def clear(values):
        values[0] = 0.0

    @jax.jit
    def step(x):
        x = x * 2
        clear(x)
        return x
    """
    assert ".at[" not in fixed(source, tmp_path)
    assert "values = values.at[0].set(0.0)" in fixed(source, tmp_path, unsafe=True)


def test_a_variable_of_another_scope_is_left_alone(tmp_path: Path) -> None:
    source = """\
    def outer(x):
        x = jnp.sin(x)
        def inner(y):
            x[0] = y
            return x
        return jax.jit(inner)(x)
    """
    assert "x.at" not in fixed(source, tmp_path, unsafe=True)


def test_a_discarded_update_is_assigned_if_unsafe_fixes_are_wanted(tmp_path: Path) -> None:
    old = "x.at[0].set(1.0)  # drop"
    assert _body(old, tmp_path) == old
    assert _body(old, tmp_path, unsafe=True) == "x = x.at[0].set(1.0)  # drop"


def test_a_discarded_update_that_no_one_would_read_has_no_fix(tmp_path: Path) -> None:
    source = """
    import jax

    def mark(grid, cell):
        grid.at[cell].set(1.0)

    @jax.jit
    def marked(grid, cell):
        mark(grid, cell)
        return grid
    """
    assert "grid = grid.at" not in fixed(source, tmp_path, unsafe=True)
    returned = source.replace("set(1.0)", "set(1.0)\n        return grid")
    assert "grid = grid.at" in fixed(returned, tmp_path, unsafe=True)
    looped = source.replace("grid.at[cell]", "for _ in (0, 1): grid.at[cell]")
    assert "grid = grid.at" not in fixed(looped, tmp_path, unsafe=True)
