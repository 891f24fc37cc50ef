"""Code that runs where its file is started is a matter of that file alone."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from tests.cache.test_budgets import Project

FILES = {
    "lib": """
        import jax

        scale = 2

        @jax.jit
        def grow(x):
            return x * scale

        if __name__ == "__main__":
            print(grow(1.0))
    """,
    "script": """
        import jax
        import jax.numpy as jnp
        from lib import grow

        def clip(x, most):
            if x > most:
                return most
            return x

        most = 3
        print(jax.jit(clip, static_argnums=1)(jnp.ones(()), most), grow(most))
    """,
    "other": """
        import jax.numpy as jnp
        import lib

        size = jnp.ones(2)

        def report(x):
            print(lib.grow(x))

        if __name__ == "__main__":
            print(lib.grow(size))
    """,
    "quiet": """
        import lib
        import other

        print(lib.grow(other.size))
    """,
}


@pytest.fixture
def project(tmp_path: Path) -> Project:
    found = Project(tmp_path)
    found.lint(**{name: dedent(text) for name, text in FILES.items()})
    return found


def lint(project: Project, name: str, old: str, new: str) -> set[str]:
    """Replace something in a file; those whose code was interpreted, all reports as when cold."""
    text = dedent(FILES[name])
    assert old in text
    return project.lint(**{name: text.replace(old, new)})


def test_an_edit_of_a_program_interprets_that_program(project: Project) -> None:
    assert lint(project, "script", "most = 3", "most = 4") == {"script"}
    assert lint(project, "quiet", "other.size", "other.size + 1") == {"quiet"}


def test_a_main_block_is_run_for_nobody_who_imports_it(project: Project) -> None:
    assert lint(project, "other", "grow(size)", "grow(size), 2") == {"other"}
    assert lint(project, "lib", "grow(1.0)", "grow(2.0)") == {"lib"}


def test_a_program_that_is_imported_is_one_no_longer(project: Project) -> None:
    found = lint(project, "quiet", "import other", "import other\nimport script")
    assert {"quiet", "script"} <= found


def test_what_a_program_runs_is_reported_where_it_is(project: Project) -> None:
    said = [report for report in project.said(None) if "JIT101" in report]
    assert len(said) == 1
    assert "script.py" in said[0]


@pytest.mark.parametrize(
    "test", ['__name__ == "__main__"', "'__main__' == __name__"], ids=["usual", "turned"]
)
def test_both_ways_to_write_a_main_block(project: Project, test: str) -> None:
    lint(project, "other", '__name__ == "__main__"', test)
    text = dedent(FILES["other"]).replace('__name__ == "__main__"', test)
    assert project.lint(other=text.replace("grow(size)", "grow(size + 1)")) == {"other"}


#: a base class that is left open, a script that derives from it, and one that has nothing to do
#: with that
OPEN = {
    "base": """
        import abc
        import jax

        class Env(abc.ABC):
            @abc.abstractmethod
            def reset(self, key): ...

        def start(env, key):
            return jax.jit(env.reset)(key)
    """,
    "helper": """
        def show(x):
            print(x)
    """,
    "script": """
        from base import Env, start
        from helper import show

        class Cart(Env):
            def reset(self, key):
                return key + 1

        show(start(Cart(), 1))
    """,
    "other": """
        import jax
        from base import Env

        class Pole(Env):
            def reset(self, key):
                return key

        @jax.jit
        def step(x):
            return x
    """,
}
RULES = {
    "helper": """
        def scale(x):
            return x * 2
    """,
    "rules": """
        import jax
        from helper import scale

        @jax.custom_jvp
        def grow(x):
            return x

        @grow.defjvp
        def grow_jvp(primals, tangents):
            return grow(*primals), scale(*tangents)

        def made():
            @jax.custom_jvp
            def inner(x):
                return x

            inner.defjvp(lambda primals, tangents: (inner(*primals), scale(*tangents)))
            return inner
    """,
    "user": """
        import jax
        import rules

        @jax.jit
        def step(x):
            return x + len(rules.__name__)
    """,
}


def test_a_program_that_fills_in_a_class_is_still_one(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.lint(**{name: dedent(text) for name, text in OPEN.items()})
    helper = dedent(OPEN["helper"]).replace("print(x)", "print(x, x)")
    assert project.lint(helper=helper) == {"script"}


def test_what_rules_do_is_a_matter_of_their_file(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.lint(**{name: dedent(text) for name, text in RULES.items()})
    helper = dedent(RULES["helper"]).replace("x * 2", "x * 3")
    assert project.lint(helper=helper) == {"rules"}
