"""`jitlint verify` from end to end: one session over a project of small, hard modules."""

from __future__ import annotations

import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.jax, pytest.mark.slow]

HEADER = """\
import jax
import jax.numpy as jnp

@jax.jit
def f(x):
    if x > 0:
        return x
    return -x

"""

# What a module may do to the process that imports it, and what is then said of its report.
TROUBLE = {
    "loops_forever": "while True:\n    pass\n",
    "exits": "import os\nos._exit(0)\n",
    "exits_politely": "import sys\nsys.exit(3)\n",
    "segfaults": "import ctypes\nctypes.string_at(0)\n",
    "allocates": "import numpy as np\nhold = [np.ones(2**27) for _ in range(100)]\n",
    "allocates_at_once": "import numpy as np\nhold = np.ones(100 * 2**30, np.uint8)\n",
    "floods": "for _ in range(1000):\n    print('x' * 1_000_000)\n",
    "cannot_import": "import nothing_of_this_name\n",
    "changes_process": "import os, sys\nsys.path[:] = []\nos.chdir('/')\nos.environ.clear()\n",
    "waits_for_input": "input('?')\n",
    "forks": "import os\nos.fork()\nos.fork()\n",
    "ends_its_parent": "import os, time\nos.kill(os.getppid(), 9)\ntime.sleep(5)\n",
    "ends_its_group": "import os\nos.killpg(0, 9)\n",
    "ends_its_parents_group": (
        "import os, time\nos.killpg(os.getpgid(os.getppid()), 9)\ntime.sleep(5)\n"
    ),
    "closes_files": "import os\nos.closerange(0, 100)\n",
    "never_ending_threads": (
        "import threading, time\n"
        "for _ in range(4):\n    threading.Thread(target=time.sleep, args=(10**6,)).start()\n"
    ),
    "writes_to_every_file": (
        "import glob, os\n"
        "for fd in range(3, 100):\n"
        '    try:\n        os.write(fd, b\'[1]\\n{\\"report\\": 0, \\"verdict\\": 5}\')\n'
        "    except OSError:\n        pass\n"
        "for name in glob.glob('../results-*'):\n"
        "    with open(name, 'a') as file:\n        file.write('{\"verdict\": []}\\n[]\\n{')\n"
    ),
    "patches_builtins": (
        "import builtins, json, os, time\n"
        "builtins.print = builtins.open = json.dumps = os.getpid = time.monotonic = None\n"
    ),
    "patches_jax": "jax.jit = jax.vmap = jax.clear_caches = jax.block_until_ready = None\n",
    "leaves_processes": (
        "import subprocess, sys\n"
        "code = 'import time; time.sleep(10**6)'\n"
        "subprocess.Popen([sys.executable, '-c', code, MARK])\n"
        "subprocess.Popen([sys.executable, '-c', code, MARK], start_new_session=True)\n"
        "again = f'import subprocess, sys; subprocess.Popen([sys.executable, \"-c\", {code!r}, '\n"
        "again += f'{MARK!r}], start_new_session=True)'\n"
        "subprocess.run([sys.executable, '-c', again])\n"
    ),
}
# What Python itself tells of the parent of a process is the same everywhere; of others, only Linux.
if sys.platform == "linux":
    TROUBLE["ends_the_server"] = (
        "import os, time\n"
        "status = open(f'/proc/{os.getppid()}/stat').read().rpartition(')')[2].split()\n"
        "os.kill(int(status[1]), 9)\ntime.sleep(5)\n"
    )
    TROUBLE["ends_the_servers_group"] = TROUBLE["ends_the_server"].replace(
        "os.kill(int(status[1]), 9)", "os.killpg(os.getpgid(int(status[1])), 9)"
    )
REASONS = {
    "loops_forever": "too long",
    "exits": "before it was done",
    "segfaults": "signal 11",
    "allocates": "memory",
    "ends_its_parent": "the process that watched it",
    "ends_its_group": "signal 9",
    "ends_its_parents_group": "the process that watched it",
    "ends_the_server": "the process that started it",
    "ends_the_servers_group": "the process that started it",
    "patches_builtins": "status 1",
    "patches_jax": "object is not callable",
}

SIX = """\
import jax
import jax.numpy as jnp

@jax.jit
def six(x, n, kind):
    if x > 0:
        y = float(x)
    elif x < -1:
        y = jnp.zeros(n).sum()
    else:
        y = x
        while y < 3:
            y = y + 1
    assert kind == 1
    return [y][n]
"""

