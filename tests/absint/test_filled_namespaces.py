"""Modules that hand on the names of a library without listing them."""

from __future__ import annotations

import pytest

from tests.linting import check_project

_USER = """
    import jax
    import snp
    from snp import maximum

    @jax.jit
    def shrink(v, lam):
        size = snp.sum(v * v)
        if size == 0:  # JIT101
            return v
        if v.ndim == 0:
            return v
        floor = maximum(lam, 0)
        while floor > 1:  # JIT102
            floor = floor / 2
        return v * floor

    @jax.jit
    def own(v):
        if snp.norm(v):
            return v
        return snp.nothing_of_the_kind(v) or v
"""


@pytest.mark.parametrize(
    "filling",
    [
        "vars().update(jnp.__dict__)",
        "globals().update(vars(jnp))",
        "add_attributes(to_dict=vars(), from_dict=jnp.__dict__)",
        "for name in dir(jnp):\n    globals()[name] = getattr(jnp, name)",
        "for name, found in vars(jnp).items():\n    globals()[name] = found",
    ],
)
def test_names_are_those_of_the_library(filling: str) -> None:
    module = (
        "import jax.numpy as jnp\n\n"
        "def add_attributes(to_dict, from_dict):\n    to_dict.update(from_dict)\n\n"
        f"{filling}\n\n"
        "def norm(x):\n    return x.ndim\n"
    )
    check_project({"snp.py": module, "user.py": _USER})


def test_other_names_are_not_known() -> None:
    check_project(
        {
            "snp.py": "import jax.numpy as jnp\n\nNAMES = sorted(vars(jnp))\n",
            "user.py": """
                import jax
                import snp

                @jax.jit
                def shrink(v):
                    if snp.ones(3).sum() == 0:
                        return v
                    return v + 1
            """,
        }
    )


def test_modules_that_take_over_each_other_end() -> None:
    check_project(
        {
            "pkg/__init__.py": "",
            "pkg/a.py": """\
                import jax
                from pkg import b

                globals().update(b.foo.__dict__)


                @jax.jit
                def f(x):
                    if x > 0:  # JIT101
                        return bar(x)
                    return b.baz(x)
                """,
            "pkg/b.py": """\
                from pkg import a

                globals().update(a.foo.__dict__)
                """,
        }
    )
