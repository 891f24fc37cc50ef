"""What is asked for in a way that no array of JAX takes is no array."""

from __future__ import annotations

import json

from tests.linting import analysis, check


def test_a_clone_with_another_value_is_none_of_an_array() -> None:
    check(
        """
        @partial(jax.jit, static_argnames=["ells"])
        def spectrum(rmesh, cmesh, ells=()):
            size = rmesh.attrs
            rmesh -= rmesh.mean()
            cmesh = cmesh.clone(value=cmesh.value.at[0].set(0.0))
            return rmesh.clone(value=3), cmesh.clone(value=jnp.zeros_like(cmesh.value)), size

        @jax.jit
        def copied(x):
            return x.clone()  # JIT105
        """
    )


def test_an_attribute_is_not_set_to_what_cannot_be_made() -> None:
    check(
        """
        class Model:
            def run(self, x):
                self.curve = {"x": np.asarray(x)}  # JIT106
                return x

            def keep(self, x):
                self.curve = {"x": x}  # JIT204
                return x

        model = Model()
        jax.jit(lambda x: model.run(x))(1.0)
        jax.jit(lambda x: model.keep(x))(1.0)
        """
    )


def test_an_array_is_of_no_class_of_a_library_that_nobody_knows() -> None:
    """Whatever is wrong where it was of one is not told."""
    check(
        """
        from tables import Covariance

        class Rotation:
            def __init__(self, covariance):
                self.covariance = jnp.array(covariance)

            def rotate(self, matrix):
                found = self.covariance
                if isinstance(found, Covariance):
                    table = np.eye(3)
                    table[0] = matrix
                    return table
                if isinstance(found, jax.Array):
                    return float(found @ matrix)  # JIT105
                return found

        rotation = Rotation(np.eye(3))
        jax.jit(lambda matrix: rotation.rotate(matrix))(jnp.ones(3))
        """
    )


def _notebook(*cells: str) -> str:
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": text} for text in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": made})


def test_a_notebook_calls_by_itself_what_it_compiles() -> None:
    """Nothing imports it: what it gives a name and does nothing with is never called."""
    define = "import jax\n\ndef sample(x, n):\n    return [x for _ in range(n)]\n"
    unused = _notebook(define, "on_cpu = jax.jit(sample, backend='cpu')", "sample(1.0, 3)")
    used = _notebook(define, "on_cpu = jax.jit(sample, backend='cpu')", "on_cpu(1.0, 3)")
    handed = _notebook(define, "on_cpu = jax.jit(sample, backend='cpu')", "print(on_cpu)")
    found = {
        name: [item.code for item in analysis({name: text}).diagnostics]
        for name, text in (("unused.ipynb", unused), ("used.ipynb", used), ("h.ipynb", handed))
    }
    assert found == {"unused.ipynb": [], "used.ipynb": ["JIT107"], "h.ipynb": ["JIT107"]}


def test_what_a_module_compiles_others_may_call() -> None:
    check(
        """
        def sample(x, n: int):
            return [x for _ in range(n)]  # JIT107

        on_cpu = jax.jit(sample, backend="cpu")
        """
    )
