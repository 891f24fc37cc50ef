"""What compiled functions keep although it changes: who changes it when, and who calls again."""

from __future__ import annotations

from tests.linting import analysis, check, check_project


def test_a_loop_changes_what_the_next_turn_computes_with() -> None:
    check(
        """
        rate = 0.1

        @jax.jit
        def step(w):
            return w - rate * w  # JIT208

        def train(w):
            global rate
            rate = 0.1
            for _ in range(3):
                w = step(w)
                rate = 0.5 * rate
            return w
        """
    )


def test_what_is_set_before_the_first_call_is_kept_rightly() -> None:
    check(
        """
        rate = 0.1

        @jax.jit
        def step(w):
            return w - rate * w

        def main(w, value):
            global rate
            rate = value
            for _ in range(3):
                w = step(w)
            rate = None
            return w
        """
    )


def test_the_same_value_again_is_no_change() -> None:
    check(
        """
        class Settings:
            rate = 0.1

        @jax.jit
        def step(w):
            return w - Settings.rate * w

        def twice(w):
            Settings.rate = 0.1
            w = step(w)
            Settings.rate = 0.5
            Settings.rate = 0.1
            return step(w)
        """
    )


def test_a_helper_that_two_compiled_functions_call_is_read_by_both() -> None:
    check(
        """
        table = {"scale": 1.0, "calls": 0}

        def scaled(x):
            return table["scale"] * x  # JIT208

        @jax.jit
        def one(x):
            return scaled(x)

        @jax.jit
        def other(x):
            return scaled(x) + 1

        def run(x):
            one(x)
            first = other(x)
            table["scale"] = 2.0
            return first, other(x)
        """
    )


def test_what_is_changed_after_the_last_call_or_read_by_nobody_is_fine() -> None:
    check(
        """
        table = {"scale": 1.0, "calls": 0}

        @jax.jit
        def scaled(x):
            return table["scale"] * x

        def run(x):
            for _ in range(3):
                x = scaled(x)
                table["calls"] += 1
            table["scale"] = 2.0
            return x
        """
    )


def test_functions_that_are_made_anew_see_the_change() -> None:
    check(
        """
        level = 1.0

        def make():
            def scale(x):
                return level * x

            return jax.jit(scale)

        def run(x):
            global level
            level = 1.0
            first = make()(x)
            level = 2.0
            return first, make()(x)
        """
    )


def test_a_cleared_cache_is_filled_anew() -> None:
    check(
        """
        level = 1.0

        @jax.jit
        def scale(x):
            return level * x

        def one(x):
            global level
            level = 1.0
            first = scale(x)
            level = 2.0
            scale.clear_cache()
            return first, scale(x)

        def all_of_them(x):
            global level
            level = 1.0
            first = scale(x)
            level = 2.0
            jax.clear_caches()
            return first, scale(x)
        """
    )


def test_other_static_arguments_have_programs_of_their_own() -> None:
    check(
        """
        level = 1.0

        @partial(jax.jit, static_argnames="power")
        def raised(x, power):
            return level * x**power  # JIT208

        def apart(x):
            global level
            level = 1.0
            first = raised(x, 1)
            level = 2.0
            return first, raised(x, 2)

        def together(x):
            global level
            level = 1.0
            first = raised(x, 1)
            level = 2.0
            return first, raised(x, 1)
        """
    )


def test_statements_of_a_module_are_run_from_top_to_bottom() -> None:
    check(
        """
        data = jnp.ones(3)
        data = data / 2
        offset = 1.0

        @jax.jit
        def shifted(x):
            return x + data + offset  # JIT208

        first = shifted(1.0)
        offset = 2.0
        second = shifted(1.0)
        data = None
        """
    )


def test_objects_made_in_a_loop_are_others_each_time() -> None:
    check(
        """
        class Agent:
            def __init__(self, rate):
                self.rate = rate

            @partial(jax.jit, static_argnums=0)
            def update(self, w):
                return w - self.rate * w

        def search(w):
            for rate in range(9):
                agent = Agent(rate)
                agent.rate = 0.1 * rate
                w = agent.update(w)
            return w
        """
    )


def test_the_explanation_ends_where_the_value_is_changed() -> None:
    found = analysis(
        {
            "settings.py": "SCALE = 1.0\n",
            "model.py": """
                import jax, settings

                @jax.jit
                def scaled(x):
                    return settings.SCALE * x
                """,
            "run.py": """
                import settings
                from model import scaled

                def sweep(x):
                    found = []
                    for scale in (1.0, 2.0):
                        settings.SCALE = scale
                        found.append(scaled(x))
                    return found
                """,
        }
    )
    (report,) = [one for one in found.diagnostics if one.code == "JIT208"]
    assert report.filename.endswith("model.py") and report.location.row == 6
    last = report.trace[-1]
    assert last.filename.endswith("run.py") and last.row == 8
    assert last.note == "changed here, after it was compiled"


