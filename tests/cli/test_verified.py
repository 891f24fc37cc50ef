"""`check --verified`: what was refuted is left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from jitlint.cli.main import main

CODE = """\
import jax

@jax.jit
def f(x, y):
    if x > 0:
        return y
    while y > 0:
        y = y - 1
    return y
"""


def _report(fingerprint: str, *verdicts: str) -> dict[str, object]:
    return {"fingerprint": fingerprint, "verdicts": [{"verdict": v} for v in verdicts]}


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "module.py"
    path.write_text(CODE)
    return path


def _check(module: Path, capsys: pytest.CaptureFixture[str], *options: str) -> list[dict[str, str]]:
    main(["check", "--isolated", "--output-format", "json", str(module), *options])
    found: list[dict[str, str]] = json.loads(capsys.readouterr().out)
    return found


def test_refuted_reports_are_left_out(
    module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = (item["fingerprint"] for item in _check(module, capsys))
    verified = tmp_path / "verified.json"
    for verdicts, left in (
        ((("refuted",), ("confirmed",)), [second]),
        ((("refuted", "confirmed"), ("refuted", "not-reached")), [first]),
        ((("inconclusive",), ()), [first, second]),
    ):
        reports = [_report(first, *verdicts[0]), _report(second, *verdicts[1])]
        verified.write_text(json.dumps({"reports": reports}))
        found = _check(module, capsys, "--verified", str(verified))
        assert [item["fingerprint"] for item in found] == left


@pytest.mark.parametrize("text", [None, "no json", "[]", '{"reports": [{}]}'])
def test_wrong_files(
    module: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    verified = tmp_path / "verified.json"
    if text is not None:
        verified.write_text(text)
    assert main(["check", str(module), "--verified", str(verified)]) == 2
    assert "--verified" in capsys.readouterr().err
