"""The pytest plugin, in runs of pytest of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = "jitlint.integrations.pytest.plugin"
STEPS = """\
import jax
import jax.numpy as jnp


@jax.jit
def clipped(x):
    if x.sum() > 1:
        return x
    return -x


@jax.jit
def shown(x):
    print(x)
    return x + 1
"""


class Ran:
    def __init__(self, folder: Path, *options: str, python: tuple[str, ...] = ()) -> None:
        environment = {
            **{key: value for key, value in os.environ.items() if not key.startswith("PYTEST")},
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join((str(ROOT), str(folder))),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        result = subprocess.run(
            [sys.executable, *python, "-m", "pytest", "-p", PLUGIN, "-q", "-ra", *options],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        self.code = result.returncode
        self.text = result.stdout + result.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[tool.pytest.ini_options]\n", encoding="utf-8")
    (tmp_path / "steps.py").write_text(STEPS, encoding="utf-8")
    (tmp_path / "clean.py").write_text("import jax\n\nstep = jax.jit(lambda x: x)\n", "utf-8")
    return tmp_path


def write_test(project: Path, text: str) -> None:
    (project / "test_it.py").write_text(text, encoding="utf-8")


def test_the_package_names_the_plugin() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert settings["project"]["entry-points"]["pytest11"] == {"jitlint": PLUGIN}


def test_without_its_options_nothing_is_imported(project: Path) -> None:
    write_test(
        project,
        "import sys\n\ndef test_modules():\n"
        "    ours = {name for name in sys.modules if name.startswith('jitlint')}\n"
        f"    assert ours == {{'jitlint', 'jitlint.integrations', "
        f"'jitlint.integrations.pytest', '{PLUGIN}'}}\n"
        "    assert 'libcst' not in sys.modules and 'jax' not in sys.modules\n",
    )
    ran = Ran(project)
    assert ran.code == 0, ran.text


def test_reports_are_tests(project: Path) -> None:
    ran = Ran(project, "--jitlint", ".")
    assert ran.code == 1, ran.text
    assert "FAILED steps.py::JIT101::7" in ran.text
    assert "FAILED steps.py::JIT201::14" in ran.text
    assert "error[JIT101]: `x.sum() > 1` is traced here" in ran.text
    assert "steps.py:6:13: `x` is a parameter of the traced function" in ran.text
    assert "2 failed, 1 passed" in ran.text


@pytest.mark.jax
def test_reports_are_selected_like_tests(project: Path) -> None:
    assert "1 failed, 2 deselected" in Ran(project, "--jitlint", "-k", "JIT101", ".").text
    one = Ran(project, "--jitlint", "steps.py::JIT201::14")
    assert "1 failed" in one.text and "JIT101" not in one.text
    Ran(project, "--jitlint", ".")
    mended = STEPS.replace("    if x.sum() > 1:\n        return x\n", "")
    (project / "steps.py").write_text(mended.replace("    print(x)\n", ""), encoding="utf-8")
    assert Ran(project, "--jitlint", "--lf", ".").code == 0


@pytest.mark.jax
def test_two_reports_in_a_row_are_two_tests(project: Path) -> None:
    text = "import jax\n\n\n@jax.jit\ndef f(x, y):\n    return float(x) + float(y)\n"
    (project / "steps.py").write_text(text, encoding="utf-8")
    ran = Ran(project, "--jitlint", "steps.py")
    assert "steps.py::JIT105::6 " in ran.text and "steps.py::JIT105::6:23" in ran.text


def test_a_project_without_reports_passes(project: Path) -> None:
    (project / "steps.py").unlink()
    ran = Ran(project, "--jitlint", ".")
    assert ran.code == 0 and "1 passed" in ran.text


def test_a_wrong_configuration_is_said(project: Path) -> None:
    (project / "jitlint.toml").write_text("selct = []\n", encoding="utf-8")
    ran = Ran(project, "--jitlint", ".")
    assert ran.code == 4 and "selct" in ran.text


PROMISES = """\
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest

kept = []


def double(x, n=2):
    return x * n


@partial(jax.jit, static_argnames="n")
def scaled(x, n):
    return {"y": x["a"] * n}


def test_holds(jit_clean):
    assert jit_clean(double, jnp.ones(3)).shape == (3,)
    jit_clean(double, jnp.zeros(3))


def test_shape(jit_clean):
    jit_clean(double, jnp.ones(3))
    jit_clean(double, jnp.ones(4))


def test_dtype(jit_clean):
    jit_clean(scaled, {"a": jnp.ones(3)}, 2)
    jit_clean(scaled, {"a": jnp.ones(3, int)}, 2)


def test_static(jit_clean):
    jit_clean(scaled, {"a": jnp.ones(3)}, 4)
    jit_clean(scaled, {"a": jnp.ones(3)}, 5)


def test_structure(jit_clean):
    jit_clean(scaled, {"a": jnp.ones(3)}, 6)
    jit_clean(scaled, {"a": jnp.ones(3), "b": 1.0}, 6)


def test_weak(jit_clean):
    jit_clean(double, 1.0)
    jit_clean(double, jnp.float32(1))


@pytest.mark.jit_clean(max_traces=2)
def test_two_are_allowed(jit_clean):
    jit_clean(double, jnp.ones(3))
    jit_clean(double, jnp.ones(4))


def test_leak(jit_clean):
    def leaky(x):
        kept.append(x * 2)
        return x

    jit_clean(leaky, 1.0)


def test_differs(jit_clean):
    def drawn(x):
        return x + np.random.normal()

    jit_clean(drawn, 1.0)


