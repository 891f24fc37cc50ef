"""Functions that are jitted again: which loops and which functions are to blame."""

from __future__ import annotations

from jitlint.diagnostics import Diagnostic
from tests.linting import analysis, check, check_project, project_reports


def _repeated(source: str) -> list[Diagnostic]:
    return [found for found in analysis(source).diagnostics if found.code == "JIT302"]


def test_a_loop_around_one_wrapped_function_repeats_no_other() -> None:
    (found,) = _repeated(
        """
        def timed(function):
            @functools.wraps(function)
            def measured(*args):
                return function(*args)
            return measured

        def shown(function):
            @functools.wraps(function)
            def announced(*args):
                print(function.__name__)
                return function(*args)
            return announced

        @shown
        @timed
        def prepare(samples):
            return jax.jit(jnp.cumsum)(samples)

        @shown
        @timed
        def advance(state):
            return jax.jit(jnp.sin)(state)

        def run(samples):
            state = prepare(samples)
            for _ in range(100):
                state = advance(state)
            return state

        run(jnp.ones(3))
        """
    )
    assert "`jnp.sin`" in found.message and "calls `advance`:" in found.message


def test_a_lambda_of_a_module_is_the_same_one_in_every_call() -> None:
    check(
        """
        _identity = lambda x: x

        def spread(x):
            return jax.jit(_identity)(x)

        def doubled(x):
            same = lambda y: 2 * y
            return jax.jit(same)(x)  # JIT301

        def run(x):
            spread(x)
            for _ in range(10):
                x = doubled(spread(x))
            return x

        run(jnp.ones(3))
        spread(jnp.ones(3))
        """
    )


_LIBRARY = """
import jax


def settle(states, rate):
    return [jax.lax.fori_loop(0, 3, lambda _, s: s - rate * s, state) for state in states]
"""


def test_who_calls_a_function_of_a_package_may_do_so_from_a_trace() -> None:
    package = {"field/__init__.py": "", "field/settling.py": _LIBRARY}
    assert project_reports(package) == []
    assert project_reports({"settling.py": _LIBRARY}) == [("settling.py", 6, "JIT312")]


def test_code_of_a_module_shows_that_control_flow_of_a_package_compiles() -> None:
    main = (
        "import jax.numpy as jnp\nfrom field.settling import settle\n\nsettle(jnp.ones(2), 0.1)\n"
    )
    package = {"field/__init__.py": "", "field/settling.py": _LIBRARY, "main.py": main}
    assert project_reports(package) == [("field/settling.py", 6, "JIT312")]


def test_what_is_traced_elsewhere_is_not_taken_for_eager() -> None:
    check(
        """
        def settle(states):
            return [lax.scan(lambda c, s: (c + s, None), 0.0, state)[0] for state in states]

        fast = jax.jit(settle)
        """
    )


def test_control_flow_of_other_models_needs_other_programs() -> None:
    check(
        """
        def trained(update, state, batches):
            return lax.scan(lambda s, b: (update(s, b), None), state, batches)[0]

        def compared(updates, state, batches):
            return [trained(update, state, batches) for update in updates]

        def repeated(update, state, batches):
            for _ in range(3):
                state = again(state, batches)
            return state

        def again(state, batches):
            return lax.scan(lambda s, b: (s + b, None), state, batches)[0]  # JIT312
        """
    )


def test_control_flow_of_the_parts_of_other_objects_needs_other_programs() -> None:
    check(
        """
        def run(program, x):
            for operation in program:
                x = repeated(operation, summed(operation, x))
            return x

        def summed(operation, x):
            return lax.reduce(x, 0.0, lambda a, b: compiled(operation.body[0])(a, b), (0,))

        def repeated(operation, x):
            def proceeds(x):
                block = operation.condition
                return compiled(block)(x)

            return lax.while_loop(proceeds, lambda x: x + 1, x)

        def compiled(block):
            return lambda *args: block.run(*args)

        def cooled(rates, x):
            for rate in rates:
                x = lax.fori_loop(0, 3, lambda _, x: scaled(rate)(x), x)  # JIT312
            return x

        def scaled(rate):
            return lambda x: rate * x
        """
    )


