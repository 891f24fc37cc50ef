"""Measuring in peace."""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Iterator
from typing import Any

import jax


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Let the libraries say nothing, and JAX leave the tracebacks of what they raise alone.

    Some functions print when an option asks them to; tidying a traceback takes longer than tracing
    most calls.
    """
    config: Any = jax.config  # typed by some releases of JAX only
    before = config.jax_traceback_filtering
    config.update("jax_traceback_filtering", "off")
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        config.update("jax_traceback_filtering", before)
