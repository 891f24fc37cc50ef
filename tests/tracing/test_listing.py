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
