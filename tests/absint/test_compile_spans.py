"""Durations that cover a first call: when a program may be there already, and what counts."""

from __future__ import annotations

import pytest

from tests.linting import analysis, check, project_reports, reports

_SETUP = """
import time
import numpy as np

"""


def due(source: str) -> list[int]:
    """The rows with a report, counted from the first row of ``source``."""
    before = _SETUP.count("\n")
    return [row - before for row, code in reports(_SETUP + source) if code == "JIT402"]


def measured(*before: str, call: str = "g(x).block_until_ready()", use: str = "t / n") -> bool:
    """Whether it is reported that a duration around a call is used."""
    lines = ("g = jax.jit(lambda x: x @ x)", *before, "s = time.time()", call)
    body = "".join(f"    {line}\n" for line in (*lines, "t = time.time() - s", f"return {use}"))
    return bool(due(f"def h(x, n, other):\n{body}"))


@pytest.mark.parametrize(
    "before",
    [
        [],
        ["y = jnp.ones(3)"],
        ["print(n)"],
        ["other(n)", "g = jax.jit(lambda x: x + 1)"],
        ["r = jax.jit(lambda x: x - 1)(x)"],
    ],
)
def test_first_calls(before):
    assert measured(*before)


@pytest.mark.parametrize(
    "before",
    [
        ["g(x)"],
        ["if n > 1: g(x)"],
        ["for _ in range(n): g(x)"],
        ["g.lower(x).compile()"],
        ["g = g.lower(x).compile()"],
        ["other(g)"],
        ["other.run()"],
        ["import scipy.optimize", "scipy.optimize.minimize(g, n)"],
        ["h(x, n, other)"],
        ["t = 0  # compilation is measured too"],
        ["y = np.linalg.svd(n)", "s = time.time()", "y = np.linalg.svd(n)", "g(x)"],
    ],
)
def test_programs_that_may_be_there(before):
    assert not measured(*before)


@pytest.mark.parametrize("use", ["t / n", "n / t", "t < 2 * t", "1e3 * t / n", "(t, t / n)[1]"])
def test_what_stands_for_the_time_of_a_run(use):
    assert measured(use=use)


@pytest.mark.parametrize("use", ["t", "(g, t)", "t / 60", "round(t, 2)", "t > 5", "print(t)"])
def test_what_only_says_how_long_it_took(use):
    assert not measured(use=use)


def test_other_work_is_measured_too():
    assert not measured(call="g(np.linalg.svd(np.ones((n, n)))[0]).block_until_ready()")


def test_shapes():
    source = """
def f(n):
    g = jax.jit(lambda x: x @ x)
    g(jnp.ones(3)).block_until_ready()
    s = time.time()
    g(jnp.ones({size})).block_until_ready()
    return (time.time() - s) / n
"""
    assert due(source.format(size=4)) == [7]
    assert due(source.format(size=3)) == []
    assert due(source.format(size="n")) == []


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ("x", False),
        ("x[:2]", True),
        ("x[-2:]", True),
        ("x[2:4, :]", True),
        ("x[1::3]", True),
        ("x[::2]", False),
        ("x[:, :5]", False),
        ("x[0]", False),
        ("x[:n]", True),
        ("x[n]", True),
        ("x[:40]", False),
        ("x[None, 0, :2]", True),
    ],
)
@pytest.mark.parametrize("module", ["jnp", "np"])
def test_shapes_of_parts(given, same, module):
    source = f"""
def f(n):
    g = jax.jit(lambda x: x + 1)
    x = {module}.ones((6, 4))
    g(x[:2]).block_until_ready()
    s = time.time()
    g({given}).block_until_ready()
    return (time.time() - s) / n
"""
    assert due(source) == ([] if same else [8])


