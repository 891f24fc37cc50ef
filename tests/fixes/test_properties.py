"""Fixes of programs that are put together at random: what has to hold for all of them.

A fixed program is Python, keeps its comments, is left alone by a second run, has lost its reports,
and gives under jit what the original gives without.
"""

from __future__ import annotations

import ast
import io
import tempfile
import tokenize
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from jitlint.diagnostics import Severity
from jitlint.verify.proving.comparison import difference, snapshot
from jitlint.verify.proving.versions import numpy_for_jax
from tests.fixes.fixing import outcome_of

pytestmark = [pytest.mark.jax, pytest.mark.slow]


@dataclass(frozen=True)
class Fault:
    """An expression to be fixed, of the arrays ``x`` and ``y``.

    Args:
      code: of its rule.
      text: the expression; `` · `` marks where a row may end.
      store: what is done to ``x`` before.
    """

    code: str
    text: str
    store: str | None = None


FAULTS = [
    Fault("JIT106", "np.sin(·x)"),
    Fault("JIT106", "np.maximum(·x,· y)"),
    Fault("JIT106", "np.median(·x, axis=0)"),
    Fault("JIT104", "(x.sum() > 0 ·and y.sum() > 0)"),
    Fault("JIT104", "(not ·x.any())"),
    Fault("JIT104", "(0.5 < x.sum() ·< 3)"),
    Fault("JIT110", "max(·x.sum(),· y.sum())"),
    Fault("JIT110", "min(·x)"),
    Fault("JIT110", "sorted(·x)[0]"),
    Fault("JIT101", "(x ·if x.sum() > 0 ·else y)"),
    Fault("JIT205", "x", "x[0] = 3.0"),
    Fault("JIT205", "x", "x[1:] *= y[1:]"),
    Fault("JIT205", "x", "x[0], k = y[0], 1"),
    Fault("JIT205", "x", "x[x > 1] = 0.0"),
]

IMPORTS = [
    "import jax\nimport jax.numpy as jnp\nimport numpy as np\n",
    "import jax\nfrom jax import numpy as jnp\nimport numpy as np\n",
    "import numpy as np\nimport jax\n",
    '"""A program."""\n\nfrom __future__ import annotations\n\nimport jax\nimport numpy as np\n',
    "import jax\nimport numpy as np\ntry:\n    import jax.numpy as jnp\nexcept ImportError:\n"
    "    jnp = None\n",
    "import numpy as np, jax  # two in a row\n",
]

DECORATORS = [
    "@jax.jit\n{}",
    "@(jax.jit)  # all of it\n{}",
    "import functools\n\n\n@functools.partial(jax.jit, static_argnames=('flag',))\n{}",
    "from jax import jit\n\n\n@jit\n{}",
    "{}\n\nstep = jax.jit(step)\n",
]

#: statements around a place
FRAMES = [
    "{}",
    "if flag:  # static\n    {}",
    "for _ in range(2):\n    {}",
    "with jax.named_scope('scope'):\n    {}",
    "if (width := len(x)) > 1:\n    {}",
    "if flag: {}",
    "k = 1; {}; k += 1",
    "{}  # what for",
    "# before\n{}\n# after",
    "def inner():\n    r = x\n    {}\n    return r\n\nr = inner()",
    "try:\n    {}\nfinally:\n    k = 0",
]
ROWS = ["", "\n        ", "  # here\n        ", "\\\n        "]


@dataclass(frozen=True)
class Program:
    """A program with a jitted function ``step``.

    Args:
      text: of it.
      stores: it stores into an array.
      aliased: of which there may be another name.
    """

    text: str
    stores: bool
    aliased: bool


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs with up to three faults."""
    body = [draw(st.sampled_from(["r = x * 0", "r = x"]))]
    aliased = body == ["r = x"]
    stores = False
    for fault in draw(st.lists(st.sampled_from(FAULTS), min_size=1, max_size=3)):
        row = draw(st.sampled_from(ROWS))
        text = fault.text.replace("·", row)
        if row.startswith(("  #", "\n")):
            text = f"({text})"
        statement = f"r = r + {text}"
        frame = draw(st.sampled_from(FRAMES))
        if fault.store is not None:
            stores = True
            # In a function of its own, the name would be another one.
            frame = draw(st.sampled_from([it for it in FRAMES if "inner" not in it]))
            text = f"{fault.store}; {statement}"
        else:
            text = statement
        first = frame.index("{}")
        margin = " " * (first - frame.rfind("\n", 0, first) - 1)
        if margin.strip():
            margin = ""
        body.append(frame.replace("{}", text))
    text = "def step(x, y, flag=True):\n" + indent("x = x * 1\n" + "\n".join(body), "    ")
    text += "\n    return r\n"
    whole = draw(st.sampled_from(DECORATORS)).format(text)
    header = draw(st.sampled_from(IMPORTS))
    return Program(f"{header}\n\n{whole}", stores, aliased and stores)


def _comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


def _result(text: str, *, original: bool, stores: bool) -> Any:
    import jax

    with ExitStack() as stack:
        if original:
            stack.enter_context(jax.disable_jit())
            if stores:
                stack.enter_context(numpy_for_jax())
        namespace: dict[str, Any] = {"__name__": "program"}
        exec(compile(text, "<program>", "exec"), namespace)
        numpy = namespace["np"]
        made = numpy.asarray if original and stores else jax.numpy.asarray
        values = ([0.5, 2.0, -1.0], [1.5, -2.0, 0.25])
        return namespace["step"](*(made(numpy.float32(value)) for value in values))


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=[*HealthCheck])
@given(programs(), st.sampled_from([True, True, False]))
def test_what_holds_for_all_fixed_programs(program: Program, unsafe: bool) -> None:
    text = program.text
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")
        outcome = outcome_of(path, unsafe=unsafe)
        _, new = outcome.texts.get(path, (text, text))
        ast.parse(new)
        assert _comments(new) == _comments(text)
        path.write_text(new, encoding="utf-8")
        again = outcome_of(path, unsafe=unsafe)
        assert not again.texts
    assert not any(unsafe for item in again.shown if item.fix is not None)
    left = [item for item in again.shown if item.severity is Severity.ERROR]
    # Another name that sees a store is what makes its fix unsafe.
    if outcome.fixed and not left and not (unsafe and program.aliased):
        before = _result(text, original=True, stores=program.stores)
        after = _result(new, original=False, stores=program.stores)
        why = difference(snapshot(before), snapshot(after))
        assert why is None, f"{why}\n{text}\n{new}"
