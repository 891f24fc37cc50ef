"""Environments whose base class jits ``step`` and ``reset``, which call what subclasses define."""

from __future__ import annotations

from tests.linting import check

HEAD = """
        from flax import struct
        from gymnax.environments import environment

        @struct.dataclass
        class State(environment.EnvState):
            x: jax.Array
            time: int

        @struct.dataclass
        class Params(environment.EnvParams):
            limit: float = 3.0
            wrap: bool = True
"""


def test_what_the_jitted_methods_hand_on_is_traced() -> None:
    check(
        HEAD
        + """
        class Env(environment.Environment[State, Params]):
            def __init__(self, size=3):
                super().__init__()
                self.size = size

            def step_env(self, key, state: State, action, params: Params):
                x = state.x + action
                if action > 2:  # JIT101
                    x = -x
                s = State(x=x, time=state.time + 1)
                return self.get_obs(s), s, x, self.is_terminal(s, params), {}

            def reset_env(self, key, params):
                s = State(x=jax.random.uniform(key), time=0)
                if s.x > 0.5:  # JIT101
                    s = s.replace(x=s.x - 0.5)
                return self.get_obs(s), s

            def is_terminal(self, state, params):
                return True if state.time >= 10 else False  # JIT101

            def get_obs(self, state, params=None, key=None):
                return jnp.array([float(state.x)])  # JIT105
        """
    )


def test_settings_stay_settings() -> None:
    check(
        HEAD
        + """
        class Env(environment.Environment):
            def __init__(self, size=3):
                super().__init__()
                self.size = size

            def step_env(self, key, state, action, params: Params):
                x = state.x + action * (2 if self.size > 2 else 1)
                # The default parameters are made in the trace, of Python numbers.
                if params.wrap and params.limit > 2:
                    x = x % params.limit
                s = state.replace(x=x, time=state.time + 1)
                return x, s, x, s.time > 10, {}

            def reset_env(self, key, params):
                if params.limit > 2:
                    return 0.0, State(x=jnp.zeros(()), time=0)
                return 0.0, State(x=jnp.ones(()), time=0)

            def describe(self, state, threshold):
                return "far" if state.x > threshold else "near"
        """
    )


def test_who_steps_by_himself_decides_what_is_jitted() -> None:
    check(
        HEAD
        + """
        class Env(environment.Environment):
            def step(self, key, state, action, params=None):
                return self.step_env(key, state, action, params)

            def step_env(self, key, state, action, params):
                return state.replace(x=0.0) if state.x > 1 else state

            def reset_env(self, key, params):
                return State(x=jax.random.uniform(key), time=0)
        """
    )


def test_an_unrelated_class_of_that_name_is_none() -> None:
    check(
        """
        class Environment:
            def step_env(self, key, state, action, params):
                return state if state.x > 1 else None
        """
    )
