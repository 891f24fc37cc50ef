"""What ``jitlint traced`` lists: every function that runs in a trace, once."""

from __future__ import annotations

from tests.linting import analysis, traced


def test_callees_rules_and_methods() -> None:
    found = traced("""
        def helper(x, n, tree):
            return x * n + tree["a"]

        @jax.custom_vjp
        def scaled(x):
            return x

        def forward(x):
            return x, (x, 2)

        def backward(residuals, cotangent):
            return (cotangent,)

        scaled.defvjp(forward, backward)

        class Layer:
            def __init__(self, weight, name):
                self.weight = weight
                self.name = name

            def apply(self, x, scale=2):
                return x * self.weight * scale

        @jax.jit
        def step(x, w):
            layer = Layer(w, "dense")
            grads = jax.grad(lambda z: scaled(z).sum())(x)
            return helper(layer.apply(grads), 3, {"a": w})

        step(jnp.ones(3), jnp.ones(3))
    """)
    assert found == {
        "helper": {"x": "traced", "n": "static", "tree": "container"},
        "scaled": {"x": "traced"},
        "forward": {"x": "traced"},
        "backward": {"residuals": "container", "cotangent": "traced"},
        "Layer.__init__": {"self": "unknown", "weight": "traced", "name": "static"},
        "Layer.apply": {"self": "container", "x": "traced", "scale": "static"},
        "step": {"x": "traced", "w": "traced"},
        "step.<lambda>": {"z": "traced"},
    }


def test_a_function_is_listed_once_with_all_its_ways() -> None:
    (item,) = [
        item
        for item in analysis("""
            def shared(a, b):
                return a * b

            @jax.jit
            def first(x):
                return shared(x, 2)

            @jax.vmap
            def second(x):
                return shared(2, x)

            first(jnp.ones(3))
            second(jnp.ones(3))
        """).traced
        if item.qualname == "shared"
    ]
    assert item.transform == "jax.jit, jax.vmap"
    assert item.parameters == {"a": "traced", "b": "traced"}
    assert [step.note for step in item.trace][0].startswith("traced by jax.")


def test_what_is_recalled_stays_listed() -> None:
    found = traced("""
        def inner(x):
            return x + 1

        def outer(x):
            return inner(x)

        @jax.jit
        def f(x):
            return outer(x)

        @jax.jit
        def g(x):
            return outer(x)

        f(jnp.ones(3))
        g(jnp.ones(3))
    """)
    assert found["inner"] == found["outer"] == {"x": "traced"}


def test_host_code_is_not_listed() -> None:
    found = traced("""
        def plot(x):
            return x

        @jax.jit
        def f(x, flag=None):
            return x

        plot(f(jnp.ones(3)))
    """)
    assert found == {"f": {"x": "traced", "flag": "static"}}


def test_containers_without_tracers_are_static() -> None:
    found = traced("""
        def helper(shape, parts, nothing, x):
            return x

        @jax.jit
        def f(x):
            return helper((2, 3), [x, 1], [], x)

        f(jnp.ones(3))
    """)
    assert found["helper"] == {
        "shape": "static",
        "parts": "container",
        "nothing": "static",
        "x": "traced",
    }


def test_what_a_function_does_tells_a_tree_of_a_call() -> None:
    found = traced("""
        def scaled(tree, factor):
            return jax.tree.map(lambda leaf: leaf * 2, tree), factor / 2

        @jax.jit
        def step(state):
            return scaled(state["tree"], state["factor"])
    """)
    assert found["scaled"] == {"tree": "unknown", "factor": "traced"}


def test_branches_and_turns_are_of_one_structure() -> None:
    found = traced("""
        def last(value, aux, carried):
            return value, aux, carried

        @jax.jit
        def step(x, spec, leaves):
            opaque = jax.tree.unflatten(spec, [x])
            value, aux = jax.lax.cond(
                x.sum() > 0, lambda: (opaque, opaque), lambda: (jnp.cos(x), None)
            )
            carried, _ = jax.lax.scan(lambda carry, _: (opaque, None), jnp.sin(x), None, length=2)
            return last(value, aux, carried)
    """)
    assert found["last"] == {"value": "traced", "aux": "static", "carried": "traced"}


def test_predicates_are_asked_about_leaves() -> None:
    found = traced("""
        def missing(node):
            return node is None

        def long(node):
            return isinstance(node, tuple)

        @jax.jit
        def step(x):
            tree = {"a": x, "b": x * 2}
            return jax.tree.leaves(tree, is_leaf=long), jax.tree.map(
                lambda leaf: leaf, tree, is_leaf=missing
            )

        step(jnp.ones(3))
    """)
    assert found["missing"] == found["long"] == {"node": "traced"}


def test_operands_of_primitives_are_arrays() -> None:
    found = traced("""
        from jax.interpreters import mlir

        def chosen(flag, value, *, strict):
            return value

        rule = mlir.lower_fun(chosen, multiple_results=False)
    """)
    assert found["chosen"] == {"flag": "traced", "value": "traced", "strict": "static"}


def test_what_only_an_annotation_says_is_no_claim() -> None:
    found = traced("""
        import dataclasses
        from settings import load

        ONES = jnp.ones(3)

        @dataclasses.dataclass
        class Scale:
            factor: jax.Array

        def scaled(x, factor, ones):
            return x * factor * ones

        def run(scale: Scale, x):
            return scaled(x, scale.factor, ONES)

        @jax.jit
        def step(x):
            return run(load(), x)
    """)
    assert found["scaled"] == {"x": "traced", "factor": "unknown", "ones": "static"}


def test_what_stands_beside_leaves_of_an_unknown_tree() -> None:
    found = traced("""
        from settings import load

        class Part:
            pass

        def save(part, state):
            return state

        def fill(part, state):
            return state

        @jax.jit
        def step(x, state):
            whole = jax.tree.map(
                save, load(), state["parts"], is_leaf=lambda node: isinstance(node, Part)
            )
            leaves = jax.tree.map(
                fill, load(), state["parts"], is_leaf=lambda node: node is None
            )
            return x, whole, leaves
    """)
    assert found["save"]["state"] == "unknown"
    assert found["fill"]["state"] == "traced"


def test_what_is_empty_or_none_in_one_call_tells_nothing_of_another() -> None:
    found = traced("""
        from settings import load

        class Counts:
            def __init__(self):
                self.seen = {}

        def kept(x, key, table, counts, name, shape):
            return x

        @jax.jit
        def step(x):
            kept(x, None, {}, Counts(), "first", ())
            return kept(x, load(), load(), load(), load(), load())

        @jax.jit
        def alone(x):
            return only(x, None, {}, Counts())

        def only(x, key, table, counts):
            return x

        step(jnp.ones(3))
        alone(jnp.ones(3))
    """)
    assert found["kept"] == {
        "x": "traced",
        "key": "unknown",
        "table": "unknown",
        "counts": "unknown",
        "name": "static",
        "shape": "static",
    }
    assert found["only"] == {"x": "traced", "key": "static", "table": "static", "counts": "static"}
