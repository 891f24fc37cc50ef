"""JIT301 to JIT303: what is jitted again and again is jitted once, by the module."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed

_HEAD = "def loss(w, x):\n    return (w * x).sum()\n\n\n"


def _source(statement: str) -> str:
    loop = f"    for _ in range(3):\n        {statement}\n"
    return f"{_HEAD}def train(w, x):\n{loop}    return w\n"


@pytest.mark.parametrize(
    ("old", "new", "made"),
    [
        ("w = jax.jit(jax.grad(loss))(w, x)  # why", "w = _jitted_loss(w, x)  # why",
         "_jitted_loss = jax.jit(jax.grad(loss))"),
        ("step = jax.jit(partial(loss, x=2.0)); w = step(w)", "step = _jitted_step; w = step(w)",
         "_jitted_step = jax.jit(partial(loss, x=2.0))"),
    ],
)  # fmt: skip
def test_safe(old: str, new: str, made: str, tmp_path: Path) -> None:
    source = _source(old)
    want = _source(new).replace("def train", f"{made}\n\n\ndef train")
    assert fixed(source, tmp_path) == want


def test_methods_and_decorators(tmp_path: Path) -> None:
    source = f"""{_HEAD}@staticmethod
class Model:
    def train(self, w, x):
        for _ in range(3):
            w = jax.jit(jax.grad(loss))(w, x)
        return w
"""
    want = source.replace("@static", "_jitted_loss = jax.jit(jax.grad(loss))\n\n\n@static")
    assert fixed(source, tmp_path) == want.replace(
        "w = jax.jit(jax.grad(loss))(", "w = _jitted_loss("
    )


def test_what_a_lambda_takes_may_change(tmp_path: Path) -> None:
    source = _source("w = jax.jit(lambda v: loss(v, v))(w)")
    assert fixed(source, tmp_path) == source
    assert "_jitted_function = jax.jit(lambda v: loss(v, v))\n" in fixed(
        source, tmp_path, unsafe=True
    )


def test_an_import_may_not_be_meant_to_ask_for_devices(tmp_path: Path) -> None:
    source = _source("step = jax.jit(jax.grad(loss), device=jax.devices('cpu')[0]); w = step(w, x)")
    assert fixed(source, tmp_path) == source
    assert "_jitted_step = jax.jit(" in fixed(source, tmp_path, unsafe=True)


@pytest.mark.parametrize(
    "statement",
    ["w = jax.jit(lambda v: loss(v, x))(w)", "w = jax.jit(partial(loss, x=x))(w)",
     "w = jax.jit(partial(later, x=2.0))(w)"],
)  # fmt: skip
def test_what_hangs_on_the_call_is_left_alone(statement: str, tmp_path: Path) -> None:
    source = f"{_source(statement)}\n\ndef later(w, x):\n    return w\n"
    assert fixed(source, tmp_path, unsafe=True) == source


def test_two_functions_get_two_names(tmp_path: Path) -> None:
    source = _source("w = jax.jit(jax.grad(loss))(w, x)")
    source += source.removeprefix(_HEAD).replace("grad(loss)", "hessian(loss)")
    new = fixed(source, tmp_path)
    assert "_jitted_loss = jax.jit(jax.grad(loss))\n" in new
    assert "_jitted_loss_2 = jax.jit(jax.hessian(loss))\n" in new
    assert new.count("w = _jitted_loss(w, x)") == new.count("w = _jitted_loss_2(w, x)") == 1
