"""Modules of frameworks that nobody in the project applies are traced as their users trace them."""

from __future__ import annotations

import pytest

from tests.linting import analysis, check, check_project, traced


def test_what_only_an_array_has_is_traced():
    check(
        """
        import flax.linen as nn

        class Net(nn.Module):
            features: tuple[int, ...]

            @nn.compact
            def __call__(self, x, mask=None):
                batch = x.shape[0]
                if mask is not None and mask.any():  # JIT101
                    x = x * mask
                for size in self.features:
                    x = nn.Dense(size)(x)
                if x.min() < 0:  # JIT101
                    x = x + 1.0
                return x.reshape((batch, -1))
        """
    )


@pytest.mark.parametrize(
    "parameter",
    ["train", "train=True", "train: bool", "*train", "**train", "train: str", "train=None"],
)
def test_what_may_be_a_setting_is_none_of_our_business(parameter):
    check(
        f"""
        import flax.linen as nn

        class Net(nn.Module):
            @nn.compact
            def __call__(self, x, {parameter}):
                return nn.Dense(3)(x) if {parameter.strip("*").split(":")[0].split("=")[0]} else x
        """
    )


@pytest.mark.parametrize("parameter", ["scale", "scale=1.0", "scale: float", "scale: int = 3"])
def test_a_number_stays_one(parameter):
    check(
        f"""
        import flax.linen as nn

        class Net(nn.Module):
            limit: float = 2.0

            def __call__(self, x, {parameter}):
                if scale > self.limit:
                    x = x / scale
                for _ in range(int(scale)):
                    x = nn.Dense(x.shape[-1])(x)
                return x
        """
    )


@pytest.mark.parametrize(
    "annotation",
    ["ArrayLike", "ArrayLike | None", "chex.Numeric", "chex.Scalar", "int | jax.Array"],
)
def test_what_may_be_a_number_is_an_array_where_it_is_used_as_one(annotation):
    check(
        f"""
        import chex
        import equinox as eqx
        from jax.typing import ArrayLike

        class Schedule(eqx.Module):
            def __call__(self, step: {annotation}):
                if step < 3:
                    return step
                return 2 * step
        """
    )
    if "int" not in annotation:
        check(
            f"""
            import chex
            import equinox as eqx
            from jax.typing import ArrayLike

            class Schedule(eqx.Module):
                def __call__(self, step: {annotation}):
                    if step < 3:  # JIT101
                        return step
                    return step.reshape(3, -1)
            """
        )


@pytest.mark.parametrize(
    ("annotation", "due"),
    [
        ("Float['b n']", "  # JIT101"),
        ("Float['b n'] | None", "  # JIT101"),
        ("Any", "  # JIT101"),
        ("Config", ""),
        ("tf.Tensor", ""),
        ("dict", ""),
    ],
)
def test_annotations_that_are_not_understood_leave_it_to_the_use(annotation, due):
    check(
        f"""
        from typing import Any
        import flax.linen as nn
        import tensorflow as tf

        class Config:
            ...

        class Alias:
            def __getitem__(self, shape):
                return Any

        Float = Alias()

        class Net(nn.Module):
            def __call__(self, x: {annotation}):
                return x if x.sum() > 0 else -x{due}
        """
    )


def test_both_values_of_a_flag_are_tried_and_tests_of_it_agree():
    check(
        """
        import flax.linen as nn

        class Net(nn.Module):
            def __call__(self, x, train: bool = False):
                limit = x.max() if train else 3
                if train:
                    y = jnp.where(x > limit, limit, x)
                    assert y.all()  # JIT103
                else:
                    y = list(range(limit))
                return y
        """
    )


def test_layers_take_arrays():
    check(
        """
        import equinox as eqx
        import flax.linen as nn

        class Written(nn.Module):
            def __call__(self, x):
                if x > 0:  # JIT101
                    return x
                return nn.Dense(3)(x)

        class Held(eqx.Module):
            layer: eqx.nn.Linear

            def __call__(self, x, flag):
                if x > 0:  # JIT101
                    return x
                return self.layer(x) if flag else x
        """
    )


def test_other_classes_are_not_modules():
    check(
        """
        import flax.linen as nn

        class Transform:
            def __call__(self, x):
                return x.sum() if x.any() else x

        class Layer(nn.Module):
            def helper(self, x):
                return x.sum() if x.any() else x
        """
    )


def test_a_decorator_that_is_not_understood_changes_nothing():
    check(
        """
        import flax.linen as nn
        import wrapping

        def checked(function):
            return wrapping.registry[function.__name__].wrap(function)

        class Net(nn.Module):
            @checked
            @nn.compact
            def __call__(self, x):
                return x if x.any() else -x  # JIT101
        """
    )