@pytest.mark.jit_clean
def test_marked_identity():
    for _ in range(3):
        jax.jit(lambda x: x + 1)(1.0)


@pytest.mark.jit_clean
def test_marked_shape():
    step = jax.jit(double)
    step(jnp.ones(3))
    step(jnp.ones((2, 3)))


@pytest.mark.jit_clean(same_as_eager=False)
def test_marked_leak():
    @jax.jit
    def leaky(x):
        kept.append(x * 2)
        return x

    leaky(1.0)


class Model:
    def __init__(self):
        self.last = None
        self.step = jax.jit(self._step)

    def _step(self, x):
        self.last = x * 2
        return x


class TestModel:
    @pytest.mark.jit_clean
    def test_marked_object(self):
        model = Model()
        assert model.step(1.0) == 1.0


@pytest.mark.jit_clean
def test_marked_closure():
    mine = []

    @jax.jit
    def leaky(x):
        mine.append(x * 2)
        return x

    leaky(1.0)


@pytest.mark.jit_clean
def test_marked_forgets():
    model = Model()
    model.step(1.0)
    model.last = None


@pytest.mark.jit_clean
def test_marked_holds():
    step = jax.jit(jax.value_and_grad(lambda x: double(x).sum()))
    for _ in range(3):
        step(jnp.ones(3))


@pytest.mark.jit_clean
def test_marked_differs():
    seen = []

    @jax.jit
    def f(x):
        seen.append(1)
        return x

    f(1.0)
    f(1.0)
    assert len(seen) == 1
"""


@pytest.mark.jax
def test_promises(project: Path) -> None:
    write_test(project, PROMISES)
    ran = Ran(project, "--tb=short", "-p", "no:cacheprovider", "-rA")

    def said(name: str) -> str:
        _, _, rest = ran.text.partition(f"_ {name} _")
        return rest.partition("\n____")[0]

    for name in ("holds", "two_are_allowed", "marked_holds", "marked_forgets"):
        assert f"PASSED test_it.py::test_{name}" in ran.text, ran.text
    assert "`x` changed its shape from float32[3] to float32[4]" in said("test_shape")
    assert "`x['a']` changed its dtype from float32[3] to int32[3]" in said("test_dtype")
    assert "`n` is static, and its value changed from 4 to 5" in said("test_static")
    assert "the structure changed: with `x['b']`" in said("test_structure")
    assert "`x` was a Python number and is an array (float32[])" in said("test_weak")
    assert "double (" in said("test_shape") and "was traced 2 times" in said("test_shape")
    assert "float32[] is kept in test_it.kept[" in said("test_leak")
    assert "differs under jit" in said("test_differs")
    identity = said("test_marked_identity")
    assert "was traced 3 times" in identity and "the function itself is a new object" in identity
    assert "changed its shape from float32[3] to float32[2,3]" in said("test_marked_shape")
    assert "is kept in test_it.kept[" in said("test_marked_leak")
    assert "float32[] is kept in Model.last" in said("TestModel.test_marked_object")
    assert "float32[] is kept in mine of test_marked_closure" in said("test_marked_closure")
    assert "passes under jit and fails without it: AssertionError" in said("test_marked_differs")


def test_a_marker_that_says_something_else(project: Path) -> None:
    write_test(
        project,
        "import pytest\n\n@pytest.mark.jit_clean(max_trace=1)\ndef test_x(jit_clean):\n    pass\n",
    )
    ran = Ran(project)
    assert ran.code and "unexpected keyword argument 'max_trace'" in ran.text


TESTS = """\
import jax.numpy as jnp
import pytest

import steps


@pytest.mark.parametrize("size", [3, 4])
def test_shown(size):
    steps.shown(jnp.ones(size))
"""


@pytest.mark.jax
def test_the_tests_give_the_verdicts(project: Path) -> None:
    write_test(project, TESTS)
    ran = Ran(project, "test_it.py", "--jitlint-verify=recorded.json")
    assert ran.code == 0, ran.text
    assert "confirmed" in ran.text and "test_it.py::test_shown[" in ran.text
    assert "Of 2 reports, 1 were not reached under a trace." in ran.text
    recorded = json.loads((project / "recorded.json").read_text(encoding="utf-8"))
    (calls,) = recorded["reports"].values()
    assert calls == [
        {"test": "test_it.py::test_shown[3]", "arguments": "x: float32[3]"},
        {"test": "test_it.py::test_shown[4]", "arguments": "x: float32[4]"},
    ]
    command = [sys.executable, "-m", "jitlint", "verify", "--recorded", "recorded.json", "steps.py"]
    replayed = subprocess.run(
        [*command, "--output-format", "json"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert replayed.returncode == 1, replayed.stderr
    verdicts = {
        report["code"]: report["verdicts"][0]["verdict"]
        for report in json.loads(replayed.stdout)["reports"]
    }
    assert verdicts == {"JIT101": "not-reached", "JIT201": "confirmed"}


def test_a_path_is_not_taken_for_the_file(project: Path) -> None:
    ran = Ran(project, "--jitlint-verify", "steps.py")
    assert ran.code == 4 and "write the option after the paths" in ran.text


def test_a_file_that_is_no_recording(project: Path) -> None:
    from jitlint.usage_errors import UsageError
    from jitlint.verify.recorded import read

    (project / "a.json").write_text("[]", encoding="utf-8")
    for name in ("a.json", "missing.json"):
        with pytest.raises(UsageError, match="--recorded"):
            read(project / name)
