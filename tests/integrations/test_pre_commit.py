"""The hook for pre-commit, and what pre-commit does to a run: batches of names, anywhere cut."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
from pathlib import Path

import pytest

from jitlint.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
HOOKS = ROOT / ".pre-commit-hooks.yaml"


def entry(hook: str) -> list[str]:
    text = HOOKS.read_text(encoding="utf-8")
    entries = re.findall(r"^- id: (.*)$(?:\n  .*$)*?\n  entry: (.*)$", text, re.MULTILINE)
    program, *arguments = shlex.split(dict(entries)[hook])
    assert program == "jitlint"
    return arguments


@pytest.mark.skipif(
    importlib.util.find_spec("pre_commit") is None, reason="pre-commit is not installed"
)
def test_the_hook_is_well_formed():
    from pre_commit.clientlib import load_manifest

    assert [hook["id"] for hook in load_manifest(str(HOOKS))] == [
        "jitlint",
        "jitlint-files",
        "jitlint-fix",
    ]


def test_fixes_are_made_wherever_reports_are_made():
    types = re.findall(r"^  types_or: (.*)$", HOOKS.read_text(encoding="utf-8"), re.MULTILINE)
    whole_project, _, fixing = types
    assert fixing == whole_project


def batches(project: Path, size: int) -> list[str]:
    """Every file by name, in batches."""
    names = sorted(str(path.relative_to(project)) for path in project.rglob("*.py"))
    return [names[start : start + size] for start in range(0, len(names), size)]


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text("[tool.jitlint]\nextend-exclude = ['generated']\n")
    package = tmp_path / "package"
    package.mkdir()
    (tmp_path / "generated").mkdir()
    (package / "__init__.py").write_text("")
    for number in range(7):
        (package / f"m{number}.py").write_text(
            f"from package.m{number + 1} import f{number + 1}\n\n\n"
            f"def f{number}(x):\n    return f{number + 1}(x) + float(x)\n"
        )
    (package / "m7.py").write_text("def f7(x):\n    return bool(x)\n")
    (tmp_path / "run.py").write_text(
        "import jax\nfrom package.m0 import f0\n\nprint(jax.jit(f0)(1.0))\n"
    )
    (tmp_path / "generated" / "bad.py").write_text("import jax\ndef (:\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_batches_report_what_one_run_reports(project, size, capsys):
    def reports(*paths: str) -> list[tuple[str, int, str, str]]:
        arguments = [*entry("jitlint-files"), "--output-format", "json", *paths]
        assert main(arguments) in (0, 1)
        return [
            (item["filename"], item["location"]["row"], item["code"], item["fingerprint"])
            for item in json.loads(capsys.readouterr().out)
        ]

    whole = reports(".")
    assert len(whole) == 8
    assert sorted(sum((reports(*names) for names in batches(project, size)), [])) == whole


def test_an_edit_that_makes_another_file_hostile(project, capsys):
    """What pre-commit would run when only ``run.py`` is committed."""
    (project / "run.py").write_text("from package.m0 import f0\n\nprint(f0(1.0))\n")
    assert main(entry("jitlint")) == 0
    (project / "run.py").write_text(
        "import jax\nfrom package.m0 import f0\n\nprint(jax.jit(f0)(1.0))\n"
    )
    assert main(entry("jitlint")) == 1
    assert main([*entry("jitlint-files"), "run.py"]) == 0
    assert "m7.py" in capsys.readouterr().out


def test_the_hook_that_fixes(project, capsys):
    module = project / "run.py"
    module.write_text(
        "import jax\n\n\n@jax.jit\ndef f(x):\n    x = x * 2\n    x[0] = 1\n    return x\n"
    )
    assert main(entry("jitlint-fix")) == 0
    assert "x = x.at[0].set(1)" in module.read_text()
    assert "Fixed 1 report. All checks passed!" in capsys.readouterr().out
