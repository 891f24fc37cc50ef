"""The way from a transform to a report: each call on it is a step, whatever ran before."""

from __future__ import annotations

import textwrap

import pytest

from tests.linting import analysis

_SOURCE = """
    def check(x):
        if x > 0:
            return x
        return -x

    def half(x):
        return x / 2

    @jax.jit
    def step(x):
        {before}
        return check(x.sum())
"""


@pytest.mark.parametrize(
    "before",
    [
        "y = jax.vmap(half)(x)",
        # What was recalled from the first call, and a function that nobody can enter.
        "y = jax.vmap(half)(x); z = jax.vmap(half)(x)",
        "y = jax.vmap(jnp.sin)(x)",
    ],
)
def test_calls_behind_other_transforms_are_steps(before: str) -> None:
    (diagnostic,) = analysis(_SOURCE.format(before=before)).diagnostics
    assert [step.note for step in diagnostic.trace][:2] == [
        "traced by jax.jit",
        "`check` is called",
    ]


@pytest.mark.parametrize(
    ("body", "certainty"),
    [
        ("@jax.jit\ndef f(x):\n    return float(x)\n\nf(1.0)", "seen"),
        ("@jax.jit\ndef f(x: jax.Array):\n    return float(x)", "declared"),
        ("@jax.jit\ndef f(x):\n    return float(x)", "declared"),
        ("@jax.jit\ndef f(y, x=False):\n    return y if x else -y", "guessed"),
    ],
)
def test_how_it_is_known(body, certainty):
    (report,) = analysis(body).diagnostics
    assert report.certainty == certainty
    assert report.to_json()["certainty"] == certainty


def test_an_object_of_which_only_the_use_tells_is_a_guess():
    source = """
    class Model(equinox.Module):
        weights: jax.Array

        def energies(self, x):
            return x if self.weights[0] > 0 else -x

    @jax.jit
    def step(system, x):
        return system.energies(x) + system.weights
    """
    (report,) = analysis("import equinox\n" + textwrap.dedent(source)).diagnostics
    assert report.certainty == "guessed"
    assert report.severity.label == "warning"
    assert report.message.endswith("`Model.energies` is called, if `system` is a `Model`.")


_ENVIRONMENTS = """
class Env:
    def step(self, action):
        raise NotImplementedError
{also}

class Cart(Env):
    def step(self, action):
        return action if action > 0 else -action


class Pole(Env):
    def step(self, action):
        return 2 * action

"""


def test_one_of_several_subclasses_is_a_guess():
    source = """
    def run(env: Env, actions: jax.Array):
        return jax.jit(lambda action: env.step(action))(actions)
    """
    (report,) = analysis(_ENVIRONMENTS.format(also="") + textwrap.dedent(source)).diagnostics
    assert report.severity.label == "info"
    assert report.message.endswith("`Cart.step` is called, if `env` is a `Cart`.")


def test_one_of_several_subclasses_that_alone_have_a_method_is_a_guess():
    source = """
    class Env:
        def reset(self):
            return 0

    class Cart(Env):
        def step(self, action):
            return action if action > 0 else -action

    class Pole(Env):
        def step(self, action):
            return 2 * action

    def run(env: Env, actions: jax.Array):
        return jax.jit(lambda action: env.step(action))(actions)
    """
    (report,) = analysis(textwrap.dedent(source)).diagnostics
    assert report.severity.label == "info"
    assert report.message.endswith("`Cart.step` is called, if `env` is a `Cart`.")


def test_what_a_compiled_method_of_another_object_calls_is_a_guess():
    source = """
    class Runner:
        def __init__(self, env: Env):
            self.env = env

        @jax.jit(static_argnums=0)
        def run(self, actions):
            return self.env.step(actions)

    class Slow(Runner):
        def __init__(self, env: Env):
            super().__init__(env)
            self.go = jax.jit(lambda actions: self.run(actions))

    class Base(Env):
        def __post_init__(self):
            self.step = jax.jit(self.step)

    class Wrapper(Base):
        def __init__(self, env: Env):
            self.env = env
            self.__post_init__()

        def step(self, action):
            return self.env.step(action)
    """
    (report,) = analysis(_ENVIRONMENTS.format(also="") + textwrap.dedent(source)).diagnostics
    assert report.severity.label == "info"
    assert report.message.endswith("`Cart.step` is called, if `self.env` is a `Cart`.")


def test_warnings_say_on_which_guess_they_rest():
    source = """
    class Talker(Env):
        def step(self, action):
            print(action)
            return action

    def run(env: Env, actions: jax.Array):
        return jax.jit(lambda action: env.step(action))(actions)
    """
    reports = analysis(_ENVIRONMENTS.format(also="") + textwrap.dedent(source)).diagnostics
    (printed,) = [report for report in reports if report.code == "JIT201"]
    assert printed.message.endswith("`Talker.step` is called, if `env` is a `Talker`.")


def test_what_an_object_calls_of_itself_is_none():
    rollout = """
    def rollout(self, action):
        return jax.jit(lambda x: self.step(x))(action)
"""
    (report,) = analysis(_ENVIRONMENTS.format(also=rollout)).diagnostics
    assert (report.certainty, report.severity.label) == ("declared", "error")


_REPEATED = """
    def helper(function, x):
        return jax.jit(lambda a: function(a) * 2)(x)

    def sweep(batches):
        return [helper(jnp.abs, x) for x in batches]

    {before}
"""


def test_a_way_that_meets_no_loop_explains_nothing_of_one() -> None:
    for before in ("pass", "print(helper(jnp.sin, jnp.ones(3)))"):
        (diagnostic,) = analysis(_REPEATED.format(before=before)).diagnostics
        assert "the loop in `sweep` that calls `helper`" in diagnostic.message
        assert diagnostic.trace == ()
    in_a_loop = "for x in jnp.ones((3, 2)):\n        print(helper(jnp.sin, x))"
    source = _REPEATED.format(before=in_a_loop).replace("[helper(jnp.abs, x) for x", "[x for x")
    (diagnostic,) = analysis(source).diagnostics
    assert [step.note for step in diagnostic.trace] == ["`helper` is called"]
