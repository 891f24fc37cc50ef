"""Objects with structure: dataclasses, NamedTuples, registered pytrees and their static fields."""

from __future__ import annotations

import pytest

from tests.linting import check, check_project, project_reports


def test_namedtuple_fields() -> None:
    check("""
        from typing import NamedTuple

        class State(NamedTuple):
            position: jax.Array
            step: int = 0

        @jax.jit
        def f(state: State):
            if state.position.ndim > 1:
                pass
            if state.position > 0:  # JIT101
                pass
            if state.step > 0:  # JIT101
                pass
            return state._replace(step=state.step + 1)

        @jax.jit
        def g(x):
            state = State(x, 3)
            position, step = state
            if state.step > 0 and step > 1:
                pass
            return float(position)  # JIT105
    """)


def test_collections_namedtuple() -> None:
    check("""
        from collections import namedtuple

        Pair = namedtuple("Pair", ["value", "count"])

        @jax.jit
        def f(x):
            pair = Pair(x, 2)
            for _ in range(pair.count):
                pass
            return int(pair.value)  # JIT105
    """)


def test_plain_dataclass_inside_a_trace() -> None:
    check("""
        from dataclasses import dataclass, field, replace

        @dataclass
        class Config:
            width: int = 3
            depth: int = 2
            names: list = field(default_factory=list)

        @dataclass
        class Carry:
            value: jax.Array
            config: Config

        @jax.jit
        def f(x):
            carry = Carry(x, Config(depth=4))
            for _ in range(carry.config.depth):
                carry = replace(carry, value=carry.value + 1)
            if carry.config.width > 2:
                pass
            if carry.value > 2:  # JIT101
                pass
            return carry.value
    """)


def test_registered_dataclass_with_static_fields() -> None:
    check("""
        import dataclasses

        @partial(
            jax.tree_util.register_dataclass,
            data_fields=["weights"],
            meta_fields=["name", "size"],
        )
        @dataclasses.dataclass
        class Layer:
            weights: jax.Array
            name: str
            size: int

        @jax.jit
        def f(layer: Layer, x):
            if layer.size > 3 and layer.name == "last":
                x = x + 1
            if layer.weights.sum() > 0:  # JIT101
                x = x + 2
            return x

        f(Layer(jnp.ones(3), "first", 3), 1.0)
    """)


def test_registered_dataclass_with_field_metadata() -> None:
    check("""
        from dataclasses import dataclass, field

        @jax.tree_util.register_dataclass
        @dataclass
        class Layer:
            weights: jax.Array
            size: int = field(default=3, metadata=dict(static=True))

        @jax.jit
        def f(layer):
            for _ in range(layer.size):
                pass
            return float(layer.weights)  # JIT105

        f(Layer(jnp.ones(())))
    """)


def test_register_pytree_node_class() -> None:
    check("""
        @jax.tree_util.register_pytree_node_class
        class Point:
            def __init__(self, x, name):
                self.x = x
                self.name = name

            def tree_flatten(self):
                return (self.x,), (self.name,)

            @classmethod
            def tree_unflatten(cls, aux, children):
                return cls(*children, *aux)

            @jax.jit
            def norm(self):
                if self.name == "origin":
                    return 0.0
                if self.x > 0:  # JIT101
                    return self.x
                return -self.x

        Point(jnp.ones(()), "a").norm()
    """)


@pytest.mark.parametrize(
    ("imports", "decorator", "static"),
    [
        ("from flax import struct", "@struct.dataclass", "struct.field(pytree_node=False)"),
        ("import flax", "@flax.struct.dataclass", "flax.struct.field(pytree_node=False)"),
    ],
)
def test_flax_struct(imports: str, decorator: str, static: str) -> None:
    check(f"""
        {imports}

        {decorator}
        class State:
            params: dict
            step: int
            width: int = {static}

        @jax.jit
        def f(state: State):
            if state.width > 3:
                pass
            if state.step > 3:  # JIT101
                pass
            return state.replace(step=state.step + 1)

        f(State({{"w": jnp.ones(3)}}, 0, 3))
    """)


def test_equinox_module() -> None:
    check("""
        import equinox as eqx

        class Layer(eqx.Module):
            weight: jax.Array
            width: int = eqx.field(static=True)
            scale: float = 2.0

            def __call__(self, x):
                if self.width > 3:
                    x = x + 1
                if self.scale > 1.0:
                    x = x * self.scale
                if self.weight.sum() > 0:  # JIT101
                    return x
                return -x

        @eqx.filter_jit
        def f(layer, x):
            return layer(x)

        f(Layer(jnp.ones(3), 3), jnp.ones(()))
    """)


