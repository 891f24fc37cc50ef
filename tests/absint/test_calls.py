"""Calls: what callers hand in comes out where the callee uses it."""

from __future__ import annotations

from tests.linting import check


def test_helpers_three_calls_away() -> None:
    check("""
        def third(v):
            return v if v > 0 else -v  # JIT101

        def second(v, n):
            for _ in range(n):
                v = third(v)
            return v

        def first(v):
            return second(v * 2, 3)

        @jax.jit
        def f(x):
            return first(x)

        def host():
            return third(2.0)
    """)


def test_the_same_helper_static_and_traced() -> None:
    check("""
        def clip(v, low):
            if low > 0:  # JIT101
                return jnp.maximum(v, low)
            return v

        @jax.jit
        def with_constant(x):
            return clip(x, 0.5)

        @jax.jit
        def with_traced(x, low):
            return clip(x, low)

        with_traced(jnp.ones(3), 0.5)
    """)


def test_returned_values_keep_their_kind() -> None:
    check("""
        def split(v):
            return v.shape[0], v.sum()

        @jax.jit
        def f(x):
            n, total = split(x)
            if n > 3:
                x = x + 1
            if total > 3:  # JIT101
                x = x + 2
            return x
    """)


def test_defaults_and_keywords() -> None:
    check("""
        def scale(v, factor=2, *, mode="linear", gain=None):
            if factor > 1 and mode == "linear":
                v = v * factor
            if gain is not None:
                if gain > 1:  # JIT101
                    v = v * gain
            return v

        @jax.jit
        def f(x):
            return scale(x) + scale(x, gain=x.sum())
    """)


def test_closures_read_what_the_outer_function_holds_at_the_call() -> None:
    check("""
        @jax.jit
        def f(x):
            n = 3

            def inner(y):
                if n > 2:
                    y = y + n
                if limit > 2:  # JIT101
                    y = y + limit
                return y

            limit = x.sum()
            return inner(x)
    """)


def test_closures_made_by_factories() -> None:
    check("""
        def make_step(rate, clip):
            def step(p, g):
                if clip:
                    g = jnp.clip(g, -1, 1)
                if g > 0:  # JIT101
                    return p
                return p - rate * g
            return step

        step = jax.jit(make_step(0.1, True))
        step(1.0, 2.0)
    """)


def test_nonlocal_and_counters() -> None:
    check("""
        @jax.jit
        def f(x):
            total = 0

            def add(v):
                nonlocal total
                total = total + v

            add(1)
            if total > 0:
                pass
            add(x)
            if total > 0:  # JIT101
                pass
            return x
    """)


def test_lambdas_and_partials() -> None:
    check("""
        @jax.jit
        def f(x):
            choose = lambda v, n: v if n > 0 else -v  # JIT101
            keep = partial(choose, n=1)
            return keep(x) + choose(x, x.sum())

        def body(v, n):
            for _ in range(n):
                v = v + float(v)  # JIT105
            return v

        jax.jit(partial(body, n=3))(1.0)
    """)


def test_functions_passed_as_arguments() -> None:
    check("""
        def apply(function, *arguments):
            return function(*arguments)

        def hostile(v):
            return int(v)  # JIT105

        def innocent(v):
            return v + 1

        @jax.jit
        def f(x):
            return apply(hostile, x) + apply(innocent, x)
    """)


def test_functions_in_tables() -> None:
    check("""
        def relu(v):
            return v if v > 0 else 0.0  # JIT101

        def square(v):
            return v * v

        ACTIVATIONS = {"relu": relu, "square": square}

        @partial(jax.jit, static_argnames="name")
        def f(x, name):
            return ACTIVATIONS[name](x)

        f(jnp.ones(()), "relu")
    """)


def test_higher_order_builtins() -> None:
    check("""
        def step(v):
            return float(v)  # JIT105

        @jax.jit
        def f(x, xs):
            a = list(map(step, [x, x]))
            b = functools.reduce(lambda p, q: p if p > q else q, [x, x])  # JIT101
            c = [v for v in filter(lambda v: v.ndim > 1, [x])]
            d = sorted([3, 1], key=lambda v: -v)
            return a, b, c, d
    """)