def test_callbacks_that_a_library_calls_again_and_again() -> None:
    check(
        """
        from scipy import integrate
        from scipy.optimize import minimize

        class Fitter:
            def __init__(self, y):
                self.y = y

            def residual(self, theta):
                return theta - self.y

            def objective(self, theta):
                square = jax.jit(lambda t: jnp.sum(self.residual(t) ** 2))  # JIT303
                return float(square(theta))

            def fitted(self, theta):
                return float(jax.jit(self.residual)(theta))

            def rate(self, t, y):
                return jax.jit(self.residual)(y)  # JIT303

            def score(self, row):
                return jax.jit(self.residual)(row)  # JIT303

            def fit(self, start, pool, rows):
                pool.map(self.score, rows)
                integrate.solve_ivp(fun=self.rate, t_span=(0, 1), y0=start)
                return self.fitted(minimize(self.objective, start).x)
        """
    )


def test_properties_that_compile() -> None:
    check(
        """
        class Model:
            def __init__(self, w):
                self.w = w

            def _forward(self, x):
                return x @ self.w

            @property
            def forward(self):
                return jax.jit(self._forward)  # JIT303

            @property
            def once(self):
                return jax.jit(self._forward)

            def error(self, x):
                return self.forward(x)

            def kept(self):
                self.function = self.once
                return self.function

        def main(x):
            model = Model(x)
            model.kept()
            model.error(x)
            model.error(2 * x)
        """
    )


def test_methods_of_one_object_that_compile_each_time() -> None:
    check(
        """
        class Model:
            def __init__(self, w):
                self.w = w
                self.start = self._loss(w)

            def _forward(self, x):
                return x @ self.w

            def _loss(self, x):
                return jax.jit(self._forward)(x)  # JIT303

            def error(self, x):
                return self._loss(x)

        class Other(Model):
            def _bias(self, x):
                return jax.jit(self._forward)(x)

            def check(self, x):
                return self._bias(x)

        def main(x):
            model = Model(x)
            model.error(x)
            model.error(2 * x)
            Other(x).check(x)
        """
    )


def test_a_loop_over_a_method_of_a_module_level_object() -> None:
    check(
        """\
import jax


class Model:
    def encode(self, x):
        return jax.numpy.tanh(x)


class Service:
    def __init__(self, model):
        self.model = model

    def _vectors(self, x):
        forward = jax.jit(self.model.encode)  # JIT301
        return forward(x)

    def search(self, x):
        return self._vectors(x).argmax()


service = Service(Model())


def main(rows):
    for row in rows:
        service.search(row)
"""
    )


_SCALED = """
def scaled(x, k):
    @jax.jit
    def multiplied(y):{label}
        return y * k
    return multiplied(x)

def settled(x):
    for k in (1, 2, 3):
        x = scaled(x, k)
    return x
"""


def test_what_visible_code_stages_and_nothing_else_runs_compiles_nothing_by_itself() -> None:
    silent = _SCALED.format(label="")
    staged = """
@jax.jit
def advance(x):
    return settled(x)

def advance_often(x):
    return lax.scan(lambda c, _: (settled(c), None), x, None, length=3)[0]
"""
    check(silent + staged)
    loud = _SCALED.replace("@jax.jit", "@jax.jit  # JIT301").format(label="")
    check(loud)
    check(loud + staged + "\ndef shown(x):\n    print(settled(x))\n")


def test_a_gradient_stages_nothing() -> None:
    check(
        """
        def loss(x):
            for k in range(3):
                x = jax.jit(lambda y: y * k)(x)  # JIT301
            return x.sum()

        def slope(x):
            return jax.grad(loss)(x)
        """
    )


def test_a_test_that_stages_a_function_does_not_speak_for_its_users() -> None:
    library = "import jax\nfrom jax import lax\n" + _SCALED.format(label="")
    test = (
        "import jax\nfrom library import settled\n\n"
        "def test_settled():\n    jax.jit(settled)(1.0)\n"
    )
    assert project_reports({"library.py": library, "test_library.py": test}) == [
        ("library.py", 5, "JIT301")
    ]