def test_a_method_may_be_called_again_on_what_it_leaves_behind() -> None:
    check(
        """
        class Filter:
            def __init__(self):
                self.gain = 1.0
                self.width = 3
                self.apply = jax.jit(self._apply)

            def _apply(self, x):
                return self.gain * x[: self.width]  # JIT311

            def step(self, x):
                y = self.apply(x)
                self.gain = float(y.max())
                return y

            def fit(self, x, width):
                self.width = width
                return self.apply(x)
        """
    )


def test_steps_of_what_nobody_calls_here() -> None:
    check(
        """
        class Agent:
            def __init__(self):
                self.epsilon = 1.0
                self.rate = 0.1

            @partial(jax.jit, static_argnums=0)
            def act(self, q):
                return self.epsilon * q  # JIT311

            @partial(jax.jit, static_argnums=0)
            def update(self, w):
                return w - self.rate * w

            def end_episode(self):
                self.epsilon = max(0.1, 0.9 * self.epsilon)

            def configure(self, rate):
                self.rate = rate
        """
    )


def test_a_trace_that_counts_itself_is_left_alone() -> None:
    check_project(
        {
            "counted.py": """
                import jax

                traces = {"n": 0}

                @jax.jit
                def f(x):
                    traces["n"] += 1  # JIT202
                    return x + 1

                def count(x):
                    traces["n"] = 0
                    f(x)
                    traces["n"] = 0
                    f(x)
                    return traces["n"]
                """,
        }
    )


def test_a_method_that_a_class_compiles_when_asked_does_what_it_did() -> None:
    source = """
        class Workflow:
            rate = 0.5

            def step(self, state):
                return state * 2

            def many(self, state):
                body = lambda carry, _: (self.step(carry), None)
                return lax.scan(body, state, None, length=3)[0]

            @classmethod
            def compile(cls):
                cls.step = jax.jit(cls.step, static_argnums=0)
                cls.many = jax.jit(cls.many, static_argnums=0)
        """
    check(source)
    check(
        source.replace(
            "cls.step = jax", "cls.rate = cls.rate / 2\n                cls.step = jax"
        ).replace("state * 2", "state * self.rate  # JIT311")
    )


def test_a_selection_that_is_made_again_is_no_step() -> None:
    check("""
        class Wall:
            def __init__(self, indices, speeds):
                self.indices = indices
                self.speeds = speeds
                self.scale = 1.0

            def configure(self, mask):
                self.indices = tuple(np.array(self.indices)[:, ~mask])
                self.speeds = self.speeds[~mask]
                self.scale = self.scale * 0.5

            @partial(jax.jit, static_argnums=0)
            def apply(self, x):
                return x.at[self.indices].set(self.speeds) * self.scale  # JIT311
    """)


def test_the_shape_of_what_changes_stays_the_same() -> None:
    check("""
        class World:
            def __init__(self, grid):
                self.grid = grid
                self.age = 0

            @partial(jax.jit, static_argnums=0)
            def moved(self, x):
                height, width = self.grid.shape
                return (x + self.age) % jnp.array([height, width])  # JIT311

            def grow(self):
                self.grid = self.grid + 1
                self.age = self.age + 1
    """)


def test_a_function_that_any_state_holds_is_the_same_in_the_next_one() -> None:
    check("""
        class Fit:
            def __init__(self, state):
                self.state = state
                self.step = jax.jit(self._step)
                self.report = jax.jit(self._report)

            def _step(self, state, x):
                return jax.tree.map(lambda w: w - 0.1 * x, state)

            def _report(self, params, x):
                y = self.state.apply_fn(params, x)
                return jnp.mean(y**2) * jnp.sum(self.state.scale)  # JIT311

        def train(state, rows):
            fit, losses = Fit(state), []
            for x in rows:
                fit.state = fit.step(fit.state, x)
                losses.append(fit.report(fit.state.params, x))
            return losses
    """)


def test_each_size_that_a_loop_goes_through_is_compiled_with_the_value_of_its_turn() -> None:
    check("""
        def fit(ts, w, rates, shares):
            @jax.jit
            def step(w, ts):
                return w - rate * ts.mean()

            for rate, share in zip(rates, shares):
                seen = ts[: int(len(ts) * share)]
                for _ in range(10):
                    w = step(w, seen)
            return w

        def windows(ts, w, rates, sizes):
            @jax.jit
            def step(w, ts):
                return w - rate * ts.mean()

            for rate, size in zip(rates, sizes):
                for _ in range(10):
                    w = step(w, ts[:size])
            return w
    """)


