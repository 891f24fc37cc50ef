"""Objects of which only a base class is known: what subclasses make of its methods."""

from __future__ import annotations

from jitlint.diagnostics import Severity
from tests.linting import check, check_project, project_reports

_BASE = """
    from functools import partial
    import jax

    class Model:
        scale = None

        @partial(jax.jit, static_argnums=0)
        def loss(self, x):
            return self.energy(x)

        def energy(self, x):
            raise NotImplementedError

    def descend(model: Model, x):
        return jax.grad(lambda y: model.energy(y).sum())(x)
"""


def test_subclasses_of_other_files_fill_methods_in() -> None:
    found = project_reports(
        {
            "pkg/__init__.py": "",
            "pkg/base.py": _BASE,
            "pkg/well.py": """
                import jax.numpy as jnp
                from pkg.base import Model as Base

                class Well(Base):
                    def energy(self, x):
                        if jnp.sum(x) > 0:
                            return x
                        return -x
            """,
            "pkg/deep.py": """
                import jax.numpy as jnp
                from pkg import well

                class Deep(well.Well):
                    def energy(self, x):
                        return super().energy(x) * float(jnp.sum(x))
            """,
        }
    )
    assert found == [("pkg/deep.py", 7, "JIT105"), ("pkg/well.py", 7, "JIT101")]


def test_subclasses_for_the_host_are_left_alone() -> None:
    found = project_reports(
        {
            "pkg/__init__.py": "",
            "pkg/base.py": _BASE,
            "pkg/host.py": """
                import numpy as np
                from pkg.base import Model

                class Host(Model):
                    def energy(self, x):
                        return np.sin(x)
            """,
            "pkg/compiled.py": """
                import jax
                import numba
                from pkg.base import Model

                class Compiled(Model):
                    def energy(self, x):
                        return float(x)
            """,
        }
    )
    assert found == []


def test_what_one_subclass_stores_is_not_blamed_on_another() -> None:
    check("""
        class Agent:
            def __init__(self):
                self.state = None

            @partial(jax.jit, static_argnums=0)
            def act(self, x):
                self.prepare(x)
                y = self.policy(x)
                if self.state is None:
                    return y
                return y + self.state

            def prepare(self, x):
                pass

            def policy(self, x): ...

        class Recurrent(Agent):
            def prepare(self, x):
                self.state = x  # JIT204

            def policy(self, x):
                return x * self.state

        class Plain(Agent):
            def policy(self, x):
                if self.state is not None and self.state.sum() > 0:
                    return x
                return -x
    """)


def test_what_nothing_fills_in_does_not_end_the_caller() -> None:
    check("""
        class Task:
            def cost(self, x):
                '''Subclasses say what it costs.'''
                message = "to be filled in"
                raise NotImplementedError(message)

            @partial(jax.jit, static_argnums=0)
            def total(self, x):
                cost = self.cost(x)
                if cost > 0:
                    return x
                if x.sum() > 0:  # JIT101
                    return x
                return cost
    """)


def test_users_of_a_subclass_use_what_it_inherits() -> None:
    found = project_reports(
        {
            "base.py": """
                from functools import partial
                import jax

                class Base:
                    @partial(jax.jit, static_argnums=0)
                    def run(self, x, mode):
                        return x
            """,
            "sub.py": """
                import jax
                from base import Base

                class Sub(Base):
                    pass
            """,
            "use.py": """
                import jax
                from sub import Sub

                def use(x: jax.Array):
                    return Sub().run(x, "fast")
            """,
        }
    )
    assert found == [("use.py", 6, "JIT308")]


_METRICS = """
    class Metric:
        def score(self, x): ...

        def add(self, total, x):
            return total + self.score(x)

    class Accuracy(Metric):
        def score(self, x):
            if x.sum() > 0:  # JIT101
                return x
            return -x

    class Host(Metric):
        def score(self, x):
            return float(x.sum()){label}

    def epoch(metric: Metric, xs):
        add = jax.jit(metric.add)
        return [add(0.0, x) for x in xs]

    def table(x):
        metric = Host()
        return {table}
"""


def test_what_never_leaves_its_maker_is_handed_to_no_stranger() -> None:
    check(_METRICS.format(label="", table="metric.add(0.0, x)"))
    check(_METRICS.format(label="  # JIT105", table="evaluate(metric, x)"))


_DELEGATING = """
    class Module:
        def __getattr__(self, name):
            self.reads = name{label}
            return 1.0

    class Holder:
        def __init__(self):
            self.module = Module()

        @partial(jax.jit, static_argnums=0)
        def loss(self, x):
            return x * self.module.{name}
"""


def test_private_attributes_are_not_delegated() -> None:
    check(_DELEGATING.format(name="scale", label="  # JIT204"))
    check(_DELEGATING.format(name="_scale", label=""))


def test_an_annotated_argument_may_be_of_the_trace() -> None:
    check("""
        class Scope:
            def __init__(self):
                self.names = set()

            def reserve(self, name):
                self.names.add(name)

        def dense(scope: Scope, x):
            scope.reserve("dense")
            return x

        @jax.jit
        def f(x):
            return dense(unpack(x), x)
    """)


def test_subclasses_compute_by_way_of_a_module_of_the_project() -> None:
    environment = """
        from pkg import jumpy as jp
        from pkg.env import Env, State

        class {name}(Env):
            def step(self, state: State, action: jp.ndarray) -> State:
                if {condition}:{label}
                    return state
                return state.replace(speed=state.speed + jp.where(action > 0, action, 0.0))
    """
    sources = {
        "pkg/__init__.py": "",
        "pkg/jumpy.py": """
            import jax.numpy as jnp

            ndarray = jnp.ndarray

            def where(condition, x, y):
                return jnp.where(condition, x, y)
        """,
        "pkg/env.py": """
            import abc
            import jax
            from flax import struct
            from pkg import jumpy as jp

            @struct.dataclass
            class State:
                speed: jp.ndarray

            class Env(abc.ABC):
                @abc.abstractmethod
                def step(self, state: State, action: jp.ndarray) -> State:
                    pass

            class Wrapper(Env):
                def __init__(self, env: Env):
                    self.env = env

                def step(self, state: State, action: jp.ndarray) -> State:
                    return self.env.step(state, action)

            def compiled(env: Env):
                return jax.jit(Wrapper(env).step)
        """,
        "pkg/fast.py": environment.format(
            name="Fast", condition="state.speed.max() > 1.0", label="  # JIT101"
        ),
        "pkg/flat.py": environment.format(name="Flat", condition="state.speed.ndim > 1", label=""),
        # Computed by NumPy, which nothing traces.
        "pkg/plain.py": """
            import numpy as np
            from pkg.env import Env, State

            class Plain(Env):
                def step(self, state: State, action: np.ndarray) -> State:
                    if state.speed.max() > 1.0:
                        return state
                    return state.replace(speed=np.where(action > 0, action, 0.0))
        """,
    }
    # Which of the subclasses it is, is a guess.
    check_project(sources, at_least=Severity.INFO)
