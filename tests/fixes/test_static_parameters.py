"""JIT101, 107, 108, 308 ...: what Python needs is declared static, as the transform spells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixes.fixing import fixed, fixed_unsafely
from tools.fix_proofs.listing import outcome_of


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("@jax.jit", '@partial(jax.jit, static_argnames=("n",))'),
        ("@jax.jit  # fast", '@partial(jax.jit, static_argnames=("n",))  # fast'),
        ("@partial(jax.jit, donate_argnums=0)",
         '@partial(jax.jit, donate_argnums=0, static_argnames=("n",))'),
        ("@partial(jax.jit, static_argnames='k')",
         "@partial(jax.jit, static_argnames=('k', \"n\"))"),
        ("@partial(jax.jit, static_argnames=('k',))",
         "@partial(jax.jit, static_argnames=('k', \"n\"))"),
        ("@partial(jax.jit, static_argnames=['k'])",
         "@partial(jax.jit, static_argnames=['k', \"n\"])"),
        ("@partial(jax.jit, static_argnums=2)", "@partial(jax.jit, static_argnums=(2, 1))"),
        ("@jax.jit(static_argnums=(2,))", "@jax.jit(static_argnums=(2, 1))"),
        ("@partial(\n    jax.jit,\n    static_argnums=2,\n    donate_argnums=0,\n)",
         "@partial(\n    jax.jit,\n    static_argnums=(2, 1),\n    donate_argnums=0,\n)"),
        ("@partial(\n    jax.jit,\n    # why\n    keep_unused=True,  # so\n)",
         "@partial(\n    jax.jit,\n    # why\n    keep_unused=True,  # so\n"
         '    static_argnames=("n",),\n)'),
        ("@jax.pmap", "@partial(jax.pmap, static_broadcasted_argnums=(1,))"),
    ],
)  # fmt: skip
def test_spellings_of_decorators(old: str, new: str, tmp_path: Path) -> None:
    source = "{}\ndef f(x, n, k):\n    return x[:n]\n"
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("jax.jit(f)", 'jax.jit(f, static_argnames=("n",))'),
        ("jax.jit(f, donate_argnums=(0,))",
         'jax.jit(f, donate_argnums=(0,), static_argnames=("n",))'),
        ("jax.pmap(f, axis_name='i')",
         "jax.pmap(f, axis_name='i', static_broadcasted_argnums=(1,))"),
    ],
)  # fmt: skip
def test_spellings_of_calls(old: str, new: str, tmp_path: Path) -> None:
    source = "def f(x, n):\n    return x + jnp.zeros(n)\n\ng = {}\n"
    assert fixed_unsafely(source.format(old), tmp_path) == source.format(new)


def test_methods_are_counted_as_their_object_shows_them(tmp_path: Path) -> None:
    source = """\
    class Model:
        def __init__(self):
            self.run = jax.jit(self._run{})

        def _run(self, x, n, flag: bool):
            return x[:n] if flag else x
    """
    new = fixed_unsafely(source.format(", static_argnums=2"), tmp_path)
    assert "jax.jit(self._run, static_argnums=(2, 1))" in new


def test_what_is_computed_of_the_parameter_and_passed_on(tmp_path: Path) -> None:
    source = """\
    def repeated(x, count):
        for _ in range(count):
            x = x + 1
        return x

    @jax.jit
    def f(x, n):
        half = abs(n // 2 + x.shape[0])
        return repeated(x, count=half)
    """
    assert 'static_argnames=("n",)' in fixed_unsafely(source, tmp_path)


@pytest.mark.parametrize(
    "calls",
    ["", "f(jnp.ones(3), True)", "f(jnp.ones(3), train=False)", "f(jnp.ones(3), bool(SETTING))"],
)
def test_a_flag_is_no_data(calls: str, tmp_path: Path) -> None:
    source = f"""\
    SETTING = 1

    @jax.jit
    def f(x, train: bool):
        if train:
            return x
        return -x

    {calls}
    """
    assert 'static_argnames=("train",)' in fixed_unsafely(source, tmp_path)


def test_texts_and_functions_that_are_passed(tmp_path: Path) -> None:
    source = """\
    def twice(x):
        return x + x

    @jax.jit
    def f(x, how, do):
        return do(x) if how == "sum" else x

    a = f(jnp.ones(3), "sum", twice)
    b = f(jnp.ones(3), "max", jnp.sin)
    """
    new = fixed_unsafely(source, tmp_path)
    assert '@partial(jax.jit, static_argnames=("how", "do"))' in new


@pytest.mark.parametrize(
    "body",
    [
        # data: what an array says, what may be one, what cannot be hashed, what is new each time
        "@jax.jit\ndef f(x, n):\n    return x[:n]\n\nf(jnp.ones(3), jnp.array(2))\n",
        "@jax.jit\ndef f(x, n: jax.Array):\n    return x[:n]\n",
        "@jax.jit\ndef f(x, n):\n    return x[:n]\n\nf(jnp.ones(3), 2)\nf(jnp.ones(3), x)\n"
        .replace("x)\n", "jnp.sum(jnp.ones(1)))\n", 1),
        "@jax.jit\ndef f(x, n):\n    return x[:n[0]]\n\nf(jnp.ones(3), [2])\n",
        "@jax.jit\ndef f(x, do):\n    return do(x)\n\nf(jnp.ones(3), lambda x: x)\n",
        "@jax.jit\ndef f(x, n):\n    return x[: n.sum()]\n",
        # it does not hang on the parameter alone
        "@jax.jit\ndef f(x, n):\n    m = x.sum() + n\n    return jnp.zeros(m)\n",
        "@jax.jit\ndef f(x, n):\n    m = jnp.minimum(n, 3)\n    return jnp.zeros(m)\n",
        "@jax.jit\ndef f(x, n, m):\n    return x[n:m]\n",
        # the transform is not that of this function alone
        "def fast(f):\n    return jax.jit(f)\n\n@fast\ndef f(x, n):\n    return x[:n]\n",
        "def g(x, n):\n    return x[:n]\n\nf = jax.jit(jax.vmap(g, in_axes=(0, 0)))\n",
        "def g(x, n):\n    return x[:n]\n\nf = jax.jit(g)\nh = jax.jit(g)\n",
        "SETTINGS = {}\n\n@partial(jax.jit, **SETTINGS)\ndef f(x, n):\n    return x[:n]\n",
        "NAMES = ('k',)\n\n@partial(jax.jit, static_argnames=NAMES)\ndef f(x, n, k):\n"
        "    return x[:n]\n",
        "@jax.jit\ndef f(x, *n):\n    return x[: n[0]]\n",
    ],
)  # fmt: skip
def test_what_cannot_be_static_is_left_alone(body: str, tmp_path: Path) -> None:
    assert "static_arg" not in fixed(body, tmp_path, unsafe=True).replace(
        "static_argnames=NAMES", ""
    )


def test_equinox_knows_no_static_names(tmp_path: Path) -> None:
    source = "import equinox as eqx\n\n@eqx.filter_jit\ndef f(x, n):\n    return x[: n.sum()]\n"
    assert fixed(source, tmp_path, unsafe=True) == source


def test_one_fix_serves_several_reports(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text(
        "import jax\nimport jax.numpy as jnp\n\n@jax.jit\ndef f(x, n):\n"
        "    y = x + jnp.zeros(n)\n    return y[:n]\n"
    )
    outcome = outcome_of(path, unsafe=True)
    ((_, new),) = outcome.texts.values()
    assert new.startswith("import functools\n\nimport jax\n")
    assert 'jnp\n\n@functools.partial(jax.jit, static_argnames=("n",))' in new
    assert len(outcome.fixed) == 2