def test_tree_map_hands_leaves_to_the_function() -> None:
    check("""
        def shrink(leaf):
            if leaf.ndim > 1:
                return leaf
            return leaf if leaf > 0 else -leaf  # JIT101

        @jax.jit
        def f(params):
            return jax.tree.map(shrink, params)

        f({"w": jnp.ones(3)})
    """)


def test_recursion() -> None:
    check("""
        def power(v, n):
            if n == 0:
                return 1.0
            return v * power(v, n - 1)

        def descend(v, depth):
            if v > depth:  # JIT101
                return v
            return descend(v * 2, depth)

        def even(n):
            return True if n == 0 else odd(n - 1)

        def odd(n):
            return False if n == 0 else even(n - 1)

        @jax.jit
        def f(x):
            if even(4):
                x = power(x, 3)
            return descend(x, 3.0)
    """)


def test_recursion_through_a_tree() -> None:
    check("""
        def scale(tree, by):
            if isinstance(tree, dict):
                return {k: scale(v, by) for k, v in tree.items()}
            if isinstance(tree, (list, tuple)):
                return [scale(v, by) for v in tree]
            if tree is None:
                return None
            return tree * by

        @jax.jit
        def f(x):
            return scale({"a": x, "b": [x, (x, None)]}, 2.0)
    """)


def test_generators() -> None:
    check("""
        def halves(v, n):
            for i in range(n):
                v = v / 2
                yield i, v

        @jax.jit
        def f(x):
            for i, v in halves(x, 3):
                if i > 1:
                    pass
                if v > 1:  # JIT101
                    pass
            return x

        def inner(v):
            yield from (v, v)

        @jax.jit
        def g(x):
            return [float(v) for v in inner(x)]  # JIT105
    """)


def test_methods_properties_and_class_attributes() -> None:
    check("""
        class Solver:
            tolerance = 1e-3

            def __init__(self, steps, rate):
                self.steps = steps
                self.rate = rate

            @property
            def doubled(self):
                return self.steps * 2

            @staticmethod
            def norm(v):
                return jnp.abs(v).sum()

            @classmethod
            def default(cls):
                return cls(3, 0.1)

            def finished(self, v):
                return self.norm(v) < self.tolerance

            def run(self, v):
                for _ in range(self.doubled):
                    v = v * self.rate
                    if self.finished(v):  # JIT101
                        break
                return v

        @jax.jit
        def f(x):
            return Solver.default().run(x)
    """)


def test_attributes_that_hold_traced_values() -> None:
    check("""
        class Meter:
            def __init__(self, start):
                self.count = 0
                self.total = start

            def add(self, v):
                self.count += 1
                self.total = self.total + v

            def mean(self):
                if self.count == 0:
                    return 0.0
                if self.total > 0:  # JIT101
                    return self.total / self.count
                return 0.0

        @jax.jit
        def f(x):
            meter = Meter(0.0)
            meter.add(x)
            return meter.mean()
    """)


def test_inheritance_and_super() -> None:
    check("""
        class Base:
            flag = False

            def transform(self, v):
                return v

            def __call__(self, v):
                if self.flag:
                    return v
                return self.transform(v)

        class Child(Base):
            def transform(self, v):
                v = super().transform(v)
                return v if v > 0 else -v  # JIT101

        @jax.jit
        def f(x):
            return Child()(x)
    """)


def test_dunder_methods_of_project_classes() -> None:
    check("""
        class Box:
            def __init__(self, v):
                self.v = v

            def __add__(self, other):
                return Box(self.v + other.v)

            def __getitem__(self, i):
                return self.v[i]

            def __len__(self):
                return 3

            def __bool__(self):
                return True

        @jax.jit
        def f(x):
            both = Box(x) + Box(x)
            if both:
                pass
            for _ in range(len(both)):
                pass
            return float(both[0])  # JIT105
    """)