def test_a_size_that_comes_again_with_another_value_keeps_the_first_one() -> None:
    check("""
        def each_rate_sees_all_sizes(ts, w, rates, shares):
            @jax.jit
            def step(w, ts):
                return w - rate * ts.mean()  # JIT208

            for rate in rates:
                for share in shares:
                    w = step(w, ts[: int(len(ts) * share)])
            return w

        def moves_a_window(ts, w, rates, starts):
            @jax.jit
            def step(w, ts):
                return w - rate * ts.mean()  # JIT208

            for rate, start in zip(rates, starts):
                w = step(w, ts[start : start + 8])
            return w
    """)


def test_what_each_turn_makes_of_the_same_is_no_change() -> None:
    check("""
        def make(name):
            return lambda x: x + len(name)

        def render(params, env, wanted):
            @jax.jit
            def moved(x):
                return env(x) * params

            for _ in range(10):
                env = make(wanted) if type(wanted) == str else wanted
                for x in jnp.arange(3.0):
                    moved(x)
    """)


def test_what_a_trace_reads_for_a_name_that_it_never_reads_counts_for_nothing() -> None:
    check("""
        def run(x, allocate):
            neighbors = allocate(x)

            @jax.jit
            def energy(x):
                near = neighbors.update(x)
                return jnp.sum(x**2)

            @jax.jit
            def used(x):
                near = neighbors.update(x)  # JIT208
                return jnp.sum(near.idx * x**2)

            for _ in range(3):
                x = x - energy(x) + used(x)
                neighbors = allocate(x)
            return x
    """)


def test_another_object_is_as_little_none_as_the_one_before() -> None:
    check("""
        class Pages:
            def __init__(self, n):
                self.used = n

        class Engine:
            def __init__(self, paged, n):
                self.pages = Pages(n) if paged else None
                self.cache = None

            @partial(jax.jit, static_argnums=0)
            def insert(self, x):
                if self.pages is not None:
                    x = x + 1
                if self.cache is None:  # JIT311
                    x = 2 * x
                return x

            @partial(jax.jit, static_argnums=0)
            def asks_more(self, x):
                if self.pages is not None:
                    x = x + self.pages.used  # JIT311
                return x

        def serve(x):
            engine = Engine(True, 3)
            for n in range(3):
                x = engine.insert(x)
                x = engine.asks_more(x)
                engine.pages = Pages(n)
                engine.cache = Pages(n)
            return x
    """)


def test_what_is_jitted_within_a_trace_is_kept_for_the_next_one() -> None:
    check("""
        RATE, SCALE = 1.0, 1.0

        @jax.jit
        def step(x):
            return x * RATE  # JIT208

        @jax.jit
        def loss(w):
            return jnp.sum(w * SCALE)  # JIT208

        def plain(x):
            return x * RATE

        def solve(x, function):
            body = lambda carry, _: (function(carry), None)
            return jax.lax.scan(body, x, None, 3)[0]  # JIT312

        def main(x, rates):
            global RATE, SCALE
            for rate in rates:
                RATE = SCALE = rate
                solve(x, step)
                solve(x, plain)
                jax.grad(loss)(x)
    """)


def test_what_is_jitted_anew_within_each_trace_reads_what_is() -> None:
    check("""
        RATE = 1.0

        def step(x):
            return jax.jit(lambda y: y * RATE)(x)  # JIT301

        def main(x, rates):
            global RATE
            for rate in rates:
                RATE = rate
                jax.grad(lambda y: step(y).sum())(x)
    """)


def test_what_a_jitted_function_reads_within_others() -> None:
    check("""
        from functools import partial

        SAME, OTHER, RETRACED = 1.0, 1.0, 1.0

        @jax.jit
        def by_same(x):
            return x * SAME  # JIT208

        @jax.jit
        def same(x):
            return by_same(x) + 1

        def again(x, rates):
            global SAME
            for rate in rates:
                SAME = rate
                x = same(x)
            return x

        @jax.jit
        def by_other(x):
            return x * OTHER  # JIT208

        @jax.jit
        def one(x):
            return by_other(x) + 1

        @jax.jit
        def two(x):
            return by_other(x) + 2

        def by_turns(x, rate):
            global OTHER
            OTHER = rate
            x = one(x)
            OTHER = 2 * rate
            return two(x)

        @jax.jit
        def by_retraced(x):
            return x * RETRACED

        @partial(jax.jit, static_argnums=1)
        def retraced(x, size):
            return by_retraced(jnp.full(size, x)).sum()

        def sized(x, rates):
            global RETRACED
            for size, rate in enumerate(rates):
                RETRACED = rate
                x = retraced(x, size)
            return x
    """)
