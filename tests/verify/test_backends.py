"""Backends, of which all but the CPU are played by a plugin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jitlint.verify.containment.inventory import take_inventory
from jitlint.verify.server_process import ServerProcess

# Registered as the real one registers itself, under its name; what it computes the CPU computes.
PLUGIN = """\
def initialize():
    from jax._src import hardware_utils, xla_bridge

    hardware_utils.has_visible_nvidia_gpu = lambda: True
    xla_bridge.register_backend_factory(
        "cuda", xla_bridge.make_cpu_client, priority=500, fail_quietly=True
    )
"""
# Callbacks need the CPU beside the accelerator; an accelerator's memory is not to be taken whole.
CALLS = """\
import os
import jax
import jax.numpy as jnp


assert os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] == "false"


@jax.jit
def f(x):
    jax.debug.print("{}", x)
    if jax.pure_callback(lambda a: a, x, x).sum() > 0:
        return x
    return -x


f(jnp.ones(3))
"""
SPREAD = """\
import jax
import numpy as np
from jax.sharding import Mesh

mesh = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("rows", "columns"))


@jax.jit
def f(x):
    if x > 0:
        return x
    return -x


f(1.0)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").touch()
    (folder / "calls.py").write_text(CALLS)
    (folder / "spread.py").write_text(SPREAD)
    return folder


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "jax_plugins" / "played").mkdir(parents=True)
    (folder / "jax_plugins" / "played" / "__init__.py").write_text(PLUGIN)
    return folder


def _verify(project: Path, plugins: Path, *options: str) -> tuple[int, dict[str, Any], str]:
    command = [sys.executable, "-m", "jitlint", "verify", str(project), "--output-format", "json"]
    known = os.environ.get("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(plugins), known))}
    environment.pop("JAX_PLATFORMS", None)
    done = subprocess.run(
        [*command, *options], capture_output=True, text=True, check=False, env=environment
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout), done.stderr


def _verdicts(values: dict[str, Any], name: str) -> dict[str, Any]:
    (report,) = [r for r in values["reports"] if Path(r["filename"]).stem == name]
    return {verdict["backend"]: verdict for verdict in report["verdicts"]}


@pytest.mark.jax
@pytest.mark.slow
def test_all_that_jax_sees(project: Path, plugins: Path) -> None:
    code, values, _ = _verify(project, plugins)
    assert code == 1
    assert values["failures"] == []
    calls = _verdicts(values, "calls")
    assert list(calls) == ["cpu", "cuda"]
    assert all(verdict["verdict"] == "confirmed" for verdict in calls.values()), calls
    spread = _verdicts(values, "spread")
    assert spread["cpu"]["verdict"] == "confirmed"
    assert spread["cpu"]["evidence"]["virtual_devices"] == 8
    # It is said so, and no failure.
    assert spread["cuda"]["verdict"] == "not-reached"
    assert "there is one on cuda" in spread["cuda"]["evidence"]["summary"]


@pytest.mark.jax
@pytest.mark.slow
@pytest.mark.parametrize(
    ("asked", "code", "backends", "message"),
    [
        ("gpu", 1, ["cuda"], ""),
        ("tpu,cpu", 2, ["cpu"], "there is no backend tpu: JAX sees cpu, cuda"),
    ],
)
def test_backends_that_are_asked_for(
    project: Path, plugins: Path, asked: str, code: int, backends: list[str], message: str
) -> None:
    found, values, errors = _verify(project, plugins, "--platform", asked)
    assert found == code
    assert list(_verdicts(values, "calls")) == backends
    assert message in errors


@pytest.mark.jax
@pytest.mark.slow
def test_a_jax_that_cannot_start(project: Path, tmp_path: Path) -> None:
    (tmp_path / "jax").mkdir()
    (tmp_path / "jax" / "__init__.py").write_text("raise ModuleNotFoundError(\"No module 'jax'\")")
    code, values, errors = _verify(project, tmp_path)
    assert code == 2
    assert values["jax"] is None
    assert "jitlint[verify]" in errors


def test_jax_is_not_started_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "jax").mkdir()
    mark = "from pathlib import Path\nPath(__file__).with_name('started').touch()\n"
    (tmp_path / "jax" / "__init__.py").write_text(mark)
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "clean.py").write_text("import jax\n\nf = jax.jit(lambda x: x + 1)\n")
    code, values, errors = _verify(tmp_path / "project", tmp_path)
    assert (code, values["reports"], errors) == (0, [], "")
    assert not (tmp_path / "jax" / "started").exists()


@pytest.mark.jax
def test_one_process_is_asked_and_then_does_the_jobs(tmp_path: Path) -> None:
    listing = tmp_path / "jobs.json"
    listing.write_text(json.dumps({"jobs": [], "at_once": 1, "hold": False}))
    server = ServerProcess(tmp_path)
    try:
        assert ["cpu", "cpu"] in server.backends()["backends"]
        assert [*server.serve(listing)] == [{"held": False}]
    finally:
        server.end()


def test_what_never_answers_is_not_waited_for(tmp_path: Path) -> None:
    (tmp_path / "jax" / "extend").mkdir(parents=True)
    (tmp_path / "jax" / "__init__.py").touch()
    (tmp_path / "jax" / "extend" / "__init__.py").touch()
    (tmp_path / "jax" / "extend" / "backend.py").write_text("import time\ntime.sleep(1000)\n")
    ask = "from jitlint.verify.asking import ask; print(ask(0.5))"
    known = os.environ.get("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
    done = subprocess.run(
        [sys.executable, "-c", ask],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), known))},
        timeout=60,
    )
    assert done.stdout.strip() == "{'backends': None, 'trouble': None}", done.stderr


# A stand-in for what runs the user's code: it tells when it was run.
SERVER = """\
import sys, time
from pathlib import Path
from jitlint.verify.serving import serve

def run_job(values, emit):
    start = time.monotonic()
    time.sleep(0.4)
    emit({"ran": [values["platform"], start, time.monotonic()]})
    emit({"done": True})

serve(Path(sys.argv[1]), run_job)
"""


def test_one_at_a_time_on_an_accelerator(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "module.py").touch()
    folder = tmp_path / "own"
    folder.mkdir()
    take_inventory(root, [], []).write(folder / "project-0.json")
    shared = {
        "own": [],
        "original": str(root),
        "inventory": str(folder / "project-0.json"),
        "paths": [str(root)],
        "folder": str(root),
        "cache": str(folder / "cache"),
        "seconds": 30.0,
        "memory_bytes": 2**33,
    }
    jobs = [{**shared, "platform": name} for name in ("cpu", "cpu", "cuda", "cuda")]
    listing = folder / "jobs.json"
    listing.write_text(json.dumps({"jobs": jobs, "at_once": 3, "hold": True}))
    done = subprocess.run(
        [sys.executable, "-c", SERVER, str(listing)], capture_output=True, text=True, check=False
    )
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert sum("end" in values for values in told) == 4, done.stderr
    runs = [values["ran"] for values in told if "ran" in values]
    first, second = sorted(run[1:] for run in runs if run[0] == "cuda")
    assert first[1] <= second[0]
    # The CPU is not kept waiting by it.
    assert min(run[1] for run in runs if run[0] == "cpu") < first[1]
