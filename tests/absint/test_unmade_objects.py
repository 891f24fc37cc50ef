"""Objects that nobody visibly makes: where they may have been made, and what they are of."""

from __future__ import annotations

import pytest

from tests.linting import check, project_reports, reports

_HELD = """
    import abc

    class Operator(abc.ABC):
        @abc.abstractmethod
        def connected(self, x): ...

        @jax.jit
        def count(self, x):
            return self.connected(x).sum()

    class Held(Operator):
        def __init__(self, inner: Operator):
            self._inner = inner

        @property
        def inner(self):
            return self._inner

        def connected(self, x):
            return self.inner.connected(x)

        def tree_flatten(self):
            return (self.inner,), None

        @classmethod
        def tree_unflatten(cls, data, children):
            return cls(*children)
"""
_LAZY = """
    class Lazy(Operator):
        def __init__(self, weights):
            self.weights = weights
            self._ready = False
            self._squares = None

        def _setup(self, force=False):
            if force or not self._ready:
                self._squares = jnp.square(jnp.asarray(self.weights)){squares}
                self._ready = True{ready}

        def connected(self, x):
            self._setup()
            return self._squares * x

        def tree_flatten(self):
            self._setup()
            return (self._squares,), self.weights

        @classmethod
        def tree_unflatten(cls, weights, children):
            made = cls(weights)
            (made._squares,) = children
            made._ready = True
            return made
"""
_NODE = "    @jax.tree_util.register_pytree_node_class\n"


def _lazy(*, squares: str = "", ready: str = "") -> str:
    return _LAZY.format(squares=squares, ready=ready)


def test_an_unflattened_object_and_what_it_holds_are_made_in_the_trace() -> None:
    check(
        (_HELD + _lazy())
        .replace("    class Held", f"{_NODE}    class Held")
        .replace("    class Lazy", f"{_NODE}    class Lazy")
    )


def test_a_pytree_that_a_function_is_given_may_come_from_any_trace() -> None:
    check(
        _NODE
        + _lazy().replace("(Operator)", "").lstrip("\n")
        + """
    def shape_of(operator, x):
        print(operator._squares)
        return jax.eval_shape(operator.connected, x)
        """
    )


def test_an_object_that_no_transform_takes_apart_is_older_than_the_trace() -> None:
    check(
        _lazy(squares="  # JIT204", ready="").replace("(Operator)", "")
        + """
    def shape_of(operator, x):
        print(operator._squares)
        return jax.eval_shape(operator.connected, x)

    def total(x):
        operator = Lazy((1.0, 2.0))
        return jax.jit(lambda y: operator.connected(y))(x)
        """
    )


def test_a_method_runs_on_an_object_of_the_class_that_it_was_found_in() -> None:
    check(
        """
        import os
        from flax import struct

        def timed(function):
            def measured(*args):
                return function(*args)

            return function if os.environ.get("PLAIN") else measured

        @struct.dataclass
        class Matrix:
            shift: float = 0.0

            def __matmul__(self, vector):
                raise NotImplementedError

            @timed
            def dense(self):
                raise NotImplementedError

        @jax.jit
        def _columns(self: "Lazy"):
            return jax.vmap(lambda x: self @ x)(jnp.eye(3))

        @struct.dataclass
        class Lazy(Matrix):
            def __matmul__(self, vector):
                if vector.sum() > 0:  # JIT101
                    return vector
                return vector + self.shift

            def dense(self):
                return _columns(self)

        @struct.dataclass
        class Full(Matrix):
            matrix: jax.Array = None

            def __matmul__(self, vector):
                # No traced function comes here.
                return vector if self.shift != 0 else 2 * vector

            def dense(self):
                return self.matrix

        def norm(matrix: Matrix):
            return jax.jit(jnp.sum)(matrix.dense())
        """
    )


_BATCHES = """
    from jax import Array

    class Batches:
        def __init__(self, size: Array, pad: Array = None):
            self.size = size
            self.pad = 0 if pad is None else pad

        def padded(self, x):
            if self.pad > 0:{label}
                return x
            return x.reshape(self.size[0], -1){label_of_shape}

    class Solver:
        def __init__(self, batches: Batches):
            self.batches = batches
            self.solve = jax.jit(self._solve)

        def _solve(self, x):
            return self.batches.padded(x)
    """


