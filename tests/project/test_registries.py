"""Functions that only a registry in another module reaches."""

from __future__ import annotations

import pytest

from tests.linting import check_project

_REGISTRY = """\
LOSSES = {}


def register(name):
    def decorate(function):
        LOSSES[name] = function
        return function

    return decorate
"""
_LOSSES = """\
import jax.numpy as jnp
from pk.registry import register


@register("absolute")
def absolute(x):
    return jnp.abs(x).sum()


@register("hinge")
def hinge(x):
    if jnp.sum(x) > 1.0:  # JIT101
        return jnp.zeros(())
    return 1.0 - jnp.sum(x)


def unregistered(x):
    return float(jnp.sum(x))
"""
_TRAIN = """\
import functools
import jax
{imports}


@functools.partial(jax.jit, static_argnames="name")
def evaluate(x, name):
    return {lookup}[name](x)
"""


@pytest.mark.parametrize(
    ("imports", "lookup"),
    [
        ("from pk.registry import LOSSES", "LOSSES"),
        ("from pk import registry", "registry.LOSSES"),
        ("import pk.registry as known", "known.LOSSES"),
    ],
)
def test_a_registry_is_followed_across_modules(imports: str, lookup: str) -> None:
    check_project(
        {
            "pk/__init__.py": "",
            "pk/registry.py": _REGISTRY,
            "pk/losses.py": _LOSSES,
            "pk/train.py": _TRAIN.format(imports=imports, lookup=lookup),
        }
    )


def test_a_registry_that_no_traced_function_reads_is_host_code() -> None:
    check_project(
        {
            "pk/__init__.py": "",
            "pk/registry.py": _REGISTRY,
            "pk/losses.py": _LOSSES.replace("  # JIT101", ""),
            "pk/run.py": "from pk.registry import LOSSES\n\n"
            "def run(x):\n    return [loss(x) for loss in LOSSES.values()]\n",
        }
    )
