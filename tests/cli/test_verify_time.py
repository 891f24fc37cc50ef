"""The time that ``jitlint verify`` names is what its user has waited."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from jitlint.cli import verify as module
from jitlint.cli.main import main


def test_the_time_of_verify_is_that_of_the_whole_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pyproject.toml").write_text("")
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    analysed = module.run_request

    def slow(*arguments: Any) -> Any:
        time.sleep(0.6)
        return analysed(*arguments)

    monkeypatch.setattr(module, "run_request", slow)
    start = time.monotonic()
    assert main(["verify", "--no-cache", "--output-format", "json", str(path)]) == 0
    waited = time.monotonic() - start
    assert 0.6 <= json.loads(capsys.readouterr().out)["seconds"] <= waited + 0.01
    assert main(["verify", "--no-cache", str(path)]) == 0
    said = capsys.readouterr().out
    assert float(said.rpartition("; ")[2].split(" s")[0]) >= 0.6
