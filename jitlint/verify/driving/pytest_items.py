"""The tests of a project that need pytest to be run: those with fixtures.

Runs in a child process only.  pytest itself collects them, makes their fixtures (those of
``conftest.py``, parametrised ones, its own) and runs them, so that nothing about them is invented
here; where pytest is not installed, there are none.  Each test is handed out as one more way to run
code, to be run as often as is needed.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jitlint.verify.driving.drivers import Driver, of_test

#: told of each test; whether to go on
Take = Callable[[Driver], bool]

# Settings of the project that start processes, measure or report are left out with `addopts`; the
# plugins named here set alarms and signal handlers of their own.
_OPTIONS = (
    *("-q", "--no-header", "--no-summary", "--assert=plain", "--capture=no", "-o", "addopts="),
    *("-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:timeout"),
    *("-p", "no:unraisableexception", "-p", "no:threadexception"),
)
#: how many tests are run for one module
MOST_ITEMS = 60


def run_items(
    names: Sequence[str],
    root: Path,
    take: Take,
    *,
    chosen: bool = False,
    most: int | None = MOST_ITEMS,
) -> str | None:
    """Let pytest collect tests, and hand out those with fixtures.

    Args:
      names: the test files, or tests in them as pytest names them.
      root: the project's root.
      take: runs a test; what it returns says whether to go on.
      chosen: hand out those without fixtures, too.
      most: how many; None for all.

    Returns:
      Why there are none; None where some were handed out, or none has fixtures.
    """
    try:
        pytest = importlib.import_module("pytest")
    except ImportError:
        return "pytest is not installed, so that tests with fixtures cannot be run"
    # Plugins of pytest look here for processes that share the work.
    os.environ.pop("PYTEST_XDIST_WORKER", None)
    items = _Items(take, chosen, most)
    found = [name for name in names if Path(name.partition("::")[0]).exists()]
    pytest.main([*_OPTIONS, f"--rootdir={root}", *found], plugins=[items])
    return None


class _Items:
    """A plugin that runs the collected tests in place of pytest's own loop."""

    def __init__(self, take: Take, chosen: bool, most: int | None) -> None:
        self._take = take
        self._chosen = chosen
        self._most = most
        self._error: BaseException | None = None

    def pytest_runtestloop(self, session: Any) -> bool:
        """Hand out the tests; pytest's own loop then does nothing."""
        chosen = [item for item in session.items if self._chosen or _fixtures(item)]
        for item in chosen[: self._most]:

            def run(turn: int, item: Any = item) -> None:
                self._run(item)

            name = f"test {Path(str(item.path)).name}::{_inner_name(item)}"
            code = of_test(str(item.path), _inner_name(item))
            if not self._take(Driver(name, run, code=code)):
                break
        return True

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """Remember what a test has raised; its own part comes before its teardown."""
        if call.excinfo is not None and self._error is None:
            self._error = call.excinfo.value

    def _run(self, item: Any) -> None:
        self._error = None
        # Without a next test all fixtures are torn down, so that the next run makes them anew.
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        error, self._error = self._error, None
        if error is not None:
            raise error


def _fixtures(item: Any) -> set[str]:
    """The fixtures that a test asks for, directly or through others."""
    parameters = getattr(getattr(item, "callspec", None), "params", {})
    indirect = set(getattr(item, "fixturenames", ())) - set(parameters)
    made = set(getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {}))
    return (indirect | (made & set(parameters))) - {"request"}


def _inner_name(item: Any) -> str:
    return str(item.nodeid).partition("::")[2] or str(item.name)