def test_cached_functions() -> None:
    check("""
        @functools.lru_cache
        def table(n):
            return np.arange(n)

        @functools.lru_cache
        def slow(v):
            return v

        @jax.jit
        def f(x):
            return x + table(3) + slow(x)  # JIT111
    """)


def test_decorators_that_wrap() -> None:
    check("""
        def logged(function):
            @functools.wraps(function)
            def wrapper(*args, **kwargs):
                return function(*args, **kwargs)
            return wrapper

        @jax.jit
        @logged
        def f(x, n=2):
            if n > 1:
                pass
            return x if x > 0 else -x  # JIT101

        f(1.0)
    """)


def test_code_outside_traces_is_left_alone() -> None:
    check("""
        @jax.jit
        def loss(x):
            return (x ** 2).sum()

        def train(steps):
            x = jnp.ones(3)
            best = float("inf")
            for step in range(steps):
                value = loss(x)  # JIT307
                if value < best:
                    best = float(value)
                if np.isnan(value) or not value > 0:
                    break
                mask = x > 0
                x = x[mask]
            return best
    """)


def test_a_chain_of_double_calls_stays_cheap() -> None:
    chain = "\n".join(
        f"def step_{i}(v):\n    return step_{i + 1}(v) + step_{i + 1}(v * 2)" for i in range(50)
    )
    source = f"{chain}\ndef step_50(v):\n    return v if v > 0 else -v  # JIT101\n"
    source += "jax.jit(step_0)(1.0)\n"
    import time

    started = time.process_time()
    from tests.linting import reports

    found = reports(source)
    assert time.process_time() - started < 5
    assert found in ([], [(102, "JIT101")])  # deeper than the budget of calls


def test_functions_handed_to_what_is_not_known() -> None:
    check("""
        import solvers

        class Model:
            def __init__(self, solver):
                self.solver = solver

            @partial(jax.jit, static_argnums=0)
            def run(self, x):
                total = jnp.sum(x)

                def residual(y):
                    if total > 0:  # JIT101
                        return y
                    return y if y > 0 else float(jnp.sin(y))  # JIT105

                return self.solver(residual, x)

        @jax.jit
        def integrate(x):
            term = solvers.Term(lambda t, y: y if x > 0 else -y)  # JIT101
            return solvers.integrate(term, x)
    """)


def test_functions_handed_to_what_runs_them_elsewhere() -> None:
    check("""
        import solvers

        @jax.jit
        def logged(x):
            solvers.register_callback(lambda v: print(float(jnp.sum(v))))
            solvers.host.call(lambda v: float(jnp.sum(v)), x)
            solvers.map(lambda n: jnp.zeros(n) if n > 2 else n, [1, 2])
            return x

        def eager(x):
            return solvers.minimise(lambda v: float(jnp.sum(v)), x)
    """)


def test_attributes_that_an_alternative_does_not_have() -> None:
    check("""
        @partial(jax.jit, static_argnames="wanted")
        def weighted(x, wanted):
            weights = jnp.abs(x) if wanted else None
            if x.shape[0] > 2 and weights.sum() > 0:  # JIT101
                return x * weights
            if weights is None and x.ndim > 1:
                return x
            if weights:  # JIT101
                return weights
            return x
    """)


def test_context_managers_as_decorators_keep_the_function() -> None:
    check("""
        import contextlib

        class clocked(contextlib.ContextDecorator):
            def __enter__(self):
                return self

            def __exit__(self, *error):
                return False

        @contextlib.contextmanager
        def labelled(name):
            yield name

        try:
            from profiler import profile
        except ImportError:
            def profile(function):
                return function

        @clocked()
        def one(x):
            return x if x > 0 else -x  # JIT101

        @labelled("two")
        @functools.partial(jax.named_call, name="two")
        def two(x):
            return float(x)  # JIT105

        @profile
        @np.errstate(divide="ignore")
        def three(x):
            return int(x.sum())  # JIT105

        @jax.jit
        def f(x):
            return one(x) + two(x) + three(x)
    """)