def test_numbers_have_one_shape():
    source = """
def f(n):
    g = jax.jit(lambda x, scale: x * scale)
    g(jnp.ones(3), float(n)).block_until_ready()
    s = time.time()
    g(jnp.ones({size}), float(n)).block_until_ready()
    return (time.time() - s) / n
"""
    assert due(source.format(size=4)) == [7]
    assert due(source.format(size=3)) == []


def test_it_is_said_that_the_shapes_are_others():
    source = """
def f(n):
    g = jax.jit(lambda x: x + 1)
    g(jnp.ones(3)).block_until_ready()
    s = time.time()
    g(jnp.ones(4)).block_until_ready()
    return (time.time() - s) / n
"""
    (report,) = analysis(_SETUP + source).diagnostics
    assert "with arrays of these shapes for the first time" in report.message


def test_a_function_of_the_module_counts_where_a_program_begins():
    source = """
@jax.jit
def g(x):
    return x @ x

def f({parameters}):
    s = time.time()
    g(jnp.ones(3)).block_until_ready()
    return (time.time() - s) / 3
{after}
"""
    assert due(source.format(parameters="", after="")) == [9]
    assert due(source.format(parameters="x", after="")) == []
    assert due(source.format(parameters="", after="def k(x):\n    return f()")) == []
    main = "\nif __name__ == '__main__':\n    {}\n"
    assert due(source.format(parameters="", after=main.format("print(f())"))) == [9]
    assert due(source.format(parameters="", after=main.format("g(jnp.ones(3)), f()"))) == []


def test_what_is_recalled_of_a_call_is_not_its_first_call():
    source = """
def took(g, x):
    s = time.time()
    g(x).block_until_ready()
    return time.time() - s

def f(x):
    g = jax.jit(lambda x: x @ x)
    took(g, x)
    return took(g, x) / 3
"""
    assert due(source) == []


def test_tests_are_left_alone():
    assert not due("""
def test_speed():
    g = jax.jit(lambda x: x @ x)
    s = time.time()
    g(jnp.ones(3)).block_until_ready()
    assert (time.time() - s) / 3 < 1
""")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("rows.append(t)", True),
        ("rows.append((k, t))", True),
        ("if k > 0: rows.append(t)", False),
        ("print(t)", False),
    ],
)
def test_what_is_kept_in_every_turn(line, expected):
    source = f"""
def f(x, n):
    g, rows = jax.jit(lambda x: x @ x), []
    for k in range(n):
        s = time.time()
        g(x).block_until_ready()
        t = time.time() - s
        {line}
    return rows
"""
    assert bool(due(source)) is expected
    assert due(source.replace("return rows", "return rows[1:]")) == []
    assert due(source.replace("return rows", "return np.median(rows)")) == []


@pytest.mark.parametrize(("read", "expected"), [("rows[1:]", False), ("rows", True)])
def test_what_a_script_does_with_what_it_has_kept(read, expected):
    source = f"""
@jax.jit
def g(x):
    return x @ x

x, rows = jnp.ones((3, 3)), []
for k in range(9):
    s = time.time()
    y = g(x).block_until_ready()
    t = time.time()
    rows.append(t - s)
print(np.ones(9)[1:])
print(np.mean({read}))
"""
    assert bool(due(source)) is expected


def test_scripts_in_which_other_libraries_do_things_first() -> None:
    check("""
        import argparse
        import time
        from datetime import datetime
        import matplotlib.pyplot as plt

        parser = argparse.ArgumentParser()
        parser.add_argument("--size", type=int, default=10)
        options = parser.parse_args()
        figure, axes = plt.subplots()
        axes.plot([1, 2])
        x = jnp.ones(options.size)

        @jax.jit
        def f(x):
            return jnp.linalg.svd(jnp.outer(x, x), compute_uv=False)

        begin = datetime.now()
        for _ in range(1000):
            f(x).block_until_ready()
        print((datetime.now() - begin).total_seconds() / 1000)  # JIT402

        @jax.jit
        def g(x):
            return x + 1

        begin = time.perf_counter_ns()
        g(x).block_until_ready()
        print((time.perf_counter_ns() - begin) / 1e6, "ms")

        @jax.jit
        def h(x):
            return x + 2

        axes.plot(h)
        begin = time.time()
        h(x).block_until_ready()
        print((time.time() - begin) / 100)
    """)