_PROGRAM = """
import jax.numpy as jnp
from absl import app
from jax import lax


def main(argv):
    def relaxed(x):
        def body(step, x):
            return x - 0.1 * step * x
        return lax.fori_loop(0, 10, body, x){label}

    for scale in range(10):
        print(relaxed(scale * jnp.ones(3)))


if __name__ == "__main__":
    {start}
"""


def test_a_program_of_a_package_runs_eagerly_where_its_file_is_started() -> None:
    for start in ("app.run(main)", "main([])"):
        program = _PROGRAM.format(start=start, label="  # JIT312")
        check_project({"package/__init__.py": "", "package/program.py": program})
    silent = _PROGRAM.format(start="print(main.__doc__)", label="")
    check_project({"package/__init__.py": "", "package/program.py": silent})


def test_what_a_package_hands_on_is_called_in_the_loop_that_hands_it_on() -> None:
    check_project(
        {
            "package/__init__.py": "",
            "package/solvers.py": """
            import jax

            def quick(x):
                @jax.jit  # JIT301
                def step(x):
                    return 0.5 * x
                return step(x)

            def thorough(x):
                @jax.jit
                def step(x):
                    return 0.25 * x
                return step(x)
            """,
            "package/driving.py": """
            from package.solvers import quick

            def drive(x, solve=quick):
                return solve(x)
            """,
            "often.py": """
            import jax.numpy as jnp
            from package.driving import drive

            for _ in range(5):
                print(drive(jnp.ones(3)))
            """,
            "once.py": """
            import jax.numpy as jnp
            from package import driving, solvers

            print(driving.drive(jnp.ones(3), solvers.thorough))
            """,
        }
    )


def test_what_a_step_of_a_sampler_is_handed_it_calls() -> None:
    check("""
        import blackjax.smc.base as smc
        import jax

        def run(key, state, lambdas, resample, likelihood):
            for number in range(1, len(lambdas)):
                key, sub = jax.random.split(key)
                change = lambdas[number] - lambdas[number - 1]

                @jax.jit  # JIT301
                def weigh(particles):
                    return change * likelihood(particles)

                state, _ = smc.step(sub, state, likelihood, weigh, resample)
            return state
    """)


def test_solvers_of_other_libraries_compile_for_each_function() -> None:
    check("""
        import diffrax
        import optimistix

        def field(t, y, rate):
            return -rate * y

        def simulate(rates, start):
            for rate in rates:
                term = diffrax.ODETerm(lambda t, y, args: -rate * y)
                diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, start)  # JIT312
            for rate in rates:
                diffrax.diffeqsolve(
                    diffrax.ODETerm(field), diffrax.Tsit5(), 0.0, 1.0, 0.1, start, args=rate
                )

        def solve(targets, solver, start):
            for target in targets:
                optimistix.root_find(lambda y, args: y - target, solver, start)  # JIT312
    """)


def test_solvers_of_equinox_know_a_method_of_the_same_object_again() -> None:
    check("""
        import diffrax
        import optimistix

        class Decay:
            def field(self, t, y, args):
                return -y

            def residual(self, y, args):
                return y - 1.0

            def turn(self, y, x):
                return y - x, x

        def run(decay, solver, starts, xs):
            for start in starts:
                term = diffrax.ODETerm(decay.field)
                diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, start)
                optimistix.root_find(decay.residual, solver, start)
                jax.lax.scan(decay.turn, start, xs)  # JIT312
    """)


def test_handlers_of_windows_run_again_and_again() -> None:
    check("""
        import jax
        import matplotlib.pyplot as plt

        def show(function, data):
            figure, axes = plt.subplots()

            def moved(event):
                shifted = jax.jit(lambda x: function(x) + event.xdata)  # JIT303
                axes.plot(shifted(data))

            figure.canvas.mpl_connect("motion_notify_event", moved)
            plt.show()
    """)


def test_a_program_is_started_once() -> None:
    check("""
        from functools import partial

        import jax
        from absl import app

        def scaled(x, factor):
            return x * factor

        def main(argv):
            scale = jax.jit(partial(scaled, factor=3))
            print(scale(1.0))

        if __name__ == "__main__":
            app.run(main)

        if __name__ == "__main__":
            app.run(main)
    """)


