"""What is computed once and kept, and what is for values: it is not meant to run in a trace."""

from __future__ import annotations

from tests.linting import check, check_project


def test_what_fills_a_cache_may_have_run_before_the_trace() -> None:
    check("""
        CACHE = {}

        def measured(n):
            hit = CACHE.get(n)
            if hit is not None:
                return hit
            value = float(jnp.sum(jnp.ones(n)))
            CACHE[n] = value
            return value

        def counted(n):
            if n not in CACHE:
                CACHE[n] = int(jnp.ones(n).sum())
            return CACHE[n]

        def found(n):
            if n in CACHE:
                return CACHE[n]
            CACHE[n] = float(jnp.ones(n).sum())
            return CACHE[n]

        def local(n):
            kept = {}
            if n not in kept:
                kept[n] = float(jnp.ones(n).sum())  # JIT105
            return kept[n]

        def plain(n):
            return float(jnp.ones(n).sum())  # JIT105

        def scaled(n: int):
            return jax.jit(
                lambda x: x * measured(n) * counted(n) * found(n) * local(n) * plain(n)
            )
    """)


def test_what_fills_an_attribute_may_have_run_before_the_trace() -> None:
    check("""
        class Grid:
            def __init__(self, n):
                self.n = n
                self._volume = None

            def volume(self):
                if self._volume is None:
                    self._volume = float(jnp.ones(self.n).sum())
                return self._volume

            def width(self):
                if getattr(self, "_width", None) is None:
                    self._width = float(jnp.ones(self.n).sum())
                return self._width

            def height(self):
                if not hasattr(self, "_height"):
                    self._height = float(jnp.ones(self.n).sum())
                return self._height

            def depth(self):
                if self._volume is None:
                    return float(jnp.ones(self.n).sum())  # JIT105
                return 1.0

        def run(grid: Grid):
            return jax.jit(
                lambda x: x * grid.volume() * grid.width() * grid.height() * grid.depth()
            )
    """)


def test_what_depends_on_an_argument_was_not_there_before() -> None:
    check("""
        CACHE = {}

        def run(n: int):
            @jax.jit
            def f(x):
                if n not in CACHE:
                    CACHE[n] = float(x.sum())  # JIT105
                return x * CACHE[n]
            return f
    """)


def test_code_for_values_asks_nothing_of_other_tracers() -> None:
    check("""
        def add_noise(flux, filters):
            if not isinstance(flux, jax.core.Tracer):
                if bool(jnp.any((filters >= 0) & (flux < 1.0))):
                    raise ValueError("too faint")
            return filters * 2.0

        @jax.jit
        def simulate(filters):
            return add_noise(3.0, filters)
    """)


def test_a_trace_that_code_for_values_begins() -> None:
    check("""
        @jax.jit
        def positive(x):
            if x > 0:  # JIT101
                return x
            return -x

        def careful(x):
            if isinstance(x, jax.core.Tracer):
                return x
            return positive(x)

        careful(jnp.ones(()))
    """)


def test_what_is_passed_for_a_default_of_none_is_hardly_none() -> None:
    check("""
        def integrals(basis, plan=None):
            if plan is None:
                plan = float(jnp.sum(basis))
            return basis * plan

        @jax.jit
        def energy(basis):
            return sum(integrals(basis, load(name)) for name in ("s", "t"))
    """)
    check("""
        def integrals(basis, plan=None):
            if plan is None:
                plan = float(jnp.sum(basis))  # JIT105
            return basis * plan

        @jax.jit
        def energy(basis):
            return integrals(basis)
    """)


def test_tree_at_hands_on_what_it_does_not_replace() -> None:
    check("""
        import equinox as eqx

        class Basis(eqx.Module):
            centers: jax.Array
            angular: jax.Array

        def order(basis):
            return int(np.asarray(basis.angular).max())

        def place(basis):
            return float(np.asarray(basis.centers).max())  # JIT106

        def run(batch, centers):
            template = Basis(jnp.asarray(centers), jnp.asarray([0, 1]))

            def build(shift):
                basis = eqx.tree_at(lambda b: b.centers, template, template.centers + shift)
                still = eqx.nn.inference_mode(template)
                return basis.centers * order(basis) * order(still) * place(basis)

            return jax.lax.map(build, batch)
    """)


