"""Fix short sources in tests, as ``check --fix`` does."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from jitlint.config.configuration import Config
from jitlint.config.rule_selection import Layer, Selection
from jitlint.diagnostics import Severity
from jitlint.fixes.rounds import Fixing, Outcome, fix_all
from jitlint.run.request import Request
from jitlint.run.runner import run

PRELUDE = """\
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
"""


def select(config: Config) -> Selection:
    """All rules, infos too."""
    return config.selection(Layer(None, (), ()), Severity.INFO)


def outcome_of(path: Path, *, unsafe: bool = False) -> Outcome:
    """Fix a file or folder, without writing."""
    request = Request(paths=(path,), isolated=True)
    fixing = Fixing(request, select, unsafe, lambda _: True)
    return fix_all(fixing, run(request))


def fixed(source: str, folder: Path, *, unsafe: bool = False) -> str:
    """One source after fixing, without the usual imports, which are put before it."""
    text = PRELUDE + dedent(source)
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    outcome = outcome_of(path, unsafe=unsafe)
    _, new = outcome.texts.get(path, (text, text))
    again = path.with_name("again.py")
    again.write_text(new, encoding="utf-8")
    assert not outcome_of(again, unsafe=unsafe).texts, "a second run changes something"
    return new.removeprefix(PRELUDE)
