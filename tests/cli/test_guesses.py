"""What holds of one of several objects alone: an info, which ``--verbose`` lists."""

from __future__ import annotations

import pytest

MODELS = """\
import jax
import jax.numpy as jnp


class Model:
    def __call__(self, x):
        raise NotImplementedError


class Clipped(Model):
    def __call__(self, x):
        return x if x > 0 else -x


class Smooth(Model):
    def __call__(self, x):
        return jnp.abs(x)


def fitted(model: Model, x: jax.Array):
    return jax.jit(lambda x: model(x))(x)
"""


@pytest.fixture
def lint(project, jitlint_run):
    (project / "models.py").write_text(MODELS)
    return lambda *arguments: jitlint_run("check", "--output-format", "concise", *arguments)


def test_it_is_not_shown(lint):
    result = lint()
    assert result.code == 0
    assert not any("JIT101" in line for line in result.lines)


def test_verbose_lists_it(lint):
    guess = "`Clipped.__call__` is called, if `model` is a `Clipped`"
    assert f"models.py:12:21: guess: JIT101 is an info (--min-severity info): {guess}" in (
        lint("--verbose").err
    )


@pytest.mark.parametrize("options", [("--min-severity", "info"), ("--select", "JIT101")])
def test_infos_show_it(lint, options):
    result = lint(*options, "--verbose")
    assert any("models.py:12:21: JIT101" in line for line in result.lines)
    assert "guess: JIT101" not in result.err


def test_what_is_ignored_is_not_listed(lint):
    assert "guess: JIT101" not in lint("--ignore", "JIT101", "--verbose").err