def test_an_attribute_that_hands_something_on() -> None:
    check("""
        class Solver:
            def __init__(self):
                self.scale = None
                self.last = None

            def scaled(self, x):
                return x * self.scale

            def step(self, x, scale):
                self.scale = scale
                y = self.scaled(x)
                self.scale = None
                return y

            def early(self, x, scale):
                self.scale = scale  # JIT204
                if x.ndim > 1:
                    return x
                y = self.scaled(x)
                self.scale = None
                return y

        solver = Solver()
        step = jax.jit(solver.step)
        early = jax.jit(solver.early)
    """)


def test_a_default_that_keeps_a_variable_is_what_nobody_passes() -> None:
    check("""
        from jax.experimental import pallas as pl

        def cut(x, step):
            first = jnp.int32(0)
            if step is None:
                return x[: first * 2]
            return x[: step * 2]

        def cut_at(x, step=None):
            if step is None:
                return x[: jnp.int32(0) * 2]  # JIT107
            return x

        def group(x, fold: int):
            for step in range(fold):
                @pl.when(x[step] > 0)
                def _run(step=step):
                    cut(x, step)
            return cut_at(x)

        def run(x, fold: int):
            return jax.lax.fori_loop(0, 10, lambda i, c: group(c, fold), x)
    """)


def test_a_class_that_only_its_use_tells_is_not_held_against_a_call() -> None:
    check("""
        from dataclasses import dataclass

        @dataclass
        class FitResult:
            z_prior: jax.Array
            z_err: jax.Array
            host_ok: jax.Array

        @jax.jit
        def chi2(z, prior):
            return (z - prior.z_prior) / prior.z_err

        def rounds(z, prior):
            return chi2(z, prior) + prior.host_ok + prior.z_prior * prior.z_err

        def told(z, prior: FitResult):
            return chi2(z, prior)  # JIT308
    """)


def test_a_question_for_the_tracers_of_jit() -> None:
    check("""
        @jax.jit
        def classify(ids):
            ends = jnp.where(ids == 2, 1, 0)
            if not isinstance(ends, jax.interpreters.partial_eval.DynamicJaxprTracer):
                if len(jnp.unique(ends.sum(1))) > 1:
                    raise ValueError("not as many")
            if len(jnp.unique(ends.sum(1))) > 1:  # JIT109
                raise ValueError("not as many")
            return ends
    """)


def test_what_a_cached_function_computes_may_have_been_there_before() -> None:
    check("""
        import functools

        @functools.lru_cache(maxsize=8)
        def total(n):
            return float(jnp.ones(n).sum())

        def plain(n):
            return float(jnp.ones(n).sum())  # JIT105

        def make(n: int):
            return jax.jit(lambda x: x * total(n) * plain(n))
    """)


def test_a_helper_that_registers_classes_under_another_name() -> None:
    check_project(
        {
            "trees.py": """
                from dataclasses import fields
                import jax

                def register_pytree_dataclass(cls, *, meta=()):
                    names = [f.name for f in fields(cls) if f.name not in meta]
                    return jax.tree_util.register_dataclass(cls, names, list(meta))
            """,
            "state.py": """
                from dataclasses import dataclass
                import jax
                from trees import register_pytree_dataclass as _register

                @dataclass(frozen=True)
                class State:
                    x: jax.Array

                @dataclass(frozen=True)
                class Cache:
                    y: jax.Array

                @dataclass(frozen=True)
                class Plain:
                    z: jax.Array

                _register(State)
                _register(Cache, meta=())
            """,
            "use.py": """
                import jax
                from state import Cache, Plain, State

                @jax.jit
                def step(state, cache):
                    return state.x + cache.y

                @jax.jit
                def plain(p):
                    return p.z

                def run(x):
                    plain(Plain(x))  # JIT308
                    return step(State(x), Cache(x))
            """,
        }
    )