def test_what_visible_code_makes_objects_with_is_believed_before_annotations():
    silent = _BATCHES.format(label="", label_of_shape="")
    made = """
    def run(n):
        return Solver(Batches((2, 3))), Solver(Batches([n, n], pad=4))
    """
    check(silent + made)
    assert [code for _, code in reports(silent)] == ["JIT101", "JIT108"]
    assert [code for _, code in reports(silent + made.replace("pad=4", "pad=n"))] == ["JIT101"]
    passed_on = made.replace("(2, 3)", "*n")
    assert [code for _, code in reports(silent + passed_on)] == ["JIT101", "JIT108"]


def test_a_kind_of_numbers_without_brackets_says_nothing_of_arrays():
    check(
        """
        import flax.linen as nn
        from jaxtyping import Array, Float, Int

        class Net(nn.Module):
            width: Int = 8
            side: Int[Array, ""] = 8

            def setup(self):
                self.wide = nn.Dense(self.width**2)
                self.tall = nn.Dense(self.side**2)  # JIT108
        """
    )


def test_a_package_registers_the_class_of_one_of_its_modules():
    state = "class State:\n    def __init__(self, x):\n        self.x = x\n"
    package = (
        "import jax\nfrom .state import State\n\n"
        "jax.tree_util.register_pytree_node("
        "State, lambda s: ((s.x,), None), lambda _, c: State(*c))\n"
    )
    use = (
        "import jax\nimport jax.numpy as jnp\nfrom field.state import State\n\n"
        "def run():\n"
        "    return jax.jit(lambda state: state.x)(State(jnp.ones(3)))\n"
    )
    files = {"field/__init__.py": package, "field/state.py": state, "run.py": use}
    assert project_reports(files) == []
    unregistered = {**files, "field/__init__.py": "from .state import State\n"}
    assert project_reports(unregistered) == [("run.py", 6, "JIT308")]
    other = {**unregistered, "other/__init__.py": package, "other/state.py": state}
    assert project_reports(other) == [("run.py", 6, "JIT308")]


def test_an_optimiser_with_hyperparameters_in_its_state_that_an_argument_holds() -> None:
    check("""
        import equinox as eqx
        import optax

        class Learner(eqx.Module):
            optimizer: optax.GradientTransformation

            def __init__(self, rate):
                adam = optax.inject_hyperparams(optax.adam)(rate)
                self.optimizer = optax.chain(optax.clip(0.5), adam)

            @eqx.filter_jit
            def learn(self, x: jax.Array, params, grads, state):
                if x > 0:  # JIT101
                    return params
                return self.optimizer.update(grads, state, params)
    """)


DEEP = """
    def fifth({cache}, freqs):
        {change}
        print(freqs)
        print(freqs)
        print(freqs)
        print(freqs)
        print(freqs)
        print(freqs)

    def fourth(cache, freqs):
        fifth(cache, freqs)

    def third(cache, freqs):
        fourth(cache, freqs)

    def second(cache, freqs):
        third(freqs=freqs, cache=cache)

    def run(freqs):
        cache = {{}}
        second(cache, freqs)

        @jax.jit
        def step(x):
            if not cache:
                return float(x)  # {code}
            return x

        return step(1.0)
"""


@pytest.mark.parametrize(
    ("parameter", "change", "code"),
    [
        ("cache", 'cache["f"] = jnp.asarray(freqs)', ""),
        ("cache", "cache.update(f=jnp.asarray(freqs))", ""),
        ("cache", "cache.pop('f', None)", "JIT105"),
        ("other", 'cache = {"f": other}', "JIT105"),
        ("other", 'freqs["f"] = other', "JIT105"),
    ],
)
def test_what_is_called_too_deep_to_be_followed_may_fill_a_dict(
    parameter: str, change: str, code: str
) -> None:
    check(DEEP.format(cache=parameter, change=change, code=code))
