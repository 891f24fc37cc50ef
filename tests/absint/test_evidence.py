"""What a parameter of a traced function is taken for: every cell of the evidence table.

A non-static parameter is a pytree, not always an array.  The columns are kinds of evidence, the
rows uses; the expected outcome is a severity, or None for silence.
"""

from __future__ import annotations

import pytest

from jitlint.diagnostics import Severity
from tests.linting import analysis, check, traced

ERROR, WARNING = Severity.ERROR, Severity.WARNING

#: parameter list of ``f``, and what stands after it
EVIDENCE = {
    "array by a call": ("p", "f(jnp.ones(()))"),
    "number by a call": ("p", "f(3)"),
    "array by annotation": ("p: jax.Array", ""),
    "array by use": ("p", ""),  # the body starts with arithmetic
    "container by a call": ("p", "f({'a': jnp.ones(3)})"),
    "container by annotation": ("p: dict[str, jax.Array]", ""),
    "only None": ("p=None", ""),
    "None, used as a number": ("p=None", ""),  # likewise
    "default": ("p=2", ""),
    "flag default": ("p=False", ""),
    "none": ("p", ""),
}
ARRAY = ("array by a call", "number by a call", "array by annotation", "array by use")
CONTAINER = ("container by a call", "container by annotation", "only None")

NUMBER_USE = ("array by use", "None, used as a number")

#: use: code of the report, and what each column says: array, container, default, no evidence
USES: dict[str, tuple[str, Severity | None, Severity | None, Severity | None, Severity | None]] = {
    "if p > 0:\n        pass": ("JIT101", ERROR, None, WARNING, ERROR),
    "while p + 1 > 0:\n        pass": ("JIT102", ERROR, None, WARNING, ERROR),
    "if p:\n        pass": ("JIT101", ERROR, None, WARNING, None),
    "q = not p": ("JIT104", ERROR, None, WARNING, None),
    "q = p and 1": ("JIT104", ERROR, None, WARNING, None),
    "for i in range(p):\n        pass": ("JIT107", ERROR, None, WARNING, ERROR),
    "q = jnp.zeros(p)": ("JIT108", ERROR, None, WARNING, ERROR),
    "q = int(p)": ("JIT105", ERROR, None, WARNING, ERROR),
    "q = [1, 2, 3][p]": ("JIT107", ERROR, None, WARNING, ERROR),
    "q = f'{p:.2f}'": ("JIT105", ERROR, None, WARNING, ERROR),
}
SILENT_USES = (
    "for q in p:\n        pass",
    "q = isinstance(p, dict)",
    "q = p is None",
)


def _found(
    parameters: str, use: str, after: str, *, arithmetic: bool
) -> list[tuple[str, Severity]]:
    first = "q = p * 2 - 1\n    " if arithmetic else ""
    source = f"@jax.jit\ndef f({parameters}):\n    {first}{use}\n    return 0\n\n{after}\n"
    return [
        (diagnostic.code, diagnostic.severity)
        for diagnostic in analysis(source).diagnostics
        if diagnostic.severity >= WARNING
    ]


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("evidence", EVIDENCE)
def test_cell(evidence: str, use: str) -> None:
    code, array, container, default, nothing = USES[use]
    if evidence in ARRAY:
        due = array
    elif evidence == "only None" and "> 0" in use:
        due = default
    elif evidence in CONTAINER:
        due = container
    elif evidence in ("default", "flag default", "None, used as a number"):
        due = default
    else:
        due = nothing
    if evidence == "container by annotation" and "zeros" in use:
        pytest.skip("a shape made of tracers raises, a dict raises anyway")
    parameters, after = EVIDENCE[evidence]
    found = _found(parameters, use, after, arithmetic=evidence in NUMBER_USE)
    assert found == ([] if due is None else [(code, due)])


@pytest.mark.parametrize("use", SILENT_USES)
@pytest.mark.parametrize("evidence", EVIDENCE)
def test_uses_that_say_nothing(evidence: str, use: str) -> None:
    if evidence == "number by a call" and use.startswith("for"):
        pytest.skip("iterating a scalar is another error")
    parameters, after = EVIDENCE[evidence]
    assert _found(parameters, use, after, arithmetic=False) == []


@pytest.mark.parametrize("use", ["q = p(1)", "q = p == 'mean'", "q = {'a': 1}[p]"])
@pytest.mark.parametrize("parameters", ["p: dict", "p=None", "p"])
def test_functions_and_strings_without_evidence(parameters: str, use: str) -> None:
    assert _found(parameters, use, "", arithmetic=False) == []


@pytest.mark.parametrize(
    "body",
    [
        "if s is not None and s > 0:",
        "s = 1.0 if s is None else s\n    if s > 0:",
        "if s is None:\n        s = 1.0\n    if s > 0:",
    ],
)
def test_a_number_in_place_of_none(body: str) -> None:
    source = f"@jax.jit\ndef f(x, s=None):\n    {body}\n        x = x * s\n    return x\n"
    (found,) = analysis(source).diagnostics
    assert (found.code, found.severity) == ("JIT101", WARNING)
    assert "when a caller passes the argument" in found.message