def test_flax_linen_module() -> None:
    check("""
        from flax import linen as nn

        class Network(nn.Module):
            layers: int = 2
            mode: str = "relu"

            @nn.compact
            def __call__(self, x, train: bool = False):
                for _ in range(self.layers):
                    x = nn.Dense(3)(x)
                if self.mode == "relu":
                    x = nn.relu(x)
                if train:
                    x = x + 1
                if x.sum() > 0:  # JIT101
                    return x
                return -x

        model = Network()

        @jax.jit
        def f(params, x):
            return model.apply(params, x)
    """)


def test_static_self_of_a_decorated_method() -> None:
    check("""
        class Model:
            def __init__(self, depth):
                self.depth = depth

            @partial(jax.jit, static_argnums=0)
            def step(self, x):
                for _ in range(self.depth):
                    x = x + 1
                return x if x > 0 else -x  # JIT101

        Model(3).step(1.0)
    """)


def test_jitted_methods_held_in_attributes() -> None:
    check("""
        class Trainer:
            def __init__(self, rate):
                self.rate = rate
                self.step = jax.jit(self._step)

            def _step(self, x):
                if self.rate > 0:
                    x = x * self.rate
                return x if x > 0 else -x  # JIT101

            def fit(self, x):
                while self.step(x) > 0:
                    x = x - 1
                return float(self.step(x))
    """)


def test_enum_members_are_static() -> None:
    check("""
        import enum

        class Mode(enum.Enum):
            TRAIN = "train"
            TEST = "test"

        @partial(jax.jit, static_argnums=1)
        def f(x, mode=Mode.TRAIN):
            if mode is Mode.TRAIN or mode == Mode.TEST:
                x = x + 1
            if Mode.TRAIN.value == "train":
                x = x + 1
            return x
    """)


RECORDS = """
    import dataclasses

    def field(*, meta=False, **options):
        return dataclasses.field(metadata={"meta": meta}, **options)

    def record(cls=None):
        def wrap(cls):
            cls = dataclasses.dataclass(frozen=True)(cls)
            every = dataclasses.fields(cls)
            meta = [one.name for one in every if one.metadata.get("meta")]
            data = [one.name for one in every if one.name not in meta]
            jax.tree_util.register_dataclass(cls, data, meta)
            return cls
        return wrap if cls is None else wrap(cls)
"""


def test_a_decorator_of_the_project_makes_a_pytree() -> None:
    check(f"""{RECORDS}
    @record
    class Body:
        speed: jax.Array
        order: int = field(meta=True, default=2)

        def fast(self):
            return 1 if self.speed > 2 else 0  # JIT101

        def even(self):
            return self.order % 2 == 0

    @jax.jit
    def f(body: Body):
        return body.fast() + (1 if body.even() else 2)
    """)


def test_what_new_returns_may_be_its_argument() -> None:
    check("""
        class Interval:
            def __new__(cls, low, high=None):
                if isinstance(low, Interval):
                    return low
                self = object.__new__(cls)
                self.low = low
                self.high = low if high is None else high
                return self

            def __mul__(self, other):
                other = Interval(other)
                if other.low >= 0:  # JIT101
                    return Interval(self.low * other.low)
                return self

        jax.tree_util.register_pytree_node(
            Interval, lambda i: ((i.low, i.high), None), lambda _, ends: Interval(*ends)
        )

        @jax.jit
        def area(a, b):
            return (a * b).low

        area(Interval(1.0), Interval(2.0, 3.0))
    """)


def test_a_number_is_no_object_of_a_class() -> None:
    check("""
        class Scale:
            pass

        @jax.jit
        def f(x):
            scale = 2.0
            if isinstance(scale, Scale) and x > 0:
                return x
            return x * scale
    """)


