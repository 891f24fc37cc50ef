"""Functions that the configuration, or the command line, says somebody else will jit."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from jitlint.analysis.options import AnalysisOptions
from jitlint.diagnostics import Severity
from jitlint.usage_errors import UsageError
from tests.linting import analysis

_LOSSES = """\
import jax.numpy as jnp


def huber(x, delta=1.0, reduce="mean"):
    error = jnp.abs(x)
    if error.max() > delta:
        return error
    if reduce == "mean":
        return error.mean()
    return _halved(error)


def _halved(x):
    if x > 0:
        return x / 2
    return x


def solve(x, method, steps=None):
    if method == "cg":
        return x
    for _ in range(method):
        x = x / 2
    return x


class Loss:
    def __init__(self, scale):
        self.scale = scale

    def compute(self, x):
        if self.scale > 1:
            return x
        return float(x)

    @property
    def size(self):
        return 1

    @staticmethod
    def clip(x):
        return x if x < 1 else 1.0
"""


def _found(patterns: Mapping[str, Any], **files: str) -> list[tuple[int, str]]:
    options = AnalysisOptions(assume_traced=patterns)
    sources = {"mylib/__init__.py": "", "mylib/losses.py": _LOSSES, **files}
    reports = analysis(sources, options).diagnostics
    return [(r.location.row, r.code) for r in reports if r.severity is Severity.ERROR]


def test_nothing_is_assumed_by_itself():
    assert _found({}) == []


@pytest.mark.parametrize(
    ("patterns", "found"),
    [
        ({"mylib.losses.huber": ()}, [(6, "JIT101"), (14, "JIT101")]),
        ({"mylib.losses._*": ()}, [(14, "JIT101")]),
        ({"mylib.losses.solve": ()}, [(22, "JIT107")]),
        ({"mylib.losses.solve": ("method",)}, []),
        ({"*.Loss.*": ()}, [(34, "JIT105"), (42, "JIT101")]),
        ({"mylib.*": ("method",)}, [(6, "JIT101"), (14, "JIT101"), (34, "JIT105"), (42, "JIT101")]),
    ],
)
def test_what_matches_is_traced(patterns, found):
    assert _found(patterns) == found


def test_the_explanation_says_so():
    options = AnalysisOptions(assume_traced={"losses.huber": ()})
    found = analysis({"losses.py": _LOSSES}, options)
    for report in found.diagnostics:
        assert report.trace[0].note == "assumed traced by the configuration"
        assert report.trace[0].row == 4
    (traced,) = (entry for entry in found.traced if entry.qualname == "huber")
    assert traced.parameters == {"x": "traced", "delta": "traced", "reduce": "unknown"}


def test_what_is_traced_anyway_is_not_traced_twice():
    source = {"m.py": "import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n"}
    (traced,) = analysis(source, AnalysisOptions(assume_traced={"m.f": ()})).traced
    assert traced.transform == "jax.jit"


def test_a_file_that_does_not_mention_jax_is_looked_at():
    source = {"m.py": "def relu(x):\n    return x if x > 0 else 0.0\n", "n.py": "import jax\n"}
    found = analysis(source, AnalysisOptions(assume_traced={"m.relu": ()})).diagnostics
    assert [report.code for report in found] == ["JIT101"]


@pytest.mark.parametrize(
    "name", ["cr.sparse.ops.relu", "sparse.ops.relu", "src.cr.sparse.ops.relu", "cr.*"]
)
@pytest.mark.parametrize("folder", ["src/cr", "python/cr"])
def test_a_package_is_known_by_the_names_that_python_may_know_it_by(folder, name):
    source = {
        f"{folder}/sparse/__init__.py": "",
        f"{folder}/sparse/ops.py": "def relu(x):\n    return x if x > 0 else 0.0\n",
    }
    options = AnalysisOptions(assume_traced={name.replace("src", folder.partition("/")[0]): ()})
    assert [report.code for report in analysis(source, options).diagnostics] == ["JIT101"]


@pytest.mark.parametrize("pattern", ["mylib.half.*", "mylib.*.typed", "*.typed"])
def test_what_may_stand_in_a_broken_file_is_waited_for(pattern):
    """Somebody is typing in it: the rest of the project is linted meanwhile."""
    files = {"mylib/half.py": "def typed(x:\n", "mylib/m.py": "import jax\n\njax.jit(abs)(1)\n"}
    sources = {"mylib/__init__.py": "", **files}
    options = AnalysisOptions(assume_traced={pattern: ("x",)})
    assert [report.code for report in analysis(sources, options).diagnostics] == ["JIT901"]
    with pytest.raises(UsageError):
        analysis(sources, AnalysisOptions(assume_traced={"mylib.m.*": ()}))


@pytest.mark.parametrize("name", ["algos.ppo.train", "ppo.ppo.train"])
def test_no_name_starts_inside_a_package(name):
    source = {
        "rl/__init__.py": "",
        "rl/algos/__init__.py": "",
        "rl/algos/ppo/ppo.py": "def train(x):\n    return x if x > 0 else 0.0\n",
    }
    for known in ("rl.algos.ppo.ppo.train", "ppo.train"):
        options = AnalysisOptions(assume_traced={known: ()})
        assert [report.code for report in analysis(source, options).diagnostics] == ["JIT101"]
    with pytest.raises(UsageError):
        analysis(source, AnalysisOptions(assume_traced={name: ()}))


_FACTORY = """\
from typing import NamedTuple, Callable