def test_objects_that_others_may_have_warmed_up() -> None:
    check("""
        import time

        x = jnp.ones(3)

        class Bench:
            def __init__(self, function):
                self.function = jax.jit(function)

            def run(self, n):
                start = time.perf_counter()
                for _ in range(n):
                    self.function(x).block_until_ready()
                return (time.perf_counter() - start) / n

        bench = Bench(lambda v: v * 2)
    """)


def test_a_name_that_stands_for_something_else_later() -> None:
    check("""
        import timeit

        def times(x):
            return x @ x

        x = jnp.ones((3, 3))
        run = times
        print(timeit.timeit(lambda: run(x).block_until_ready(), number=100) / 100)
        run = jax.jit(times)
        run(x).block_until_ready()
        print(timeit.timeit(lambda: run(x).block_until_ready(), number=100) / 100)
    """)


_STUDY = """
import time
import jax.numpy as jnp
from kernels import g
{imports}

s = time.time()
g(jnp.ones((3, 3))).block_until_ready()
print((time.time() - s) / 3)
"""
_KERNELS = "import jax\n\n@jax.jit\ndef g(x):\n    return x @ x\n"
_NOTES = """
import time
import jax
import somewhere
{imports}

h = jax.jit(lambda x: x)
s = time.time()
somewhere.run(h)
print(time.time() - s)
"""


@pytest.mark.parametrize(
    ("study", "notes", "expected"),
    [
        ("", "", True),
        ("", "import kernels", True),  # another program
        ("import notes", "", True),  # nothing there knows of the function
        ("import notes", "import kernels", False),
        ("def later():\n    from notes import h", "from kernels import g", False),
        ("import between", "from .between import g", False),
    ],
)
def test_what_other_programs_call_is_no_part_of_this_one(study, notes, expected):
    sources = {
        "kernels.py": _KERNELS,
        "notes.py": _NOTES.format(imports=notes),
        "study.py": _STUDY.format(imports=study),
        "between.py": "import notes\nfrom kernels import g\n",
    }
    found = [path for path, _, code in project_reports(sources) if code == "JIT402"]
    assert found == (["study.py"] if expected else [])


def test_names_that_a_script_binds_anew():
    source = """
def norm(x):
    return np.sqrt(np.sum(x**2))

def twice(x):
    return norm(2 * x)

s = time.time()
twice(np.ones(9))
with_numpy = time.time() - s

def norm(x):
    return jnp.sqrt(jnp.sum(x**2))

norm = jax.jit(norm)

s = time.time()
twice(jnp.ones(9))
with_jax = time.time() - s
print(with_numpy / with_jax)

def norm(x):
    return abs(x)
"""
    last = source.rindex("\ndef norm")
    found = reports(_SETUP + source[:last])
    before = _SETUP.count("\n")
    # Of the first call of a program without loops the compilation is what is measured.
    assert [(row - before, code) for row, code in found] == [(19, "JIT402")]
    # What comes last is not what was measured.
    assert reports(_SETUP + source) == []


def test_code_runs_in_its_turn_whoever_asks_for_a_name():
    """A parameter of a nested function has the name of what the script binds below."""
    check(
        """
        import time

        import jax
        import jax.numpy as jnp

        def make_train():
            def train(start):
                def step(x, _):
                    def norm(weights):
                        return weights.sum()

                    return jnp.tanh(x @ x), None

                return jax.lax.scan(step, start, None, 100)[0]

            return train

        train_jit = jax.jit(make_train())
        begin = time.time()
        out = train_jit(jnp.eye(300))
        print(time.time() - begin)  # JIT401
        weights = jax.device_get(out)
        """
    )
