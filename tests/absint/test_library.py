"""Models of other libraries are found by what is called, not by how the code writes it."""

from __future__ import annotations

import jitlint.absint.assembly  # noqa: F401 - registers the models
from jitlint.absint.library.registry import MODELS
from jitlint.jaxmodel import frameworks
from tests.linting import check


def test_a_builtin_under_another_name() -> None:
    check("""
        from builtins import all as every, min as least

        @jax.jit
        def f(x):
            if least(3, 5) > 4 or not every((True, True)):
                return float(x)
            return x
    """)


def test_a_library_function_under_another_name() -> None:
    check("""
        from operator import itemgetter as item

        @jax.jit
        def f(x):
            first = item(0)((x, 1))
            return float(first)  # JIT105
    """)


def test_what_traced_values_are_passed_through() -> None:
    check("""
        import dataclasses
        import einops
        import equinox.internal as eqxi
        from jax.flatten_util import ravel_pytree

        @jax.jit
        def f(x, params):
            rows = einops.rearrange(x, "a b -> b a")
            if rows.sum() > 0:  # JIT101
                return rows
            flat, unravel = ravel_pytree(params)
            for leaf in jax.tree.leaves(unravel(flat)):
                if leaf.sum() > 0:  # JIT101
                    return leaf
            assert flat.max() > 0  # JIT103
            kept = eqxi.nondifferentiable(x.mean())
            return float(kept)  # JIT105
    """)


def test_einops_gives_an_array_of_the_library_of_what_it_is_given() -> None:
    check("""
        import einops
        import numpy as np

        @jax.jit
        def offsets(x):
            corners = np.stack(np.meshgrid(np.arange(3), np.arange(2)))
            flat = einops.rearrange(corners, "d a b -> d (a b)")
            between = flat[:, :, None] - flat[:, None, :]
            between[0] += 2
            rows = einops.repeat(x, "a -> b a", b=2)
            rows[0] = 0.0  # JIT205
            return np.concatenate([flat, flat]).sum() + x
    """)


def test_what_describes_no_value_is_static() -> None:
    check("""
        import inspect
        import warnings
        import equinox as eqx

        @jax.jit
        def f(x, g=jnp.sin):
            if len(inspect.signature(g).parameters) > 1 or eqx.filter_eval_shape(g, x).ndim > 2:
                warnings.warn("too many")
            if ord("a") > 90:
                return x
            return x + 1
    """)


def test_parameters_that_a_wrapper_looks_up_by_name() -> None:
    check("""
        import inspect

        def normalised(option):
            return "none" if not option else option  # JIT101

        def by_name(function):
            position = inspect.getfullargspec(function).args.index("option")

            @functools.wraps(function)
            def inner(*args):
                if position < len(args):
                    normalised(args[position])
                return function(*args)

            return inner

        @jax.jit
        @by_name
        def kernel(x, y=None, option=None):
            return x @ x

        @jax.jit
        @by_name
        def first(option):
            return option @ option
    """)


def test_a_marked_method_takes_what_it_is_given() -> None:
    check("""
        import haiku as hk
        from haiku._src.module import transparent

        class Attention(hk.Module):
            def __call__(self, x):
                return self.project(x, 4)

            @transparent
            def project(self, x, size):
                if x.sum() > 0:  # JIT101
                    return x
                return x.reshape((-1, 2 * size)) if size > 3 else x

        net = hk.transform(lambda x: Attention()(x))

        @jax.jit
        def loss(params, x):
            return net.apply(params, None, x).sum()
    """)


def test_an_outer_name_that_is_set_to_the_same_number() -> None:
    check("""
        def cosine(steps):
            def schedule(count):
                nonlocal steps
                steps, count = jax.tree.map(
                    lambda x: float(x) if isinstance(x, int) else x, (steps, count)
                )
                return jnp.minimum(count, steps)

            return schedule

        def counting(steps):
            def schedule(count):
                nonlocal steps
                steps = float(steps) + 1  # JIT203
                return jnp.minimum(count, steps)

            return schedule

        def main():
            for schedule in (jax.jit(cosine(10)), jax.jit(counting(10))):
                for count in range(3):
                    print(schedule(count))
    """)


