"""What other files than Python's say of x64: they change reports, whatever was kept before."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import pytest

from jitlint.analysis.engine import analyze
from jitlint.cli.main import main
from jitlint.jaxmodel.wide_dtypes import knows_x64

SOURCE = "import jax.numpy as jnp\n\n\ndef zeros(n):\n    return jnp.zeros(n, dtype=jnp.float64)\n"


@pytest.fixture
def project(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'doubles'\n")
    (tmp_path / "doubles.py").write_text(SOURCE)
    for folder in (tmp_path, tmp_path / "tests"):
        folder.mkdir(exist_ok=True)
        (folder / "test_zeros.py").write_text("import doubles\n")
    (tmp_path / ".github").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JITLINT_CACHE_DIR", raising=False)
    return tmp_path


def _age(root: Path) -> None:
    """Let nobody have touched anything for an hour, so that times tell what has changed."""
    for path in (root, *root.rglob("*")):
        os.utime(path, (time.time() - 3600,) * 2)


def _codes(capsys, *options: str) -> list[str]:
    main(["check", "--output-format", "json", *options])
    return [report["code"] for report in json.loads(capsys.readouterr().out)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tox.ini", "[testenv]\nsetenv =\n    JAX_ENABLE_X64 = 1\n"),
        ("Makefile", "test:\n\tJAX_ENABLE_X64=True pytest\n"),
        (".github/workflows/test.yml", "env:\n  JAX_ENABLE_X64: '1'\n"),
        (".gitlab-ci.yml", "variables:\n  JAX_ENABLE_X64: 1\n"),
        ("Dockerfile", "ENV JAX_ENABLE_X64=1\n"),
        ("scripts/run.sh", "export JAX_ENABLE_X64=true\n"),
        ("README.md", "Run it with `JAX_ENABLE_X64=1`.\n"),
        ("setup.cfg", "[tool:pytest]\nenv = JAX_ENABLE_X64=1\n"),
        ("tests/conftest.py", "import jax\n\njax.config.update('jax_enable_x64', True)\n"),
        ("other.py", "import doubles, os\n\nos.environ['JAX_ENABLE_X64'] = '1'\n"),
        ("context.py", "import doubles, jax\n\nwith jax.enable_x64():\n    pass\n"),
    ],
)
def test_a_file_that_comes_and_goes(project, name, text, capsys):
    assert _codes(capsys) == ["JIT403"]
    _age(project)
    assert _codes(capsys) == ["JIT403"]
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    assert _codes(capsys) == _codes(capsys, "--no-cache") == []
    _age(project)
    assert _codes(capsys) == []
    path.unlink()
    assert _codes(capsys) == _codes(capsys, "--no-cache") == ["JIT403"]


def test_a_program_beside_a_package_that_nothing_runs(tmp_path, monkeypatch, capsys):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'doubles'\n")
    (tmp_path / "doubles").mkdir()
    (tmp_path / "doubles" / "__init__.py").write_text("")
    (tmp_path / "doubles" / "made.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("JITLINT_CACHE_DIR", raising=False)
    program = tmp_path / "main.py"
    for setting, codes in (("1", []), ("0", ["JIT403"]), ("1", [])):
        program.write_text(f"import os\n\nos.environ['JAX_ENABLE_X64'] = '{setting}'\n")
        assert _codes(capsys) == _codes(capsys, "--no-cache") == codes
        _age(tmp_path)
        assert _codes(capsys) == codes
    program.unlink()
    assert _codes(capsys) == _codes(capsys, "--no-cache") == ["JIT403"]


def test_a_file_that_changes(project, capsys):
    settings = project / "tox.ini"
    settings.write_text("[testenv]\nsetenv =\n    JAX_ENABLE_X64 = 0\n")
    _age(project)
    assert _codes(capsys) == ["JIT403"]
    settings.write_text("[testenv]\nsetenv =\n    JAX_ENABLE_X64 = 1\n")
    assert _codes(capsys) == []


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ('jax.config.update("jax_enable_x64", True)', True),
        ('jax.config.update("jax_enable_x64", options.double)', True),
        ('jax.config.update(\n    "jax_enable_x64",\n    False,\n)', False),
        ("jax.config.jax_enable_x64 = True", True),
        ("if jax.config.x64_enabled:", True),
        ("with jax.enable_x64(False):", False),
        ("with enable_x64():", True),
        ('os.environ["JAX_ENABLE_X64"] = "true"', True),
        ('os.environ["JAX_ENABLE_X64"] = "0"', False),
        ("JAX_ENABLE_X64=false", False),
        ("numpyro.enable_x64()", True),
        ("import jax\nif x.dtype == jnp.float64:", True),
        ("if x.dtype == np.float64:", False),
        ("import jax\nif labels.dtype in (a, b) or labels.dtype == jnp.int64:", False),
        ("import jax\nimport klujax\n", True),
        ("    from netket.operator import Ising", True),
        ("from jax_fem.solver import solver", True),
        ("from jax_fem.utils import save_sol", False),
        ("import qutip_jax", True),
        ("import pymc.sampling.jax as pmjax", True),
        ("from description import text", False),
        ("import pymc as pm", False),
        ("runs-on: ubuntu-x64", False),
        ("images of 64x64 pixels", False),
    ],
)
def test_what_tells_of_x64(text, known):
    assert knows_x64([text]) is known


def test_a_project_that_is_such_a_package_says_itself_what_it_turns_on(tmp_path: Path) -> None:
    """An older state of a package may not have done so yet."""
    module = "import jax.numpy as jnp\nimport jaxsim.clock\n\nSTART = jnp.zeros(3, jnp.float64)\n"
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "start.py").write_text(module)
    assert not analyze(root=tmp_path, targets=[tmp_path]).diagnostics
    (tmp_path / "jaxsim").mkdir()
    (tmp_path / "jaxsim" / "__init__.py").touch()
    (tmp_path / "jaxsim" / "clock.py").write_text("NANOSECONDS = 1\n")
    found = analyze(root=tmp_path, targets=[tmp_path]).diagnostics
    assert [diagnostic.code for diagnostic in found] == ["JIT403"]


MEASURED = """\
import time

import doubles
import jax


def measure(x):
    doubles.step(x).block_until_ready()
    start = time.perf_counter()
    y = doubles.step(x)
    print(time.perf_counter() - start)
    return y


measure(jax.numpy.ones(9))
"""


@pytest.mark.parametrize(
    ("name", "text", "waits"),
    [
        ("run.py", "import bench, jax\n\njax.config.update('jax_debug_nans', True)\n", True),
        ("run.py", "import bench, jax\n\njax.config.update('jax_debug_nans', False)\n", False),
        ("run.py", "import bench, jax\n\njax.config.update('jax_disable_jit', True)\n", False),
        ("other.py", "import jax\n\njax.config.update('jax_debug_infs', True)\n", False),
        ("tox.ini", "[testenv]\nsetenv =\n    JAX_DEBUG_NANS = 1\n", True),
        ("README.md", "Slow with `JAX_DEBUG_NANS=0`.\n", False),
    ],
)  # fmt: skip
def test_a_program_that_looks_for_nans_waits(
    project: Path, name: str, text: str, waits: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "doubles.py").write_text("import jax\n\nstep = jax.jit(lambda x: x @ x)\n")
    (project / "bench.py").write_text(MEASURED)
    assert _codes(capsys) == ["JIT401"]
    (project / name).write_text(text)
    assert _codes(capsys) == ([] if waits else ["JIT401"])
