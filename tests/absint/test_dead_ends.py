"""What is reached behind guards, and what is told of it only where it is true."""

from __future__ import annotations

from pathlib import Path

from tests.linting import analysis, check, check_project


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


def test_what_a_loop_reads_before_it_binds_it() -> None:
    check("""
        def train(batches, x):
            for batch in batches:
                step = total + 1 if batch else 0
                total = step
                previous = latest

                @jax.jit
                def f(y):
                    if y > 0:
                        return y
                    return previous + y

                latest = f(x)

        def run(batches, x):
            for number, batch in enumerate(batches):
                start = latest if number else 0
                if number > 1:
                    print(latest)

                @jax.jit  # JIT301
                def f(y):
                    if y > 0:  # JIT101
                        return y
                    return start + y

                latest = f(x)
            while (count := len(batches)) and count > 1:
                batches = batches[count:]
    """)


def test_calls_that_always_raise() -> None:
    check("""
        def rate(learning_rate):
            return learning_rate

        def pair(x):
            return x, x

        def wrong_keyword(x):
            scale = rate(eta=0.1)

            @jax.jit
            def f(x):
                if x > 0:
                    return x
                return -x * scale

            return f(x)

        @jax.jit
        def wrong_count(x):
            first, second = pair(x, x)
            if x > 0:
                return first
            return second

        def caught(x):
            try:
                scale = rate(eta=0.1)
            except TypeError:
                scale = 1

            @jax.jit
            def f(x):
                if x > 0:  # JIT101
                    return x
                return -x * scale

            return f(x)
    """)


_TRAINING = """
    import jax
    {}

    @jax.jit
    def update(x):
        if x > 0:{}
            return loss(x)
        return x
"""


def test_archived_modules_whose_package_has_moved() -> None:
    sources = {
        "kit/__init__.py": "",
        "kit/models.py": "def loss(x):\n    return x\n",
        "kit/_build.py": "",
        "kit/old/__init__.py": "",
        "kit/old/train.py": _TRAINING.format("from .models import loss", ""),
        "kit/old/moved.py": _TRAINING.format("from ..models import loss", "  # JIT101"),
        "kit/old/made.py": _TRAINING.format("from .generated import loss", "  # JIT101"),
        "kit/old/new.py": _TRAINING.format("from ..models import loss, lost", "  # JIT101"),
    }
    check_project(sources)
    [left_out] = [each for each in analysis(sources).omissions if each.reason == "import"]
    assert (left_out.row, Path(left_out.filename).name) == (3, "train.py")
    assert "`kit.old.models`" in left_out.message


def test_functions_of_jax_that_are_called_like_those_of_pytorch() -> None:
    check("""
        @jax.jit
        def translated(x):
            total = jnp.sum(x, dim=1)
            if total[0] > 0:
                return total
            return -total

        @jax.jit
        def by_method(x):
            y = jnp.sin(x).sum(keepdim=True)
            return float(y)

        @jax.jit
        def of_another_version(x):
            y = jnp.clip(x, a_min=0, a_max=1)
            if y.sum() > 0:  # JIT101
                return y
            return x

        @jax.jit
        def indexed(x):
            row = jnp.ravel_multi_index((x, x), dims=(2, 2), mode="clip")
            if row.sum() > 0:  # JIT101
                return row
            return x
    """)