def test_examples_of_a_text_are_programs_of_their_own() -> None:
    library = """
    import jax

    def fit(loss, x):
        step = jax.jit(jax.grad(lambda w: loss(w, x)))
        return step(x)

    def score(x):
        return jax.jit(lambda v: v.sum())(x)
    """
    example = "```python\nfrom library import score\n\nscore(1.0)\n```\n"
    assert not project_reports({"library.py": library, "README.md": example * 2})
    found = project_reports(
        {"library.py": library, "run.py": "from library import score\n" + "score(1.0)\n" * 2}
    )
    assert [(name, code) for name, _, code in found] == [("library.py", "JIT303")]


def test_what_an_object_holds_is_compiled_once_for_it() -> None:
    check(
        """
        class Policy:
            def __init__(self, width):
                self.act = lambda x: x * width

            def roll(self, x):
                return jax.jit(self.act)(x)

            def _reset(self, x):
                return x

            def start(self, x):
                return jax.jit(self._reset)(x)  # JIT303

        def each(x):
            for width in (1.0, 2.0):
                policy = Policy(width)
                x = policy.roll(x)
            return x

        def again(policy, x, n):
            for _ in range(n):
                x = policy.roll(x)
            return x

        def twice(x):
            first = Policy(1.0)
            x = first.start(x)
            return first.start(x)

        def one_each(x):
            policy = Policy(1.0)
            x = policy.start(x)
            policy = Policy(2.0)
            return policy.start(x)
        """
    )


def test_a_mapped_value_that_chooses_compiles_no_branches() -> None:
    check("""
        def mapped(batches):
            for xs in batches:
                jax.vmap(lambda x: jax.lax.cond(x > 0, lambda y: y, lambda y: -y, x))(xs)

        def chosen_for_all(batches):
            limit = jnp.ones(3).sum()
            for xs in batches:
                jax.vmap(
                    lambda x: jax.lax.cond(limit > 0, lambda y: y, lambda y: -y, x)  # JIT312
                )(xs)

        def one_by_one(xs):
            for x in xs:
                jax.lax.cond(x > 0, lambda y: y, lambda y: -y, x)  # JIT312
    """)


def test_what_a_switch_runs_eagerly_is_jitted_without_it() -> None:
    check("""
        from functools import partial

        def loss(params, batch):
            def row(i):
                return jnp.sum(batch[i] * params)
            return jnp.sum(jax.lax.map(row, jnp.arange(10)))

        def slow(params, batch):
            def row(i):
                return jnp.sum(batch[i] * params)
            return jnp.sum(jax.lax.map(row, jnp.arange(10)))  # JIT312

        def steps(step, params, batches):
            for batch in batches:
                params = params - step(params, batch)
            return params

        def by_default(params, batches, no_jit=False):
            if no_jit:
                step = jax.value_and_grad(loss)
            else:
                step = jax.jit(jax.value_and_grad(loss))
            for batch in batches:
                params = params - step(params, batch)[1]

        def by_setting(params, batches, config):
            if config["no_jit"]:
                run = partial(steps, jax.grad(loss))
            else:
                run = partial(steps, jax.jit(jax.grad(loss)))
            return run(params, batches)

        def never(params, batches, fast=False):
            step = jax.grad(slow)
            for batch in batches:
                params = params - step(params, batch)
    """)


def test_another_objective_needs_another_program() -> None:
    check("""
        def fit(params, data, objective, rate=0.01):
            @jax.jit
            def update(params):
                gradient = jax.grad(objective)(params, data)
                return params - rate * gradient

            for _ in range(100):
                params = update(params)
            return params

        def fit_again(params, data, penalty, rate=0.01):
            @jax.jit  # JIT303
            def update(params):
                gradient = jax.grad(lambda p: jnp.sum(p * data) + penalty)(params)
                return params - rate * gradient

            for _ in range(100):
                params = update(params)
            return params

        @jax.jit
        def squares(params, data):
            return jnp.sum((params - data) ** 2)

        @jax.jit
        def distances(params, data):
            return jnp.sum(jnp.abs(params - data))

        def main(params, data):
            a = fit(params, data, objective=squares)
            b = fit(params, data, objective=distances)
            c = fit_again(params, data, 0.1)
            d = fit_again(params, data, 0.2)
            return a, b, c, d
    """)