def test_the_own_source_of_a_framework_makes_its_modules_pytrees() -> None:
    layers = """
        import jax
        import equinox.internal as internal
        from equinox._module._module import Module

        class Linear(Module):
            weight: jax.Array
            size: int = internal.field(static=True)

            def __init__(self, size, key):
                self.size = size
                self.weight = jax.random.normal(key, (size,))

            def __call__(self, x):
                if self.size > 3:
                    x = x[:3]
                if self.weight[0] > 0:
                    return x
                return -x
    """
    found = project_reports(
        {
            "equinox/__init__.py": "from equinox._module._module import Module as Module",
            "equinox/_module/__init__.py": "",
            "equinox/_module/_module.py": """
                class _ModuleMeta(type):
                    def __call__(cls, *args, **kwargs):
                        return _finalised(super().__call__(*args, **kwargs))

                _initialising = set()

                class Module(metaclass=_ModuleMeta):
                    def __new__(cls, *args, **kwargs):
                        del args, kwargs
                        self = super().__new__(cls)
                        _initialising.add(self)
                        return self
            """,
            "equinox/internal.py": "def field(*, static=False): ...",
            "equinox/nn.py": layers,
            "use.py": """
                import equinox as eqx
                import jax
                from equinox import nn

                def main(x):
                    layer = nn.Linear(4, jax.random.key(0))
                    return jax.jit(lambda layer, x: layer(x))(layer, x)
            """,
        }
    )
    assert found == [("equinox/nn.py", 17, "JIT101")]


def test_a_dataclass_with_a_plain_new() -> None:
    check(
        """
        import dataclasses

        class Counted:
            def __new__(cls, *args, **kwargs):
                return super().__new__(cls)

        @dataclasses.dataclass
        class Bounds(Counted):
            low: float
            limit: object

        @jax.jit
        def clip(x):
            bounds = Bounds(0.0, x.max())
            if bounds.low > 1:
                x = x + bounds.low
            if bounds.limit > 1:  # JIT101
                return x
            return -x
        """
    )


def test_an_operator_never_gives_not_implemented() -> None:
    check("""
        class Scaled:
            def __init__(self, norm, by):
                self.norm, self.by = norm, by

            def prox(self, v):
                return self.norm.prox(v) * self.by

        class Norm:
            def __mul__(self, other):
                if isinstance(other, (int, float)):
                    return Scaled(self, other)
                return NotImplemented

            __rmul__ = __mul__

            def prox(self, v):
                length = jnp.linalg.norm(v)
                if length == 0:  # JIT101
                    return v
                return v / length

        class Shift:
            def __add__(self, other):
                return NotImplemented

        class Step:
            def __radd__(self, other):
                return 3

        def solver(rate):
            norm = rate * Norm()
            return jax.jit(lambda v: norm.prox(v))

        @jax.jit
        def shifted(v):
            if Shift() + Step() > 2:
                return v
            return float(v)
    """)


def test_a_class_method_that_compiles_methods_of_its_class() -> None:
    check(
        """
        class Workflow:
            def setup(self, key: jax.Array):
                raise NotImplementedError

            def step(self, x):
                raise NotImplementedError

            @classmethod
            def enable_jit(cls):
                cls.setup = jax.jit(cls.setup, static_argnums=(0,))
                cls.step = jax.jit(cls.step, static_argnums=(1,))  # JIT309

        class Random(Workflow):
            def setup(self, key: jax.Array):
                return jax.random.normal(key)
        """
    )


def test_a_named_tuple_that_is_registered_by_itself() -> None:
    check("""
        from typing import NamedTuple

        class State(NamedTuple):
            nodes: dict[str, jax.Array]
            size: int
            step: int

        jax.tree_util.register_pytree_node(
            State,
            lambda s: ((s.nodes, s.step), (s.size,)),
            lambda aux, children: State(children[0], aux[0], children[1]),
        )

        def advance(t, state: State) -> State:
            return state._replace(step=state.step + 1)

        def run(state: State):
            state = lax.fori_loop(0, 10, advance, state)
            total = jnp.zeros((state.size,))
            return total + jnp.zeros((state.step,))  # JIT108

        def host(state: State):
            return jax.jit(lambda x: run(state) + x)(1.0)
    """)


def test_a_helper_of_the_project_registers_a_class() -> None:
    source = """
        import jax
        from dataclasses import dataclass
        from trees import register_our_pytree_node

        @dataclass
        class Box:
            lattice: jax.Array

            @jax.jit{label}
            def wrap(self, x):
                return x @ self.lattice

            def flatten(self):
                return (self.lattice,), None

            @classmethod
            def unflatten(cls, _, children):
                return cls(*children)
        {registered}
    """
    trees = """
        import jax

        def register_our_pytree_node(cls):
            jax.tree_util.register_pytree_node(cls, cls.flatten, cls.unflatten)
    """
    for label, registered in (("", "\n        register_our_pytree_node(Box)"), ("  # JIT309", "")):
        check_project(
            {"box.py": source.format(label=label, registered=registered), "trees.py": trees}
        )