def test_compact_methods_run_nowhere_else():
    check(
        """
        import flax.linen as nn
        from flax.linen import compact

        class Coder(nn.Module):
            @nn.compact
            def encode(self, x):
                x = nn.Dense(3)(x)
                return x if x.any() else -x  # JIT101

            @compact
            def decode(self, z, scale=1.0):
                return nn.Dense(3)(z) if z.min() > scale else z  # JIT101

            @property
            def size(self):
                return 3 if self.width > 0 else 4
        """
    )


def test_what_is_applied_here_is_traced_as_it_is_applied():
    source = """
    import flax.linen as nn

    class Inner(nn.Module):
        def __call__(self, x):
            return nn.Dense(3)(x)

    class Outer(nn.Module):
        def __call__(self, x):
            return Inner()(x.T)

    class Used(nn.Module):
        def __call__(self, x):
            return nn.Dense(3)(x)

    @jax.jit
    def step(params, x):
        return Used().apply(params, x) * x
    """
    steps = {item.qualname: [step.note for step in item.trace] for item in analysis(source).traced}
    assert steps["Outer.__call__"] == ["traced where users apply this Flax module under jit"]
    assert steps["Inner.__call__"][-1] == "`Inner.__call__` is called"
    assert steps["Used.__call__"][0] == "traced by jax.jit"
    assert traced(source)["Outer.__call__"]["x"] == "traced"


def test_a_module_that_is_given_nothing_known_is_traced_by_itself():
    check(
        """
        import haiku as hk

        class Inner(hk.Module):
            def __call__(self, x):
                return x.T if x.any() else x  # JIT101

        @jax.jit
        def step(batch):
            return Inner()(batch.unknown.thing(3))
        """
    )


def test_modules_of_other_files_and_subclasses():
    check_project(
        {
            "lib/__init__.py": "",
            "lib/base.py": """
            from flax import nnx

            class Base(nnx.Module):
                def __call__(self, x):
                    x = self.embed(x.T)
                    return x if x.any() else -x  # JIT101

                def embed(self, x):
                    raise NotImplementedError
            """,
            "lib/layers.py": """
            import jax
            from lib.base import Base

            class Layer(Base):
                def embed(self, x):
                    return jax.nn.relu(x)
            """,
        }
    )


def test_nothing_is_said_of_what_happens_once():
    # Whether users keep the trace is not known: they may apply the module outside of jit.
    check(
        """
        import time
        import flax.linen as nn

        class Net(nn.Module):
            def __call__(self, x):
                print(x.shape, time.time())
                return nn.Dense(3)(x)
        """
    )


def test_a_training_loop_is_not_compiled_although_its_class_is_a_module():
    source = """
        import equinox as eqx
        from tqdm.auto import tqdm

        class Trainer(eqx.Module):
            rate: float

            @eqx.filter_jit
            def step(self, model, batch):
                return jax.tree.map(lambda p: p - self.rate * batch.mean(), model)

            def __call__(self, model, batches: jax.Array):
                for batch in {loop}:
                    model = self.step(model, batch)
                    if jnp.isnan(batch.sum()):{label}
                        break
                return model
        """
    check(source.format(loop="tqdm(batches)", label=""))
    check(source.format(loop="batches", label="  # JIT101"))


def test_an_experiment_that_texts_describe_is_no_layer():
    source = """
        import equinox as eqx

        class Experiment(eqx.Module):
            rates: jax.Array

            def __call__(self, *, task: str = "predict", count: int = 1{more}):
                losses = jnp.cumsum(self.rates)
                return {{task: losses[:count].tolist()}}{label}
        """
    check(source.format(more="", label=""))
    check(source.format(more=", start: jax.Array", label="  # JIT105"))


def test_a_module_that_answers_in_python_numbers_is_compiled_by_nobody() -> None:
    check("""
        from flax import nnx

        class Metric(nnx.Module):
            def __call__(self, real, made) -> dict[str, float]:
                return self.compute(real, made)

            def compute(self, real, made) -> dict[str, float]:
                raise NotImplementedError

        class Distance(Metric):
            def compute(self, real: jax.Array, made: jax.Array) -> dict[str, float]:
                spread = jnp.std(real)
                if spread > 0:
                    real = real / spread
                return {"distance": float(jnp.mean(jnp.abs(real - made)))}

        class Features(nnx.Module):
            def __call__(self, x: jax.Array) -> dict[str, object]:
                if x.sum() > 0:
                    x = -x
                return {"radius": self.radius(x)}

            def radius(self, x: jax.Array) -> float:
                return float(jnp.max(x))

        class Layer(nnx.Module):
            def __call__(self, x: jax.Array):
                if x.sum() > 0:  # JIT101
                    return self.scale(x)
                return x

            def scale(self, x: jax.Array) -> float:
                return x * 2

            def size(self) -> int:
                return int(np.prod(self.shape))
    """)
