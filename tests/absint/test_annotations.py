"""What annotations say in other words, and that none hides what would be seen without it."""

from __future__ import annotations

from tests.linting import check


def test_unions_of_arrays_and_containers_are_told_by_use() -> None:
    check("""
        import chex
        from typing import Iterable, Mapping, Optional, Sequence, Tuple, Union

        NestedArray = Union[jnp.ndarray, Iterable["NestedArray"], Tuple[()]]

        @jax.jit
        def a(x: NestedArray):
            if x > 0:  # JIT101
                return x
            return x * 2
        @jax.jit
        def b(x: Optional[chex.ArrayTree]):
            if x is None:
                return 1
            if x > 0:  # JIT101
                return x
            return x * 2
        @jax.jit
        def c(x: Union[jax.Array, Sequence[jax.Array]]):
            if isinstance(x, (list, tuple)):
                return x[0]
            if x > 0:  # JIT101
                return x
            return x * 2
        @jax.jit
        def d(x: Union[float, jax.Array, None]):
            if x is None:
                return 1
            if x > 0:  # JIT101
                return x
            return x
        @jax.jit
        def e(x: tuple[()]):
            if x:
                return 1
            return x
    """)


def test_what_says_nothing_hides_nothing() -> None:
    for annotation in ("Thing", "Thing[float]", "'Thing'", "T", "Marked", "object"):
        check(f"""
            from typing import Protocol, TypeVar
            from otherlib import Thing

            T = TypeVar("T")

            class Marked(Protocol):
                def go(self): ...

            @jax.jit
            def f(x: {annotation}):
                if x * 2 > 0:  # JIT101
                    return x
                return -x
        """)


def test_what_is_no_array_stays_silent() -> None:
    for annotation in ("list[Thing]", "dict[str, Thing]", "tuple[Thing, ...]", "Callable"):
        check(f"""
            from collections.abc import Callable
            from otherlib import Thing

            @jax.jit
            def f(x: {annotation}):
                if x:
                    return 1
                for one in x:
                    pass
                return -1
        """)


def test_what_may_be_an_array_of_numpy_is_none_of_jax() -> None:
    check("""
        import chex

        class Grid:
            def __init__(self, lat: chex.Array, lon: jax.Array):
                self.lat = lat
                self.lon = lon

            def verified(self, x):
                if np.all(self.lat == np.sort(self.lat)):
                    return x
                return x if self.lon.min() < 0 else -x  # JIT101

        def run(grid: Grid):
            return jax.jit(lambda x: grid.verified(x))(1.0)
    """)


def test_a_class_that_is_only_a_name() -> None:
    check("""
        class Animal:
            pass

        class Place:
            size = 3

        def eaten(wolves: Animal, sheep: Animal, place: Place):
            def by_one(wolf, sheep):
                return wolf.energy + sheep.energy

            inside = jax.vmap(lambda p: p)(place)  # JIT308
            return jax.vmap(by_one)(wolves, sheep), inside
    """)