def test_numpyro_runs_a_model_once_before_it_traces_it() -> None:
    check("""
        import numpyro
        import numpyro.distributions as dist
        from numpyro.infer import MCMC, NUTS

        class Tasks:
            def __init__(self, shared):
                self.shared = shared
                self.count = None
                self.rows = None

            def model(self, x, y=None):
                if not self.shared and self.count is None:
                    self.count = len(np.unique(self.rows[:, -1]))
                if self.count is None:
                    print(len(np.unique(self.rows[:, 0])))  # JIT106
                # What `run` is given arrives as it is: it may be an array of NumPy.
                groups = len(np.unique(x[:, -1]))
                scale = numpyro.sample("scale", dist.LogNormal(0.0, groups))
                numpyro.sample("y", dist.Normal(jnp.zeros(x.shape[0]), scale), obs=y)

            def fit(self, key, x: jax.Array, y: jax.Array):
                self.rows = x
                MCMC(NUTS(self.model), num_warmup=5, num_samples=5).run(key, x, y)
    """)


def test_what_is_a_symbolic_dimension_is_no_array() -> None:
    check("""
        from jax import export

        @jax.jit
        def indices(x):
            if isinstance(x, int) or export.is_symbolic_dim(x):
                return jnp.arange(x)
            return jnp.arange(x)  # JIT108
    """)


def test_only_arrays_return_an_updated_copy() -> None:
    check("""
        @jax.jit
        def kernel(x, out_ref, bias_ref):
            bias_ref.at[0].store(x)
            x.at[0].set(1.0)  # JIT212
            return x + bias_ref.at[0].load()
    """)


def test_what_an_optimiser_keeps_deep_in_an_argument() -> None:
    """``tx.update`` of a model that goes through a jitted function in every turn."""
    check(
        """
        import flax
        import optax

        @flax.struct.dataclass
        class Model:
            params: object
            tx: object = flax.struct.field(pytree_node=False)
            state: object = None

            def step(self, grads):
                updates, state = self.tx.update(grads, self.state, self.params)
                return self.replace(params=updates, state=state), {}

        @jax.jit
        def update(model, grads):
            return model.step(grads)

        class Learner:
            def __init__(self, params):
                schedule = optax.cosine_decay_schedule(1.0, 10)
                tx = optax.chain(optax.scale_by_adam(), optax.scale_by_schedule(schedule))
                self.model = Model(params, tx, tx.init(params))

            def update(self, grads):
                self.model, info = update(self.model, grads)
                return info

        def main(params, grads, turns):
            learner = Learner(params)
            for _ in range(turns):
                learner.update(grads)
        """
    )


def test_autoray_tells_the_library_of_an_array() -> None:
    check("""
        import autoray as ar

        def library_of(value):
            found = ar.infer_backend(value)
            return "numpy" if found == "builtins" else found

        @jax.jit
        def f(x):
            if library_of(x) != "jax" or library_of(2.0) != "numpy":
                return float(x)
            return int(x)  # JIT105
    """)


def test_type_makes_classes_of_what_it_is_given() -> None:
    check("""
        def chained(*parts):
            return type("Chained", tuple(map(type, parts)), {"depth": 2})()

        @jax.jit
        def run(x):
            return x, chained().depth

        def names(x):
            return run(x)

        @jax.jit
        def named(x):
            return type(x).__name__

        @jax.jit
        def kind(text):
            return text

        def passed(x):
            return kind(type("Chained", (), {})().depth)
    """)


def test_a_base_that_is_not_known_may_make_items_of_texts() -> None:
    check("""
        import abc

        import lineax as lx

        class RESULTS(lx.RESULTS):
            stalled = "The solver stalled."

        class Items(type):
            def __getattribute__(cls, name):
                return len(name)

        class OTHERS(metaclass=Items):
            stalled = "The solver stalled."

        class Messages(metaclass=abc.ABCMeta):
            stalled = "The solver stalled."

        @jax.jit
        def solve(x):
            return x, RESULTS.stalled

        @jax.jit
        def count(x):
            return x, OTHERS.stalled

        @jax.jit
        def say(x):
            return x, Messages.stalled

        def f(x):
            solve(x)
            count(x)
            return say(x)  # JIT308
    """)


def test_a_function_of_a_framework_under_an_alias() -> None:
    check("""
        from flax.core.frozen_dict import freeze, unfreeze

        @jax.jit
        def f(x, state):
            sizes = unfreeze(freeze({"width": 3, "state": state}))
            for _ in range(9 - sizes["width"]):
                x = x * 2
            if sizes["state"] > 0:  # JIT101
                return x
            return x + 1
    """)


def test_models_of_frameworks_bear_the_names_of_the_tables() -> None:
    models = {name: frameworks.canonical_function(name) for name in MODELS}
    assert {name: known for name, known in models.items() if known not in MODELS} == {}
    assert "flax.core.freeze" in models
