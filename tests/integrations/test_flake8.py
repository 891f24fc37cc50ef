"""The flake8 plugin, driven through flake8 itself."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.commands import jitlint

ROOT = Path(__file__).resolve().parents[2]
# Where jitlint is not installed, flake8 is told of the plugin by its configuration.
INSTALLED = any(
    point.value.startswith("jitlint.") for point in entry_points(group="flake8.extension")
)
PLUGIN = f"""
[flake8:local-plugins]
extension = JIT = jitlint.integrations.flake8:Plugin
paths = {ROOT}
"""
TRAIN = """\
import jax
from steps import halve, tell

@jax.jit
def train(x):
    if x > 0:
        return halve(x)
    return tell(x, 3)
"""
STEPS = """\
def halve(y):
    return float(y) / 2


def tell(y, n):
    print("step", n)
    return y
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'p'\n")
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "steps.py").write_text(STEPS)
    configure(tmp_path, "select = JIT")
    return tmp_path


def configure(project: Path, *lines: str) -> None:
    text = "[flake8]\n" + "\n".join(lines) + "\n"
    (project / ".flake8").write_text(text if INSTALLED else text + PLUGIN)


def flake8(project: Path, *arguments: str, text: str = "") -> list[str]:
    done = finished(project, *arguments, text=text)
    assert done.stderr == ""
    return sorted(done.stdout.splitlines())


