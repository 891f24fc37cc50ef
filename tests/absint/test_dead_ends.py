"""What is reached behind guards, and what is told of it only where it is true."""

from __future__ import annotations

from tests.linting import check


def test_a_tracer_among_several_leaves_is_found() -> None:
    check("""
        def has_tracers(tree):
            return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(tree))

        def checked(*args, **settings):
            if has_tracers((args, settings)):
                return None
            return np.isfinite(args[0])

        @jax.jit
        def f(x):
            checked(x)
            checked(x, limit=0.1, name="x")
            return x
    """)


def test_a_function_that_tells_leaves_apart_by_type() -> None:
    check("""
        @jax.jit
        def f(count):
            steps, count = jax.tree.map(
                lambda v: float(v) if isinstance(v, int) else v, (10, count)
            )
            return count / steps

        f(3)
    """)


def test_what_is_saved_by_its_property_is_put_back() -> None:
    check("""
        class Layer:
            def __init__(self):
                self._rng = None

            @property
            def rng(self):
                return self._rng

            def kept(self, x, rng):
                old = self.rng
                self._rng = rng
                y = x + rng
                self._rng = old
                return y

            def lost(self, x, rng):
                self._rng = rng  # JIT204
                return x + rng

        layer = Layer()

        @jax.jit
        def f(x, rng):
            return layer.kept(x, rng) + layer.lost(x, rng)
    """)


def test_what_a_factory_makes_for_each_turn_is_no_waste() -> None:
    check("""
        def make(scale):
            def loss(x):
                return x * scale

            return loss

        def sweep(xs, scales):
            for scale in scales:
                loss = jax.jit(make(scale))
                for x in xs:
                    loss(x)
    """)


def test_a_loop_that_waits_for_what_is_set_elsewhere_ends() -> None:
    check("""
        ready = False

        def start():
            global ready
            ready = True

        def main(data):
            while not ready:
                print("waiting")

            @jax.jit
            def step(x):
                if x > 0:  # JIT101
                    return x
                return -x

            return step(data)
    """)


def test_a_local_name_that_is_read_before_it_is_bound() -> None:
    check("""
        def relaxed(problem, x):
            def update(dofs):
                return dofs * 2

            dofs = update(dofs)

            @jax.jit
            def total(y):
                if y > 0:
                    return y
                return dofs + y

            return total(x)

        def solved(problem, dofs, x):
            dofs = problem(dofs)
            squares = [each for each in (1, 2)]
            for each in squares:
                x = x + each

            @jax.jit
            def total(y):
                if y > 0:  # JIT101
                    return y
                return dofs + y

            return total(x)
    """)