def test_an_object_that_is_called_with_a_function_is_no_context_manager() -> None:
    check("""
        class host:
            def __call__(self, function):
                return lambda x: jax.pure_callback(function, x, x)

        @host()
        def one(x):
            return x if x > 0 else -x

        @jax.jit
        def f(x):
            return one(x)
    """)


def test_unknown_options_replace_settings_in_a_dictionary() -> None:
    check("""
        def make(options):
            settings = {"clip": None, **options}
            own = {**options, "trim": None}
            @jax.jit
            def step(x):
                if settings["clip"] is not None and x.sum() > 1:  # JIT101
                    return -x
                if own["trim"] is not None and x.sum() > 1:
                    return x
                return x
            return step
    """)


def test_a_list_of_numbers_is_no_array() -> None:
    check("""
        @jax.jit
        def strongest(x, lines: list[float]):
            return lines[x.argmin()]  # JIT107

        @jax.jit
        def nearest(x, lines: "Sequence[float]"):
            return lines[x.argmin()]
    """)


def test_a_static_name_behind_a_wrapper_that_shows_none() -> None:
    """Under JAX the name is found in the signature of what the wrapper says that it wraps."""
    check("""
        def renamed(function, wrapper):
            for name in ("__name__", "__wrapped__"):
                setattr(wrapper, name, getattr(function, name, function))
            return wrapper

        def kernel(x1, x2, get):
            return x1 if get == "ntk" else x2

        def logged(*args, **kwargs):
            return kernel(*args, **kwargs)

        apply = jax.jit(renamed(kernel, logged), static_argnames="get")
        plain = jax.jit(logged)

        def main(x):
            plain(x, x, "ntk")  # JIT308
            return apply(x, x, "ntk")
    """)


def test_a_call_with_too_many_arguments_runs_nothing_whoever_parsed_the_function() -> None:
    check("""
        def shown(x):
            print(x)
            return x

        @jax.jit
        def first(x):
            try:
                return shown(x, 1)
            except TypeError:
                return x
    """)


def test_a_nested_function_that_is_only_run_without_jit() -> None:
    """Whoever may call a function of a module does so under jit; nobody else has a nested one."""
    check(
        """\
        class Optimizer:
            def __init__(self, score):
                self.score = jax.jit(score)

            def sample(self, x):
                return self.score(x)

        @jax.jit
        def rectified(x):
            return x if x > 0 else -x  # JIT101

        def test_scores():
            seen = {}

            def score(x):
                seen["x"] = x
                return -x

            with jax.disable_jit():
                Optimizer(score).sample(jnp.ones(3))
                rectified(jnp.ones(()))
            assert seen["x"].shape == (3,)
        """
    )


def test_what_a_filter_for_arrays_leaves_has_none() -> None:
    check("""
        import equinox as eqx

        class Block(eqx.Module):
            w: jax.Array
            size: int = 3

            def __call__(self, x):
                return jnp.tanh(x @ self.w)

        @partial(jax.jit, static_argnames=("static",))
        def solve(params, static, x):
            block = eqx.combine(params, static)
            x = block(x)
            if block.w.sum() > 0 and block.size > 1:  # JIT101
                return x
            return -x

        block = Block(jnp.ones((3, 3)))
        params, static = eqx.partition(block, eqx.is_array)
        solve(params, static, jnp.ones(3))
        solve(params, block, jnp.ones(3))  # JIT304
    """)


def test_which_of_two_mappings_holds_a_keyword_is_not_known() -> None:
    check("""
        def noisy(x, scale, mode):
            if mode <= 0:
                return x
            if x.sum() > 0:  # JIT101
                return x
            return x * scale

        def scaled(x, scale, mode):
            if mode <= 0:  # JIT101
                return x
            return x * scale

        @partial(jax.jit, static_argnames=("options",))
        def simulate(arrays, options, x):
            return noisy(jnp.sin(x), **dict(options), **arrays)

        @jax.jit
        def simulate_alone(arrays, x):
            return scaled(x, **arrays)
    """)