def finished(project: Path, *arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
    form = "--format=%(path)s:%(row)d:%(col)d %(code)s"
    return jitlint(form, *arguments, cwd=project, stdin=text, module="flake8")


ALL = ["./steps.py:2:12 JIT105", "./train.py:6:8 JIT101"]


def test_modules_are_followed_though_files_come_one_at_a_time(project):
    assert flake8(project) == ALL
    assert flake8(project, "-j1") == ALL
    assert flake8(project, "steps.py") == ["steps.py:2:12 JIT105"]


def test_several_processes(project):
    assert flake8(project, "-j3") == ALL


@pytest.mark.parametrize("lines", [(), ("ignore = E501",), ("extend-select = JIT2",)])
def test_warnings_and_errors_are_on_and_advice_is_off(project, lines):
    configure(project, *lines)
    found = [line for line in flake8(project) if " JIT" in line]
    assert found == ALL


@pytest.mark.parametrize("option", ["--extend-select=JIT201", "--select=JIT101,JIT105,JIT201"])
def test_advice_that_is_asked_for_by_its_exact_code(project, option):
    configure(project)
    found = [line for line in flake8(project, option) if " JIT" in line]
    assert found == [ALL[0], "./steps.py:6:5 JIT201", ALL[1]]


def test_selection_is_that_of_flake8(project):
    assert flake8(project, "--ignore=JIT101") == ALL[:1]
    assert flake8(project, "--select=JIT10", "--extend-ignore=JIT105") == ALL[1:]
    assert flake8(project, "--select=E9") == []
    configure(project, "select = JIT", "per-file-ignores = steps.py:JIT1")
    assert flake8(project) == ALL[1:]
    configure(project, "select = JIT", "exclude = train.py")
    assert flake8(project) == ALL[:1]


def test_selection_of_jitlint_does_not_count(project):
    (project / "pyproject.toml").write_text("[tool.jitlint]\nignore = ['JIT1']\nexclude = ['*']\n")
    assert flake8(project) == ALL


def test_import_roots_and_own_transforms_come_from_jitlint(project):
    (project / "pyproject.toml").write_text(
        "[tool.jitlint]\nsrc = ['lib']\ntraced-callables = { 'fast.compiled' = 0 }\n"
    )
    (project / "lib" / "inner").mkdir(parents=True)
    (project / "lib" / "inner" / "deep.py").write_text("def f(x):\n    return bool(x)\n")
    (project / "a.py").write_text(
        "import jax\nimport fast\nfrom inner.deep import f\n\n"
        "@fast.compiled\ndef g(x):\n    return f(x * 2)\n"
    )
    assert flake8(project, "a.py", "lib") == ["lib/inner/deep.py:2:12 JIT105"]


def test_noqa_is_that_of_flake8(project):
    text = TRAIN.replace("x > 0:", "x > 0:  # noqa: JIT101")
    (project / "train.py").write_text(text)
    assert flake8(project) == ALL[:1]
    assert flake8(project, "--disable-noqa") == ALL
    (project / "train.py").write_text(TRAIN.replace("x > 0:", "x > 0:  # noqa"))
    assert flake8(project) == ALL[:1]
    (project / "train.py").write_text("# flake8: noqa\n" + TRAIN)
    assert flake8(project) == ALL[:1]


def test_own_comments(project):
    (project / "train.py").write_text(TRAIN.replace("x > 0:", "x > 0:  # jitlint: ignore[JIT1]"))
    assert flake8(project) == ALL[:1]
    (project / "train.py").write_text("# jitlint: ignore-file\n" + TRAIN)
    assert flake8(project) == ALL[:1]


def test_comments_that_silence_nothing(project):
    (project / "steps.py").write_text(STEPS.replace("return y\n", "return y  # noqa: JIT101\n"))
    assert flake8(project) == [ALL[0], "./steps.py:7:15 JIT902", ALL[1]]
    # Whether it is needed cannot be told where the rule is off.
    assert flake8(project, "--extend-ignore=JIT101") == ALL[:1]
    configure(project, "select = JIT", "per-file-ignores = steps.py:JIT101")
    assert flake8(project) == ALL


def test_standard_input(project):
    unsaved = TRAIN.replace("x > 0", "x > 0 and x < 3").replace("import jax", "import jax  # é")
    named = flake8(project, "--stdin-display-name", "train.py", "-", text=unsaved)
    assert named == ["train.py:6:8 JIT101"]
    assert flake8(project, "-", text=TRAIN) == ["stdin:6:8 JIT101"]
    cookie = "# coding: latin-1\n" + TRAIN
    assert flake8(project, "--stdin-display-name=train.py", "-", text=cookie) == [
        "train.py:7:8 JIT101"
    ]


def test_what_flake8_tells_of_itself_is_left_to_it(project):
    (project / "train.py").write_text("def f(:\n")
    (line,) = flake8(project, "--select=E9,JIT")
    assert line.startswith("./train.py:1:") and line.endswith(" E999")
    assert flake8(project, "--select=E9,JIT", "gone.py") == ["gone.py:0:1 E902"]


def test_syntax_that_only_the_compiler_refuses(project):
    (project / "train.py").write_text("import jax\nreturn 1\n")
    assert flake8(project, "train.py") == ["train.py:2:1 JIT901"]


def test_a_wrong_configuration_of_jitlint(project):
    (project / "pyproject.toml").write_text("[tool.jitlint]\nselec = ['JIT1']\n")
    done = finished(project)
    assert done.returncode == 1
    assert "jitlint: " in done.stdout + done.stderr
    assert "unknown key 'selec'" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_links_and_odd_names(project):
    (project / "b é.py").symlink_to("train.py")
    assert flake8(project) == ["./b é.py:6:8 JIT101", *ALL]


def test_a_project_without_jax_is_only_read(project):
    # Where the plugin is installed, parsing the options has it analyse the project, and keep that.
    (project / "train.py").write_text("import steps\n")
    program = (
        "import sys\n"
        "from flake8.options.parse_args import parse_args\n"
        "from jitlint.foundation import forks\n"
        "from jitlint.integrations.flake8 import Plugin, _Session\n"
        "from jitlint.project import project\n"
        "parsed = []\n"
        "project.parse = lambda path, *more, **options: parsed.append(path)\n"
        "forks.can_fork = lambda: False  # so that the work is done where it can be seen\n"
        "_, options = parse_args(['.'])\n"
        "_Session(options).analyse()\n"
        "print(len(parsed), 'jitlint.absint' in sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=project, capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.split() == ["0", "False"], done.stderr
