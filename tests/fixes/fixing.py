"""Fix short sources in tests, as ``check --fix`` does."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

from tools.fix_proofs.listing import outcome_of

PRELUDE = """\
import jax
import jax.numpy as jnp
import numpy as np
from functools import partial
"""


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


def fixed_unsafely(source: str, folder: Path) -> str:
    """One source after its unsafe fixes, which leave it alone where they are not asked for."""
    source = dedent(source)
    assert fixed(source, folder) == source
    return fixed(source, folder, unsafe=True)
