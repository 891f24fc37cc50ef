"""Remedies name what works: for flags, under Equinox, for several values; and what users see."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from jitlint.analysis.engine import analyze
from jitlint.analysis.options import AnalysisOptions

_PRELUDE = "import equinox as eqx\nimport jax\nimport jax.numpy as jnp\n"


def _message(source: str, folder: Path) -> str:
    path = folder / "module.py"
    path.write_text(_PRELUDE + dedent(source))
    reports = analyze(root=folder, targets=[path], options=AnalysisOptions()).diagnostics
    (message,) = {report.message for report in reports}
    return message


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ("if train:\n        return x\n    return -x", "`if` needs a Python bool."),
        ("return x if train else -x", "a conditional expression needs a Python bool."),
        ("return not train", "`not` needs a Python bool."),
        ("assert train\n    return x", "`assert` needs a Python bool."),
        ("while train:\n        x = x + 1\n    return x",
         "`while` needs a Python bool on every turn."),
        ("return bool(train)", "`bool` needs a concrete value."),
    ],
)  # fmt: skip
def test_a_flag_is_made_static(body: str, fault: str, tmp_path: Path) -> None:
    message = _message(f"@jax.jit\ndef f(x, train: bool):\n    {body}\n", tmp_path)
    cure = "It is a flag: make it static (`static_argnames`)."
    assert message == f"`train` is traced here: {fault} {cure}"


def test_each_transform_has_its_option(tmp_path: Path) -> None:
    source = "@jax.pmap\ndef f(x, train: bool):\n    return x if train else -x\n"
    assert "make it static (`static_broadcasted_argnums`)" in _message(source, tmp_path)


def test_what_arrays_are_passed_for_is_no_flag(tmp_path: Path) -> None:
    source = """\
    @jax.jit
    def f(x, ready):
        return x if ready else -x

    f(jnp.ones(3), True)
    f(jnp.ones(3), jnp.array(True))
    """
    assert "Use `jnp.where(condition, a, b)`" in _message(source, tmp_path)


def test_equinox_knows_no_static_names(tmp_path: Path) -> None:
    source = "@eqx.filter_jit\ndef f(x: jax.Array, n: jax.Array):\n    return x + jnp.zeros(n)\n"
    message = _message(source, tmp_path)
    assert "static_arg" not in message
    assert message.endswith("pass its source as a Python value, which Equinox leaves as it is.")


@pytest.mark.parametrize("call", ["max(v * 2 for v in x)", "max([a, b])"])
def test_several_values_are_stacked(call: str, tmp_path: Path) -> None:
    source = f"@jax.jit\ndef f(x):\n    a, b = x[0], x[1]\n    return {call}\n"
    assert "Stack them first: `jnp.max(jnp.stack([...]))`." in _message(source, tmp_path)


def test_one_array_is_not_stacked(tmp_path: Path) -> None:
    message = _message("@jax.jit\ndef f(x):\n    return max(jnp.sin(x))\n", tmp_path)
    assert message.endswith("Use `jnp.maximum(a, b)`, or `jnp.max` of one array.")


@pytest.mark.parametrize(
    ("call", "operand"),
    [
        ("x.reshape(-1, n // 2)", "n // 2"),
        ("jnp.zeros((x.shape[0], n))", "n"),
    ],
)
def test_the_traced_part_is_named_and_no_parameter_that_nobody_sees(
    call: str, operand: str, tmp_path: Path
) -> None:
    message = _message(f"@jax.jit\ndef f(x, n):\n    return {call}\n", tmp_path)
    assert message.startswith(f"`{operand}` is traced here: ")
    assert "`args`" not in message


def test_what_is_compared_is_named_and_not_how_many_are_asked_for(tmp_path: Path) -> None:
    message = _message(
        """
        import heapq

        @jax.jit
        def best(x):
            means = [jnp.mean(x), jnp.sum(x)]
            return heapq.nlargest(2, means)
        """,
        tmp_path,
    )
    assert message.startswith("`means` is traced here: ")