import jax.numpy as jnp


class Transformation(NamedTuple):
    init: Callable
    update: Callable


def momentum(rate, *, nesterov=False):
    def init(params):
        return jnp.zeros_like(params)

    def update(updates, state):
        if state.sum() > 0:
            state = state + updates
        if nesterov is None:
            return updates, state
        return rate * state, state

    return Transformation(init, update)


def schedule(start):
    def helper(step):
        return int(step)

    def at(step):
        return start * step

    if helper(3) > 2:
        return at
    return {"at": at}
"""


def test_the_functions_that_one_returns_are_traced_too():
    options = AnalysisOptions(assume_traced={"m.momentum": (), "m.schedule": ()})
    found = analysis({"m.py": _FACTORY}, options)
    assert [(r.location.row, r.code) for r in found.diagnostics] == [(16, "JIT101")]
    assert {"momentum.init", "momentum.update", "schedule.at"} <= {
        entry.qualname for entry in found.traced
    }


@pytest.mark.parametrize(
    ("patterns", "said"),
    [
        ({"mylib.loses.*": ()}, "'mylib.loses.*' matches no function"),
        ({"mylib.losses.Nope": ()}, "mylib.losses.*"),
        ({"/nowhere/*.py": ()}, "'/nowhere/*.py' matches no function"),
        ({"mylib.losses.solve": ("methd",)}, "expected one of method, steps, x"),
    ],
)
def test_what_matches_nothing_is_an_error(patterns, said):
    with pytest.raises(UsageError) as caught:
        _found(patterns)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


_PROFILE = """\
import jax


@jax.tree_util.register_pytree_node_class
class Profile:
    def __init__(self, limit, kind):
        self.limit = limit
        self.kind = kind

    @property
    def radius(self):
        if self.kind == "flat":
            return 1.0
        return self.limit if self.limit > 0 else 1.0

    @jax.jit
    def jitted(self, x):
        return x

    def tree_flatten(self):
        return (self.limit,), (self.kind,)

    @classmethod
    def tree_unflatten(cls, kind, children):
        return cls(*children, *kind)


@dispatch
def rounded(x):
    return int(x + 0.5)


class Plain:
    def __init__(self, limit):
        self.limit = limit

    @property
    def radius(self):
        return self.limit if self.limit > 0 else 1.0
"""


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("m.Profile.radius", [(14, "JIT101")]),
        ("m.Profile.jitted", []),
        # What a decorator makes of it is not known: most often it is kept as it is.
        ("m.rounded", [(30, "JIT105")]),
        # It is not known to be an argument of what is jitted.
        ("m.Plain.radius", []),
    ],
)
def test_objects_that_are_pytrees_are_arguments(pattern, found):
    options = AnalysisOptions(assume_traced={pattern: ()})
    reports = analysis({"m.py": _PROFILE}, options).diagnostics
    assert [(r.location.row, r.code) for r in reports if r.severity is Severity.ERROR] == found


def test_what_is_assumed_may_stand_elsewhere():
    """A decorator of another file gives its own function, a class the later one of a name."""
    sources = {
        "deco.py": "def checked(f):\n    def inner(x):\n        return f(x)\n\n    return inner\n",
        "m.py": (
            "import jax\nfrom deco import checked\n\n\n"
            "@checked\ndef relu(x):\n    return x if x > 0 else 0.0\n\n\n"
            "class Rules:\n    def reset(self):\n        return 1\n\n"
            "    def reset(self, x):\n        return x if x > 0 else 0\n"
        ),
    }
    found = analysis(sources, AnalysisOptions(assume_traced={"m.*": ()})).diagnostics
    assert [(item.location.row, item.code) for item in found] == [(7, "JIT101"), (15, "JIT101")]
    starts = [(Path(item.trace[0].filename).name, item.trace[0].row) for item in found]
    assert starts == [("deco.py", 2), ("m.py", 14)]
