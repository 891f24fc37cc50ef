"""JIT201 and JIT105: what is printed is printed by the compiled program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = "@jax.jit\ndef step(x, n):\n    y = x.sum()\n"


def _line(line: str, folder: Path, *, unsafe: bool = False) -> str:
    result = fixed(f"{_HEAD}    {line}\n    return y\n", folder, unsafe=unsafe)
    return result.removeprefix(_HEAD).removesuffix("    return y\n").strip()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("print(y)", 'jax.debug.print("{!s}", y)'),
        ('print("sum", y)', 'jax.debug.print("sum {!s}", y)'),
        ("print('sum', y, x, sep=', ')", "jax.debug.print('sum, {!s}, {!s}', y, x)"),
        ('print(f"sum {y}")', 'jax.debug.print("sum {}", y)'),
        ('print(f"sum {y:.3f}")  # why', 'jax.debug.print("sum {:.3f}", y)  # why'),
        ('print(f"{y!r:>8} {{}}")', 'jax.debug.print("{!r:>8} {{}}", y)'),
        ('print(f"{y=}")', 'jax.debug.print("y={!r}", y)'),
        ('print("a" f"{y}\\n", flush=True)', 'jax.debug.print("a{}\\n", y)'),
    ],
)
def test_safe(old: str, new: str, tmp_path: Path) -> None:
    assert _line(old, tmp_path) == new


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('print("%.3f of %s%%" % (y, n))', 'jax.debug.print("{:.3f} of {!s}%", y, n)'),
        ('print("{:.3f} {n}".format(y, n=n))', 'jax.debug.print("{:.3f} {}", y, n)'),
        ('print(f"{y + 1}")', 'jax.debug.print("{}", y + 1)'),
        ("print(0.1 + 0.2, y)", 'jax.debug.print("{!s} {!s}", 0.1 + 0.2, y)'),
        ("print(x.shape, y)", 'jax.debug.print("{!s} {!s}", x.shape, y)'),
        (
            "for i in range(2): print(y)",
            'for i in range(2): jax.debug.print("{!s}", y)',
        ),
    ],
)
def test_what_may_show_another_text_is_unsafe(old: str, new: str, tmp_path: Path) -> None:
    assert _line(old, tmp_path) == old
    assert _line(old, tmp_path, unsafe=True) == new


@pytest.mark.parametrize(
    "line",
    [
        "print(*x)",
        "print(str(y))",
        "text = f'{y}'; print(text)",
        "print('%s' % str(y))",
        'print(y, end="")',
        "print(y, file=LOG)",
        'print(f"{y:{n}}")',
        'print("%(a)s" % {"a": y})',
        "print(\n        y,  # why\n        n,\n    )",
    ],
)
def test_what_cannot_be_said_so_is_left_alone(line: str, tmp_path: Path) -> None:
    assert _line(line, tmp_path, unsafe=True) == line


def test_an_import_is_added_where_imports_stand(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    text = (
        '"""A module."""\n\nfrom jax import jit\nimport os\n\n\n'
        "@jit\ndef f(x):\n    x = x.sum()\n    print(x)\n    return x\n"
    )
    path.write_text(text)
    from tools.fix_proofs.listing import outcome_of

    ((_, new),) = outcome_of(path).texts.values()
    assert new == text.replace("from jax", "import jax\nfrom jax").replace(
        "print(x)", 'jax.debug.print("{!s}", x)'
    )