SILENT = """\
import random
from functools import partial

import jax
import jax.numpy as jnp

seen = []
__jitlint_cases__ = [
    lambda: doubled(jnp.ones(3)),
    lambda: noisy(1.0),
    lambda: sweep(jnp.ones(2), 3),
]


@jax.jit
def doubled(x):
    y = x * 2
    seen.append(y)
    print("doubled", y)
    return y


@jax.jit
def noisy(x):
    return x + random.random()


@jax.jit
def zeroed(x):
    x.at[0].set(0.0)
    return x


def sweep(x, turns):
    for k in range(turns):
        x = jax.jit(lambda v: v * k)(x)
    return x


@jax.jit
def half(n):
    if isinstance(n, int):
        return n // 2
    return n / 2


print(half(3))


class Model:
    @jax.jit
    def apply(self, x):
        return x


def use():
    return Model().apply(jnp.ones(3))
"""

# Both functions are clean, and the jit of one of them depends on the caller.
INNOCENT = """\
import jax
import jax.numpy as jnp


def scaled(x, factor):
    if factor > 1:
        return x * factor
    return x


@jax.jit
def twice(x):
    return scaled(x, 2.0)


def main():
    print(twice(jnp.ones(3)))


if __name__ == "__main__":
    main()
"""

USED = """\
import jax


@jax.jit
def score(params, key, rate):
    noise = jax.random.normal(key, params["w"].shape)
    if rate > 0.5:
        return params["w"] + noise
    return params["b"]
"""
USER_TEST = """\
import jax
import jax.numpy as jnp
import pytest

from used import score


@pytest.mark.parametrize("rate", [0.1, 0.9])
def test_score(rate):
    params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
    score(params, jax.random.key(0), rate)
"""


# The mesh and the main block need four devices; the second function has no call.
SPREAD = """\
import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Mesh, PartitionSpec as P

mesh = Mesh(np.array(jax.devices()[:4]).reshape(2, 2), ("rows", "columns"))


def centred(block):
    mean = block.mean()
    if mean > 0:
        return block - mean
    return block


spread = jax.shard_map(
    centred, mesh=mesh, in_specs=P("rows", "columns"), out_specs=P("rows", "columns")
)


def halved(x):
    total = jax.lax.psum(x.sum(), "device")
    return x / float(total)


on_all = jax.pmap(halved, axis_name="device")

if __name__ == "__main__":
    assert jax.device_count() >= 4
    spread(jnp.ones((4, 4)))
"""

