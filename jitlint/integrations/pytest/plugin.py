"""What pytest loads at every start: options, a fixture and a marker, each in a few lines.

Everything else is imported once an option, the fixture or the marker asks for it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from jitlint.integrations.pytest.promises import JitClean

_MARKER = "jit_clean"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("jitlint", "jitlint: Python that JAX cannot trace")
    group.addoption(
        "--jitlint",
        action="store_true",
        help="lint every file that pytest comes by; each report is a test path::CODE::row",
    )
    group.addoption(
        "--jitlint-verify",
        nargs="?",
        const="",
        metavar="FILE.json",
        help="watch which reported lines the tests run under a trace, and give verdicts from "
        "these calls; with =FILE.json, keep them for 'jitlint verify --recorded FILE.json'",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register what the options ask for."""
    config.addinivalue_line(
        "markers",
        f"{_MARKER}(max_traces=1, no_leaks=True, same_as_eager=True): what the test promises of "
        "the functions that it jits: how often each is traced, that no tracer outlives its trace, "
        "and that the test passes without jit too",
    )
    if config.option.jitlint:
        from jitlint.integrations.pytest.reports import Reports

        config.pluginmanager.register(Reports(config), "jitlint-reports")
    if config.option.jitlint_verify is not None:
        from jitlint.integrations.pytest.verifying import Verifying

        config.pluginmanager.register(Verifying(config), "jitlint-verifying")


@pytest.fixture
def jit_clean(request: pytest.FixtureRequest) -> Iterator[JitClean]:
    """Call a function under ``jax.jit``, and fail where it retraces, leaks or differs from eager.

    ``jit_clean(f, *args, **kwargs)`` gives what ``f`` gives. The marker of the same name says what
    is promised: ``@pytest.mark.jit_clean(max_traces=2)``.
    """
    from jitlint.integrations.pytest.promises import JitClean, promises_of

    yield JitClean(promises_of(request.node.get_closest_marker(_MARKER)))


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Watch a marked test that does not use the fixture."""
    marker = pyfuncitem.get_closest_marker(_MARKER)
    if marker is None or _MARKER in pyfuncitem.fixturenames:
        return (yield)
    from jitlint.integrations.pytest.promises import promises_of, run_watched

    with run_watched(pyfuncitem, promises_of(marker)):
        return (yield)