def test_a_handler_for_a_missing_jax() -> None:
    check("""
        def is_jax(array):
            try:
                import jax

                if isinstance(array, jax.Array):
                    return True
            except Exception:
                pass
            return False

        def backend_of(array):
            backend = "jax" if is_jax(array) else "numpy"
            return backend

        def corrected(c2, backend=None):
            used = backend_of(c2) if backend in (None, "auto") else backend
            if used == "numpy":
                return np.exp(c2)
            return jnp.exp(c2)

        def converted(c2):
            try:
                import scipy

                if scipy.issparse(c2):
                    return c2
            except Exception:
                pass
            return np.exp(c2)  # JIT106

        @jax.jit
        def f(c2):
            return corrected(c2) + converted(c2)
    """)


def test_which_half_a_factor_fills_is_known() -> None:
    check("""
        from jax.scipy.linalg import cho_factor, solve_triangular

        @jax.jit
        def f(a, b):
            factor = cho_factor(a)
            if factor[0].sum() > 0:  # JIT101
                b = b * 2
            return solve_triangular(factor[0], b, lower=factor[1])
    """)


def test_which_class_derives_from_which() -> None:
    check("""
        from functools import partial

        class Phase: ...
        class Spline(Phase): ...
        class Gauss: ...
        class Winnie: ...

        @partial(jax.jit, static_argnums=(0,))
        def plain(psf, x):
            return x * 2

        @partial(jax.jit, static_argnums=(0,))
        def special(psf, x):
            return x * 2

        def objective(params, phase, psf, x):
            if not issubclass(phase, Spline) and psf != Winnie:
                return plain(psf, x)
            if issubclass(phase, (Spline, Gauss)):
                return special(params, x)  # JIT304
            return x

        def of_phase(x):
            return objective({"a": 1.0}, Phase, Gauss, x)

        def of_spline(x):
            return objective({"a": 1.0}, Spline, Gauss, x)
    """)


def test_what_comes_by_name_to_a_lowering_is_static() -> None:
    check("""
        import pickle
        from jax.extend.core import Primitive
        from jax.interpreters import mlir

        call_p = Primitive("call")

        def run(*args, _func, **kwargs):
            code = np.frombuffer(pickle.dumps(kwargs), dtype=np.uint8)
            if args[0].sum() > 0:  # JIT101
                return args
            return _func(code, *args)

        mlir.register_lowering(call_p, mlir.lower_fun(run, multiple_results=True))
    """)


def test_a_check_that_one_thing_is_not_traced_tells_nothing_of_others() -> None:
    check("""
        def picked(mask, x):
            if isinstance(mask, jax.core.Tracer):
                raise ValueError("masks must be known")
            if x > 0:  # JIT101
                return x
            return -x

        @jax.jit
        def f(x):
            return picked(True, x)
    """)


def test_a_loop_that_goes_through_what_is_jitted() -> None:
    check("""
        def f(x):
            return x

        def g(x):
            return x * 2

        def values(x):
            return {name: jax.jit(jax.vmap(fn))(x) for name, fn in (("f", f), ("g", g))}

        def slopes(x):
            for fn in (f, g):
                jax.jit(jax.grad(fn))(x)

        def again(x):
            for n in range(3):
                jax.jit(jax.vmap(f))(x)  # JIT301

        def epochs(x):
            for n in range(3):
                for fn in (f, g):
                    jax.jit(jax.vmap(fn))(x)  # JIT301

        values(jnp.ones(3))
        slopes(1.0)
        again(jnp.ones(3))
        epochs(jnp.ones(3))
    """)