# Nothing can be invented here: only the fixtures know how a ledger is made and opened.
LEDGER = """\
import jax
import jax.numpy as jnp


class Ledger:
    def __init__(self, table):
        self.table = table
        self.opened = False


def make_score(ledger):
    if not ledger.opened:
        raise RuntimeError("open it first")
    weights = jnp.asarray(ledger.table["weights"])

    @jax.jit
    def score(record):
        total = record["hits"] @ weights
        if total > record["bound"]:
            return total
        return total / 2

    return score
"""
LEDGER_CONFTEST = """\
import pytest

from ledger import Ledger


@pytest.fixture(scope="session")
def table(tmp_path_factory):
    return {"weights": [1.0, 2.0, 3.0]}


@pytest.fixture(params=[1, 2])
def ledger(table, request):
    book = Ledger(table)
    book.opened = True
    yield book
    book.opened = False
"""
LEDGER_TEST = """\
import jax.numpy as jnp
import pytest

from ledger import make_score


@pytest.fixture
def hangs():
    while True:
        pass


def test_hangs(hangs):
    pass


@pytest.fixture
def record(monkeypatch):
    return {"hits": jnp.ones(3), "bound": 2.0}


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_score(ledger, record, scale):
    record["bound"] *= scale
    assert make_score(ledger)(record) > 0
"""
UNIT = """\
import jax


def make(table):
    @jax.jit
    def look(row):
        return table["start"] + float(row["step"])

    return look
"""
UNIT_TEST = """\
import unittest

from unit import make


class LookTest(unittest.TestCase):
    def setUp(self):
        self.look = make({"start": 2.0})

    def test_look(self):
        self.assertEqual(self.look({"step": 1.0}), 3.0)
"""
# Python gives the test at the end of a loop the columns of its first operand; a library's own
# exception is caught; what `vmap` maps has no value while it is traced.
HIDDEN = """\
import jax
import jax.numpy as jnp


@jax.jit
def halved(x):
    error, turn = jnp.inf, 0
    while turn < 10 and error > 1e-3:
        x = x / 2
        error = jnp.abs(x).sum()
        turn += 1
    return x


@jax.jit
def positive(x):
    try:
        x = x[x > 0]
    except IndexError:
        x = jnp.zeros_like(x)
    return x


def scaled(rows):
    def one(row):
        row.at[0].set(9.0)
        return row

    return jax.vmap(one)(rows)


def unwrapped(box, settings):
    if box.inner > settings["limit"]:
        return box.inner
    return 0.0


nested = jax.jit(unwrapped)
"""
HIDDEN_CASES = """\
import collections

import hidden
import jax.numpy as jnp

Box = collections.namedtuple("Box", "inner")
HOSTILE = {"nested": lambda: hidden.nested(Box(1.0), {"limit": 2.0})}
SILENT = {"scaled": lambda: hidden.scaled(jnp.ones((2, 3)))}
INNOCENT = [lambda: hidden.unwrapped(Box(1.0), {"limit": 2.0})]
"""
SUMMED = """\
import jax


@jax.jit
def summed(*, parts, over):
    if parts[over]["x"] > 0:
        return parts[over]["x"]
    return 0.0
"""
SUMMED_TEST = """\
import unittest

import summed


class Sums(unittest.TestCase):
    def setUp(self):
        self.parts = {0: {"x": 1.0}}

    def test_first(self):
        summed.summed.__wrapped__(parts=self.parts, over=0)
        import jax
        jax.jit(summed.summed.__wrapped__, static_argnames="over")(parts=self.parts, over=0)
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "pyproject.toml").write_text("")
    for name, code in TROUBLE.items():
        mark = f"MARK = {str(folder)!r}\n"
        (folder / f"{name}.py").write_text(HEADER + mark + code)
    for name, code in {
        "six": SIX,
        "silent": SILENT,
        "innocent": INNOCENT,
        "used": USED,
        "test_used": USER_TEST,
        "ledger": LEDGER,
        "conftest": LEDGER_CONFTEST,
        "test_ledger": LEDGER_TEST,
        "unit": UNIT,
        "spread": SPREAD,
        "unit_test": UNIT_TEST,
        "hidden": HIDDEN,
        "cases/hidden": HIDDEN_CASES,
        "summed": SUMMED,
        "summed_test": SUMMED_TEST,
    }.items():
        (folder / f"{name}.py").parent.mkdir(exist_ok=True)
        (folder / f"{name}.py").write_text(code)
    (folder / "pyproject.toml").write_text('[tool.pytest.ini_options]\naddopts = "-n 4 --cov"\n')
    return folder


@pytest.fixture(scope="module")
def outcome(project: Path) -> tuple[subprocess.CompletedProcess[str], dict[str, Any], str]:
    page = project.parent / "page.html"
    command = [sys.executable, "-m", "jitlint", "verify", str(project), "--output-format", "json"]
    command += ["--platform", "cpu", "--timeout", "12", "--memory-limit", "2"]
    command += ["--report", str(page)]
    scratch = project.parent / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout, done.stderr
    return done, json.loads(done.stdout), page.read_text()


def _verdicts(outcome: tuple[Any, dict[str, Any], str], name: str) -> list[tuple[str, int, Any]]:
    return [
        (report["code"], report["location"]["row"], report["verdicts"][0])
        for report in outcome[1]["reports"]
        if Path(report["filename"]).stem == name
    ]


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_costs_only_its_own_verdicts(outcome: Any, name: str) -> None:
    ((_, _, verdict),) = _verdicts(outcome, name)
    if name in REASONS:
        assert verdict["verdict"] == "inconclusive"
        assert REASONS[name] in verdict["evidence"]["summary"]
    elif name == "allocates_at_once" and verdict["verdict"] != "confirmed":
        # Some systems refuse so much, and some give it until it is used.
        assert "memory" in verdict["evidence"]["summary"]
    else:
        assert verdict["verdict"] == "confirmed", verdict


def test_exit_code_and_failures(outcome: Any) -> None:
    done, values, _ = outcome
    # Some are confirmed, but others could not be run.
    assert done.returncode == 2
    assert any("segfaults.py" in line for line in values["not_run"])
    assert "error: not run: " in done.stderr
    assert values["jax"]
    assert values["devices"]
    named = " ".join(values["failures"])
    assert all(name in named for name in ("exits.py", "segfaults.py", "allocates.py"))
    assert values["missed"] == []


def test_nothing_is_left_behind(outcome: Any, project: Path) -> None:
    assert list((project.parent / "scratch").iterdir()) == []
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=False)
    assert listed.stdout
    if sys.platform == "linux":
        assert str(project) not in listed.stdout


def test_every_fault_of_a_function_in_one_run(outcome: Any) -> None:
    found = _verdicts(outcome, "six")
    assert {row for _, row, _ in found} == {6, 7, 8, 9, 12, 14, 15}
    assert all(verdict["verdict"] == "confirmed" for _, _, verdict in found), found
    first = next(verdict for _, row, verdict in found if row == 6)
    assert "substituted" not in first["evidence"]
    behind = next(verdict for _, row, verdict in found if row == 7)
    assert behind["evidence"]["substituted"]


def test_silent_hazards(outcome: Any) -> None:
    found = {code: verdict for code, _, verdict in _verdicts(outcome, "silent")}
    unproven = {code: v for code, v in found.items() if v["verdict"] != "confirmed"}
    assert {"JIT112", "JIT201", "JIT202", "JIT207", "JIT212", "JIT301", "JIT309"} <= set(found)
    assert not unproven
    assert "UnexpectedTracerError" in found["JIT202"]["evidence"]["summary"]
    assert found["JIT202"]["evidence"]["summary"].startswith("`seen[0]` holds")
    assert found["JIT301"]["evidence"]["iterations"] == 3
    assert len(found["JIT301"]["evidence"]["milliseconds"]) == 3
    assert "__jitlint_cases__" in found["JIT301"]["inputs"]


def test_inputs_of_a_test_are_used(outcome: Any) -> None:
    ((_, _, verdict),) = _verdicts(outcome, "used")
    assert verdict["verdict"] == "confirmed"
    assert verdict["inputs"] == "test test_used.py::test_score"


def test_fixtures_give_inputs(outcome: Any) -> None:
    ((_, _, verdict),) = _verdicts(outcome, "ledger")
    assert verdict["verdict"] == "confirmed", verdict
    assert verdict["inputs"].startswith("test test_ledger.py::test_score[")


def test_unit_tests_are_set_up(outcome: Any) -> None:
    ((_, _, verdict),) = _verdicts(outcome, "unit")
    assert verdict["verdict"] == "confirmed", verdict
    assert verdict["inputs"] == "test unit_test.py::LookTest::test_look"


def test_several_devices(outcome: Any) -> None:
    found = {code: verdict for code, _, verdict in _verdicts(outcome, "spread")}
    assert set(found) == {"JIT101", "JIT105"}
    assert all(verdict["verdict"] == "confirmed" for verdict in found.values()), found
    assert all(verdict["evidence"]["virtual_devices"] == 8 for verdict in found.values())
    assert found["JIT101"]["inputs"] == "the main block of spread.py"
    assert any("8 virtual devices" in name for name in outcome[1]["devices"])
    assert "on 8 virtual devices" in outcome[2]
    # What needs no devices gets none.
    assert all(
        "virtual_devices" not in verdict["evidence"]
        for name in ("six", "silent", "used")
        for _, _, verdict in _verdicts(outcome, name)
    )


def test_faults_that_hide(outcome: Any) -> None:
    found = {row: (code, verdict) for code, row, verdict in _verdicts(outcome, "hidden")}
    assert {row: code for row, (code, _) in found.items()} == {
        8: "JIT102",
        17: "JIT113",
        26: "JIT212",
        33: "JIT101",
    }
    assert all(verdict["verdict"] == "confirmed" for _, verdict in found.values()), found
    assert found[33][1]["inputs"] == "the case 'nested' of hidden.py"


def test_inputs_of_a_unittest_are_used(outcome: Any) -> None:
    found = _verdicts(outcome, "summed")
    confirmed = [v for _, _, v in found if v["verdict"] == "confirmed"]
    assert [v["inputs"] for v in confirmed] == ["test summed_test.py::Sums::test_first"], found


def test_functions_are_counted(outcome: Any) -> None:
    functions = outcome[1]["functions"]
    assert 0 < functions["run"] <= functions["traced"]


def test_innocent_code_has_no_report(outcome: Any) -> None:
    assert _verdicts(outcome, "innocent") == []


def test_page(outcome: Any) -> None:
    page = outcome[2]
    assert page.startswith("<!doctype html>")
    assert "<mark>x &gt; 0</mark>" in page
    assert "<svg" in page
    # Nothing is fetched: no address, no script, no file beside it.
    assert not re.search(r"https?:|<script|<link|<img|url\(|@import", page)
    assert 'id="show-refuted"' in page
    assert "why it is traced" in page
    assert len(page) < 400_000


def test_the_jaxpr_shows_what_was_frozen(outcome: Any) -> None:
    evidence = {
        code: verdict["evidence"]
        for name in ("silent", "six")
        for code, _, verdict in _verdicts(outcome, name)
    }
    frozen = evidence["JIT207"]["jaxpr"]
    assert re.search(r"add a 0\.\d+:f32\[\]", frozen), frozen
    assert not evidence["JIT207"]["jaxpr_substituted"]
    assert evidence["JIT101"]["jaxpr_substituted"]
    assert html.escape(frozen) in outcome[2]


def test_a_long_program_is_cut() -> None:
    import jax

    from jitlint.verify.recording.jaxprs import program_text

    def long(x: Any) -> Any:
        for _ in range(2000):
            x = x * 1.5 + 1.0
        return x

    text = program_text(jax.make_jaxpr(long)(1.0))
    assert len(text) < 20_000
    assert text.endswith("… (more than 400 operations in all)")
    assert "operations in all" not in program_text(jax.make_jaxpr(lambda x: x + 1)(1.0))


def test_a_refuted_report(tmp_path: Path) -> None:
    from jitlint.diagnostics import Diagnostic, Hazard, Location, Severity, TraceStep
    from jitlint.verify.session import Plan, verify

    (tmp_path / "innocent.py").write_text(INNOCENT)
    path = str(tmp_path / "innocent.py")
    false = Diagnostic(
        code="JIT101",
        name="branch-on-traced-value",
        severity=Severity.ERROR,
        message="",
        help=None,
        filename=path,
        location=Location(6, 8),
        end_location=Location(6, 18),
        function="scaled",
        trace=(TraceStep(path, 11, 2, "traced by jax.jit"),),
        hazard=Hazard("raises", ("jax.errors.TracerBoolConversionError",)),
        noqa_row=6,
        fingerprint="",
    )
    plan = Plan(
        root=tmp_path,
        files=[tmp_path / "innocent.py"],
        reports=[false],
        everything=[false],
        platforms=["cpu"],
    )
    ((verdict,),) = [report["verdicts"] for report in verify(plan).reports]
    assert verdict["verdict"] == "refuted", verdict
    assert "True" in verdict["evidence"]["summary"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cases", "nowhere.py"], "--cases"),
        (["-"], "standard input"),
        (["--report", "no/such/folder/page.html"], "no such folder"),
    ],
)
def test_wrong_options(tmp_path: Path, options: list[str], message: str) -> None:
    command = [sys.executable, "-m", "jitlint", "verify", *options]
    here = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(here)}
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        input="",
    )
    assert done.returncode == 2
    assert message in done.stderr


_CONFIRMED = "import jax\n\n@jax.jit\ndef f(x):\n    return 1 if x > 0 else 2\n\nf(1.0)\n"


@pytest.mark.parametrize(
    ("files", "code", "message"),
    [
        ({"fine.py": _CONFIRMED}, 1, ""),
        ({"never.py": _CONFIRMED.replace("f(1.0)", "f = None")}, 0, ""),
        ({"fine.py": _CONFIRMED, "needs.py": f"import nowhere\n{_CONFIRMED}"}, 2, "nowhere"),
        ({"fine.py": _CONFIRMED, "broken.py": "import jax\ndef f(:\n"}, 2, "syntax error"),
        ({"prose.md": f"```{{code-cell}}\n{_CONFIRMED}```\n"}, 2, "not run"),
    ],
)
def test_exit_codes(tmp_path: Path, files: dict[str, str], code: int, message: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    command = [sys.executable, "-m", "jitlint", "verify", ".", "--platform", "cpu"]
    here = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "PYTHONPATH": str(here)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr
    assert message in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_job_too(tmp_path: Path, number: int, code: int) -> None:
    module = tmp_path / "sleeps.py"
    module.write_text(
        HEADER + "import os, pathlib, time\n"
        f"pathlib.Path({str(tmp_path)!r}, 'pid').write_text(str(os.getpid()))\n"
        "time.sleep(60)\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "jitlint", "verify", "--platform", "cpu", str(module)]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    mark = tmp_path / "pid"
    for _ in range(600):
        if mark.exists() and mark.read_text():
            break
        time.sleep(0.1)
    process.send_signal(number)
    assert process.wait(timeout=30) == code
    with pytest.raises(ProcessLookupError):
        os.kill(int(mark.read_text()), 0)
    assert list(scratch.iterdir()) == []
