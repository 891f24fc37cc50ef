"""What the code around a call has asked, and what follows of it where the call leads."""

from __future__ import annotations

from tests.linting import check, check_project

_FITTER = """
        class Fitter:
            def __init__(self, e_step: str = "jax", m_step: str = "cpu", verbose: int = 0):
                self.e_step = e_step
                self.m_step = m_step
                self.verbose = verbose

            def fit(self, x, steps):
                {guard}
                    return self._scan(x, steps)
                return self._loop(x, steps)

            def _step(self, x):
                if self.m_step == "cpu":
                    return x / float(x.sum()){label}
                return x / x.sum()

            def _scan(self, x, steps):
                def body(carry, _):
                    return self._step(carry), None

                return lax.scan(body, x, None, length=steps)[0]

            def _loop(self, x, steps):
                for _ in range(steps):
                    x = self._step(x)
                return x
"""


def test_a_private_method_is_run_as_all_its_callers_run_it() -> None:
    check(_FITTER.format(guard='if self.e_step == "jax" and self.m_step == "jax":', label=""))
    check(_FITTER.format(guard='if self.e_step == "jax":', label="  # JIT105"))
    check(
        _FITTER.format(guard='if self.e_step == "jax" or self.m_step == "jax":', label="  # JIT105")
    )


def test_a_condition_has_a_name() -> None:
    guard = 'scans = self.m_step == "jax" and self.verbose == 0\n                if {}:'
    check(_FITTER.format(guard=guard.format("scans"), label=""))
    check(_FITTER.format(guard=guard.format("not scans"), label="  # JIT105"))


def test_a_method_that_somebody_else_calls_or_hands_on() -> None:
    guarded = _FITTER.format(guard='if self.m_step == "jax":', label="  # JIT105")
    check(guarded + "\n\n        def run(fitter, x):\n            return fitter._scan(x, 3)\n")
    check(
        guarded.replace(
            "def fit(", "def on(self):\n                return self._scan\n\n            def fit("
        )
    )
    check_project(
        {
            "other.py": """
                class Other:
                    def _scan(self, x, steps):
                        return x

                    def run(self, x):
                        return self._scan(x, 1)
            """,
            "fitter.py": "import jax\nfrom jax import lax\n"
            + _dedented(_FITTER.format(guard='if self.m_step == "jax":', label="")),
        }
    )


def _dedented(text: str) -> str:
    return "\n".join(line[8:] for line in text.splitlines())


def test_a_name_for_a_condition_that_changes() -> None:
    check("""
        class Model:
            def __init__(self, size: int, kind: str):
                self.kind = kind
                self.size = size

            def run(self, x):
                plain = self.kind == "plain" and self.size == 1
                self.kind = "other"
                if plain:
                    return jax.jit(self.scaled)(x)
                return x

            def scaled(self, x):
                if self.kind == "other":
                    return x * float(x)  # JIT105
                return x
    """)


def test_functions_chosen_by_what_is_passed_with_them() -> None:
    check("""
        def host(x):
            return np.sin(np.asarray(x))

        def device(x):
            return jnp.sin(x)

        def solve(f, x, backend):
            if backend == "jax":
                return lax.while_loop(lambda x: jnp.all(x < 9), lambda x: x + f(x), x)
            elif backend == "cpu":
                return x + f(x)
            raise ValueError(backend)

        def run(x, backend):
            if backend == "cpu":
                f = host
            else:
                f = device
            return solve(f, x, backend=backend)
    """)


def test_a_short_answer_decides_however_deep_it_is_asked_for() -> None:
    check("""
        def is_jax(xp):
            return xp is jnp

        def repeat(n, body, x, xp):
            if is_jax(xp):
                return lax.fori_loop(0, n, lambda _, x: body(x), x)
            for _ in range(n):
                x = body(x)
            return x

        def double(x, xp, n):
            def step(x):
                return xp.where(x > 1.0, x, 2.0 * x)

            return repeat(n, step, xp.full_like(x, 0.5), xp)

        def one(x, xp, n):
            return double(x, xp, n)

        def two(x, xp, n):
            return one(x, xp, n)

        def three(x, xp, n):
            return two(x, xp, n)

        def on_host(x, n):
            return three(x, np, n)

        def on_device(x, n):
            return three(x, jnp, n)
    """)


def test_a_tuple_of_unknown_length_is_a_tuple() -> None:
    check("""
        def euler(drift, noise, y, dt):
            for _ in range(3):
                slope = drift(y)
                if isinstance(y, tuple):
                    y = tuple(a + dt * b for a, b in zip(y, slope))
                    y = tuple(a + jnp.sqrt(dt) * b for a, b in zip(y, noise(y)))
                else:
                    y = y + dt * slope
            return y

        @partial(jax.jit, static_argnums=0)
        def run(noise, x, v, dt):
            return euler(lambda y: (y[1], -y[0]), noise, (x, v), dt)
    """)