def test_names_that_are_not_known_may_be_those_of_keywords() -> None:
    check("""
        PROGRAMS = {}

        def program(solve, names):
            key = (solve, names)
            if key not in PROGRAMS:
                PROGRAMS[key] = jax.jit(solve, static_argnames=names)
            return PROGRAMS[key]

        def solve(b, *, restart: int = 30, fixed: bool = False):
            basis = jnp.zeros((restart, 2))
            if jnp.cos(b).sum() > 0:  # JIT101
                return basis
            return basis if fixed else basis + b

        def made(solve, names):
            def entry(b, **kw):
                settings = {k: kw.pop(k) for k in names if k in kw}
                return program(solve, tuple(settings))(b, **kw, **settings)
            return entry

        entry = made(solve, ("restart", "fixed"))

        @jax.jit
        def run(x):
            return entry(x, restart=3)

        def numbered(b, n, *, fixed: bool = False):
            if fixed:  # JIT101
                return b
            return jnp.zeros(n) + b

        def by_number(numbers):
            return jax.jit(numbered, static_argnums=numbers)
    """)


def test_a_function_of_the_project_makes_a_static_field() -> None:
    check("""
        from dataclasses import dataclass, field

        def setting(*args, **kwargs):
            return field(*args, metadata=dict(static=True), **kwargs)

        def documented(text, **kwargs):
            return field(metadata={"text": text}, **kwargs)

        @jax.tree_util.register_dataclass
        @dataclass
        class Expansion:
            values: jax.Array
            scale: float = documented("of all of them")
            dim: int = setting(default=3)

            def force(self):
                assert self.values.shape[1] >= 1 + self.dim
                if self.scale > 0:  # JIT101
                    return self.values
                return -self.values[..., 1:1 + self.dim]

        @jax.jit
        def f(p: Expansion):
            return p.force()
    """)


def test_haiku_makes_its_modules_in_the_trace() -> None:
    check("""
        import haiku as hk

        class Curved(hk.Module):
            def __init__(self, k, name=None):
                super().__init__(name=name)
                self.k = k

            def __call__(self, x):
                self.k = jnp.array(self.k, dtype=x.dtype)
                return x * self.k

        class Stack(hk.Module):
            def __init__(self, sizes, k=-1.0, name=None):
                super().__init__(name=name)
                self.layers = list(map(lambda size: Curved(k), sizes))
                self.last = None

            def __call__(self, x):
                for layer in self.layers:
                    x = layer(x)

                def step(carry, x):
                    self.last = carry + x  # JIT204
                    return carry + x, x

                return hk.scan(step, 0.0, x)[0] + self.last
    """)


def test_a_class_that_is_one_of_several_may_be_that_of_arrays() -> None:
    check("""
        try:
            from jax import Array
            KINDS = (Array,)
        except ImportError:
            from jaxlib.xla_extension import DeviceArray as Array
            KINDS = (Array, jax.interpreters.partial_eval.DynamicJaxprTracer)

        def one(x):
            return x if isinstance(x, Array) else np.asarray(x)

        def listed(x):
            if isinstance(x, (*KINDS, np.ndarray)):
                return x
            return np.asarray(x)

        def other(x):
            if isinstance(x, (list, tuple)):
                return x
            return np.asarray(x)  # JIT106

        @jax.jit
        def f(x):
            return one(x + 1), listed(x + 1), other(x + 1)
    """)


def test_what_is_said_once_is_meant_to_be_said_once() -> None:
    check("""
        import warnings

        SAID = False
        COUNT = 0
        SIZES = (3, 4)

        def say(n):
            global SAID
            if SAID or n <= 100:
                return
            SAID = True
            warnings.warn("large")

        def both(n):
            global COUNT
            if COUNT and n <= 100:
                return
            COUNT = n  # JIT203

        def listed(n):
            global COUNT
            if n > 100 and n in SIZES:
                return
            COUNT = n  # JIT203

        @jax.jit
        def f(x):
            say(x.shape[0])
            both(x.shape[0])
            listed(x.shape[0])
            return x * 2
    """)