def test_a_number_in_place_of_what_was_passed() -> None:
    check("""
        @jax.jit
        def f(x, s=None, plain=3):
            s = 1.0 if x.ndim > 1 else x.sum()
            if s > 0:
                return x
            return x * 2
    """)


def test_visible_calls_that_never_pass_a_default() -> None:
    check("""
        @jax.jit
        def f(x, n=3, flag=True):
            if flag:
                for _ in range(n):
                    x = x + 1
            return x

        f(1.0)
        f(jnp.ones(3))
    """)


def test_visible_calls_that_pass_one() -> None:
    check("""
        @jax.jit
        def f(x, n=3, flag=True):
            if flag:  # JIT101
                x = x + 1
            for _ in range(n):  # JIT107
                x = x + 1
            return x

        f(1.0, 3, flag=False)
    """)


@pytest.mark.parametrize(
    ("annotation", "code"),
    [
        ("jax.Array", "JIT101"),
        ("jnp.ndarray", "JIT101"),
        ("'jax.Array'", "JIT101"),
        ("jax.Array | None", "JIT101"),
        ("float", "JIT101"),
        ("int", "JIT101"),
        ("bool", "JIT101"),
        ("dict[str, jax.Array]", None),
        ("list[float]", None),
        ("tuple[jax.Array, ...]", None),
    ],
)
def test_annotations(annotation: str, code: str | None) -> None:
    check(f"""
        @jax.jit
        def f(p: {annotation}):
            if p:{f"  # {code}" if code else ""}
                return 1
            return 2
    """)


def test_jaxtyping() -> None:
    check("""
        from jaxtyping import Array, Float, Int

        @jax.jit
        def f(p: Float[Array, "n"], q: Int[Array, ""]):
            if q:  # JIT101
                return p
            return -p
    """)


def test_a_name_is_no_evidence() -> None:
    check("""
        @jax.jit
        def f(training, x, array, is_last):
            if training:
                return x
            if array or is_last:
                return x
            return 0
    """)


def test_body_use_as_a_container() -> None:
    check("""
        @jax.jit
        def f(batch, params, state):
            if batch:
                images = batch["image"]
            for name, value in params.items():
                if value > 0:  # JIT101
                    pass
            if params:
                pass
            if state.count > 3:  # may be a static field
                pass
            return images
    """)


def test_elements_of_containers() -> None:
    check("""
        @jax.jit
        def f(params):
            if params["w"] > 0:  # JIT101
                pass
            if params["layers"][0]["b"].sum() > 0:  # JIT101
                pass
            if len(params) > 2 and "w" in params:
                pass
            if params.get("mask") is not None:
                pass
            return params

        f({"w": jnp.ones(3), "layers": [{"b": jnp.ones(3)}]})
    """)


def test_kinds_shown_by_traced() -> None:
    found = traced("""
        @partial(jax.jit, static_argnames=("n",))
        def f(x, n, params, flag=True):
            return x

        f(jnp.ones(3), 2, {"a": 1.0})
    """)
    assert found["f"]["x"] == "traced"
    assert found["f"]["n"] == "static"
    assert found["f"]["params"] == "container"
    assert found["f"]["flag"] == "static"


def test_a_tree_is_shown_as_what_its_use_makes_of_it() -> None:
    found = traced("""
        def handed_on(tree):
            return jax.tree.map(jnp.sin, tree)

        def used(tree):
            return -tree

        def opened(tree):
            return tree["a"]

        @jax.jit
        def step(a, b, c):
            return handed_on(a), used(b), opened(c)
    """)
    assert found["handed_on"]["tree"] == "unknown"
    assert found["used"]["tree"] == "traced"
    assert found["opened"]["tree"] == "container"


def test_what_one_call_leaves_open_another_may_tell() -> None:
    found = traced("""
        def mapped(tree, other):
            return jax.tree.map(jnp.add, tree, other)

        @jax.jit
        def step(a):
            mapped(a, {"b": a, "c": jnp.ones(3)})
            mapped(jnp.ones(3), None)
            return mapped(a, a)
    """)
    assert found["mapped"] == {"tree": "traced", "other": "container"}


def test_a_partial_that_holds_tracers_is_a_container_of_them() -> None:
    found = traced("""
        import functools

        def run(function, x):
            return function(x)

        def call(function, x):
            return function(x)

        @jax.jit
        def step(x: jax.Array, y: jax.Array):
            return run(jax.tree_util.Partial(jnp.add, x), y), call(functools.partial(jnp.add, x), y)
    """)
    assert found["run"]["function"] == "container"
    assert found["call"]["function"] == "static"
