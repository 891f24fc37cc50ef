"""JIT304, JIT305 and JIT309: what is passed for static parameters, and what is declared static."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed, fixed_unsafely


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[0, 1]", "(0, 1)"),
        ("[0]", "(0,)"),
        ("[0,]", "(0,)"),
        ("[]", "()"),
        ("(1, [2, 3])", "(1, (2, 3))"),
        ("[[1], [2, 3]]", "((1,), (2, 3))"),
        ("[\n        0,  # rows\n    ]", "(\n        0,  # rows\n    )"),
        ("[i for i in range(2)]", "tuple(i for i in range(2))"),
        ("sorted(AXES)", "tuple(sorted(AXES))"),
        ("{1, 2}", "frozenset({1, 2})"),
    ],
)
def test_what_is_passed_gets_a_hash(old: str, new: str, tmp_path: Path) -> None:
    source = """\
AXES = {{0, 1}}

@partial(jax.jit, static_argnames="axes")
def f(x, axes):
    return x * len(axes)

def g(x):
    return f(x, axes={})
"""
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('@partial(jax.jit, static_argnames="mask")', "@jax.jit"),
        ('@partial(jax.jit, static_argnames=("n", "mask"))',
         '@partial(jax.jit, static_argnames=("n",))'),
        ('@partial(jax.jit, static_argnames=("mask", "n"))',
         '@partial(jax.jit, static_argnames=("n",))'),
        ("@partial(jax.jit, static_argnums=[2, 1], donate_argnums=0)",
         "@partial(jax.jit, static_argnums=[2], donate_argnums=0)"),
        ("@partial(jax.jit, static_argnums=1, donate_argnums=0)",
         "@partial(jax.jit, donate_argnums=0)"),
        ("@jax.jit(static_argnums=(1,), donate_argnums=0)", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("passed", [True, False])
def test_what_holds_arrays_is_traced(
    old: str, new: str | None, passed: bool, tmp_path: Path
) -> None:
    annotation, call = ("", "f(jnp.ones(2), jnp.ones(2), 1)\n") if passed else (": jax.Array", "")
    source = f"{{}}\ndef f(x, mask{annotation}, n):\n    return x * mask\n\n{call}"
    new = old if new is None else new
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('static_argnames="windw"', 'static_argnames="window"'),
        ("static_argnames=('windows', 'mode')", "static_argnames=('window', 'mode')"),
        ('static_argnames="window, mode"', 'static_argnames=("window", "mode")'),
        ('donate_argnames=["arr"]', 'donate_argnames=["array"]'),
        ("static_argnums=3", 'static_argnames=("mode",)'),
        ("static_argnums=(3,)", 'static_argnames=("mode",)'),
        ('static_argnames="place"', "static_argnums=(0,)"),
    ],
)
def test_the_name_that_is_meant(old: str, new: str, tmp_path: Path) -> None:
    source = (
        "def f(place, /, array, window=2, *, mode=True):\n    return array\n\ng = jax.jit(f, {})\n"
    )
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


@pytest.mark.parametrize(
    "option",
    ['static_argnames="count"', "static_argnums=4", "static_argnums=-4",
     "static_argnums=(1, 3)", 'static_argnames="window_"', 'static_argnames="wind\\x6f"'],
)  # fmt: skip
def test_no_name_is_guessed(option: str, tmp_path: Path) -> None:
    source = (
        "def f(array, window_a=2, window_b=3, *, mode=True):\n    return array\n\n"
        f"g = jax.jit(f, {option})\n"
    )
    assert fixed(source, tmp_path, unsafe=True) == source


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@jax.jit", "@partial(jax.jit, static_argnums=(0,))"),
        ("@partial(jax.jit, static_argnums=1)", "@partial(jax.jit, static_argnums=(1, 0))"),
        ("@partial(jax.jit, static_argnames=['n'])",
         "@partial(jax.jit, static_argnames=['n', \"self\"])"),
    ],
)  # fmt: skip
def test_an_object_is_static(old: str, new: str, tmp_path: Path) -> None:
    source = "class Model:\n    {}\n    def run(self, n, x):\n        return x * n\n"
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)