def test_where_a_subspace_iteration_starts() -> None:
    check("""
        @jax.jit
        def pairs(a):
            def sweep(y):
                q = jnp.linalg.qr(y)[0]
                return a @ q

            start = jax.random.normal(jax.random.key(0), (10, 3))
            turn = lambda s: (s[0] + 1, sweep(s[1]))
            return lax.while_loop(lambda s: s[0] < 9, turn, (0, sweep(start)))

        @jax.jit
        def walk(a):
            start = jax.random.normal(jax.random.key(0), (10,))  # JIT213
            return lax.fori_loop(0, 9, lambda i, x: x + a, start)
    """)


def test_each_equation_is_another_program() -> None:
    check("""
        from jax.extend.core.primitives import jit_p

        RULES = {}

        def evaluate(jaxpr, consts, *args):
            env = dict(zip(jaxpr.invars, args))

            for eqn in jaxpr.eqns:
                values = [env[v] for v in eqn.invars]
                if eqn.primitive in RULES:
                    rule = RULES[eqn.primitive]
                    outs = rule(*values, **eqn.params)
                else:
                    outs = eqn.primitive.bind(*values, **eqn.params)
                env.update(zip(eqn.outvars, outs))
            return [env[v] for v in jaxpr.outvars]

        def inner(*args, **kwargs):
            closed = kwargs["jaxpr"]
            run = partial(evaluate, closed.jaxpr, closed.consts)
            run = jax.jit(run, inline=kwargs["inline"])
            return run(*args)

        RULES[jit_p] = inner

        def transformed(fun):
            def wrapped(*args):
                closed = jax.make_jaxpr(fun)(*args)
                return evaluate(closed.jaxpr, closed.consts, *args)
            return wrapped

        @transformed
        def f(x):
            return x * 2

        f(jnp.ones(3))

        def scaled(x, scale):
            return jax.jit(partial(lambda s, x: s * x, scale))(x)  # JIT301

        def each(xs, scale):
            return [scaled(x, scale) for x in xs]
    """)


def test_vectorize_maps_what_is_passed_by_position():
    """Keywords are dropped, or handed on as they are where they are excluded."""
    check("""
        from functools import partial

        @partial(jnp.vectorize, signature="(a)->(b)")
        def padded(x, *, ends=True):
            return jnp.pad(x, 1) if ends else x

        @partial(jnp.vectorize, excluded={"ends"}, signature="(a)->(b)")
        def cut(x, *, ends=True):
            return x[1:-1] if ends else x

        @jnp.vectorize
        def sign(x):
            return 1 if x > 0 else -1  # JIT101
    """)


def test_scalars_of_numpy_are_no_tracers():
    check("""
        import numpy as np

        @jax.jit
        def single(x):
            if isinstance(x, np.float32):
                return float(x)
            if isinstance(x, np.dtype):
                return str(x) == "int" and bool(x)
            return x * 2

        @jax.jit
        def double(x):
            return int(x) if isinstance(x, (np.int64, np.uint8)) else x * 2

        @jax.jit
        def converted(x):
            if isinstance(x, jax.Array):
                return float(x)  # JIT105
            return x
    """)


def test_an_object_in_a_static_field_is_compared_as_its_class_says():
    """Of objects only plain dataclasses compare the arrays that they hold (run under JAX)."""
    check("""
        import dataclasses
        import equinox as eqx

        class Surface:
            def __init__(self, n):
                self.n = n
                self.nu = jnp.arange(float(n))

            def __hash__(self):
                return hash(self.n)

            def __eq__(self, other):
                return self.n == other.n

        class Plain:
            def __init__(self, n):
                self.nu = jnp.arange(float(n))

        @dataclasses.dataclass(frozen=True)
        class Record:
            nu: jax.Array

        class Problem(eqx.Module):
            x: jax.Array
            surface: object = eqx.field(static=True)

        @eqx.filter_jit
        def solve(problem):
            return problem.x * 2

        @eqx.filter_jit
        def solve_plain(problem):
            return problem.x * 3

        def run(x):
            solve(Problem(x, Surface(3)))
            solve(Problem(x, Surface(3)))
            solve_plain(Problem(x, Plain(3)))
            solve_plain(Problem(x, Plain(3)))

        run(jnp.ones(2))
    """)
