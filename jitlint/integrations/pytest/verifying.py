"""``pytest --jitlint-verify``: the project's own tests give the calls, and these the verdicts."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from jitlint.diagnostics import Diagnostic
from jitlint.integrations.pytest.flagged_lines import Watcher, watcher
from jitlint.integrations.pytest.reports import Linted
from jitlint.integrations.pytest.signatures import arguments_of, shown, signature
from jitlint.rules.codes import OWN_FAMILY
from jitlint.source.document import is_document
from jitlint.verify.recorded import Call, Recording

#: so many tests are taken down for each report
_MOST_TESTS = 3
_OUTPUT = "jitlint_calls"


class Verifying:
    """The plugin behind the option.

    Args:
      config: pytest's.

    Raises:
      pytest.UsageError: the value of the option is no name of a file.
    """

    def __init__(self, config: pytest.Config) -> None:
        name = config.option.jitlint_verify
        if name and not name.endswith(".json"):
            raise pytest.UsageError(
                f"--jitlint-verify={name}: not the name of a .json file (write the option after "
                "the paths, or --jitlint-verify=FILE.json)"
            )
        self._config = config
        self._file = config.invocation_params.dir / name if name else None
        self._worker = hasattr(config, "workerinput")
        self._linted = Linted([config.rootpath], config.invocation_params.dir)
        self._reports = [
            item
            for item in self._linted.shown
            if not item.code.startswith(OWN_FAMILY) and not is_document(Path(item.filename))
        ]
        self._recording = Recording(config.rootpath)
        self._test: str | None = None
        self._at: dict[tuple[str, int], list[Diagnostic]] = {}
        for item in self._reports:
            for row in range(item.location.row, item.end_location.row + 1):
                self._at.setdefault((item.filename, row), []).append(item)
        self._in_the_way = False

    def _watcher(self) -> Watcher | None:
        rows: dict[str, set[int]] = {}
        for filename, row in self._at:
            rows.setdefault(filename, set()).add(row)
        return watcher({name: frozenset(found) for name, found in rows.items()}, self._reached)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Generator[None, object, object]:
        """Watch while the tests run."""
        made = self._watcher() if self._at else None
        if made is None:
            self._in_the_way = bool(self._at)
            return (yield)
        with made.installed():
            return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Know which test is running."""
        self._test = item.nodeid
        try:
            return (yield)
        finally:
            self._test = None

    def _reached(self, filename: str, row: int, frame: FrameType) -> bool:
        if self._test is None:
            return True
        wanted = False
        for item in self._at[filename, row]:
            known = self._recording.calls.setdefault(item.fingerprint, [])
            if self._test not in {call.test for call in known}:
                known.append(Call(self._test, shown(signature(arguments_of(frame)))))
            wanted |= len(known) < _MOST_TESTS
        return wanted

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand over what was seen: to the first process, or to the file."""
        if self._worker:
            output: dict[str, Any] = session.config.workeroutput  # type: ignore[attr-defined]
            output[_OUTPUT] = self._recording.to_json()
        elif self._file is not None:
            text = json.dumps(self._recording.to_json(), indent=2)
            self._file.write_text(text, encoding="utf-8")

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        """Take over what a process of pytest-xdist has seen."""
        values = getattr(node, "workeroutput", {}).get(_OUTPUT)
        if values is not None:
            self._recording.add(Recording.from_json(values).calls)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Verify with what was seen, and write the verdicts."""
        if self._worker:
            return
        write = terminalreporter.write_line
        terminalreporter.section("jitlint: verdicts from these tests")
        if not self._reports:
            write("Nothing is reported, so there is nothing to verify.")
            return
        if self._in_the_way:
            write("Another tool traces this Python (coverage, a debugger): nothing was seen.")
            return
        reached = [item for item in self._reports if self._recording.calls.get(item.fingerprint)]
        for line in self._verdicts(reached):
            write(line)
        left = len(self._reports) - len(reached)
        if left:
            write(f"Of {len(self._reports)} reports, {left} were not reached under a trace.")

    def _verdicts(self, reached: list[Diagnostic]) -> list[str]:
        if not reached:
            return []
        from jitlint.output.colors import Painter
        from jitlint.verify.plan import Plan
        from jitlint.verify.session import verify
        from jitlint.verify.verdict_text import render

        run = self._linted.run
        plan = Plan(
            root=run.root,
            files=[path for path in run.targets if not is_document(path)],
            reports=reached,
            everything=run.diagnostics,
            recorded=self._recording,
        )
        verified = verify(plan)
        painter = Painter(False)
        lines = list(render(verified, self._config.invocation_params.dir, painter, summary=True))
        return [*lines, *(f"not run: {line}" for line in verified.not_run)]
