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

from jitlint.verify.containment import landlock
from tests.commands import jitlint

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
        "for name in glob.glob(os.path.expanduser('~/../../results-*')):\n"
        "    try:\n"
        "        with open(name, 'a') as file:\n"
        "            file.write('{\"verdict\": []}\\n[]\\n{')\n"
        "    except OSError:\n        pass\n"
    ),
    "patches_builtins": (
        "import builtins, json, os, time\n"
        "builtins.print = builtins.open = json.dumps = os.getpid = time.monotonic = None\n"
    ),
    # As a stranger would: jitlint knows that an assignment replaces what JAX does.
    "patches_jax": (
        "import importlib\n"
        "for name in ('jit', 'vmap', 'clear_caches', 'block_until_ready'):\n"
        "    importlib.import_module('jax').__dict__[name] = None\n"
    ),
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
# What the issue of user files lost is about; none of it may show outside the copy.
TROUBLE |= {
    "deletes_beside_itself": (
        "import shutil\nfrom pathlib import Path\n"
        "outputs = Path(__file__).parent / 'outputs'\n"
        "assert (outputs / 'kept.txt').read_text() == 'kept'\n"
        "shutil.rmtree(outputs)\n"
        "Path(__file__).unlink()\n"
        "Path(__file__).with_name('made.txt').write_text('made')\n"
    ),
    "writes_home": "from pathlib import Path\n(Path.home() / 'results.txt').write_text('made')\n",
    "writes_elsewhere": (
        "import os, shutil, subprocess\nfrom pathlib import Path\n"
        "there = Path(MARK).parent / 'elsewhere'\n"
        "for act in (\n"
        "    lambda: (there / 'made.txt').write_text('made'),\n"
        "    lambda: (there / 'kept.txt').unlink(),\n"
        "    lambda: (there / 'kept.txt').chmod(0),\n"
        "    lambda: shutil.rmtree(there),\n"
        "    lambda: os.rename(there, 'moved'),\n"
        "    lambda: os.link(there / 'kept.txt', 'linked'),\n"
        "    lambda: os.utime(Path(MARK) / 'writes_elsewhere.py', (0, 0)),\n"
        "):\n"
        "    try:\n        act()\n"
        "    except OSError:\n        pass\n"
        "    else:\n        raise AssertionError('it was not refused')\n"
    ),
    "allocates_natively": (
        "import ctypes\nc = ctypes.CDLL(None)\nc.malloc.restype = ctypes.c_void_p\n"
        "size = ctypes.c_size_t(2**24)\n"
        "for _ in range(10_000):\n    c.memset(ctypes.c_void_p(c.malloc(size)), 1, size)\n"
    ),
    "allocates_in_children": (
        "import os, time\nheld = []\n"
        "for _ in range(3):\n    os.fork()\n"
        "for _ in range(10_000):\n    held.append(bytearray(b'1') * 2**24)\n    time.sleep(0.01)\n"
    ),
    # Both are found where the user edits them: by a path, and by a finder as packages install it.
    "imports_what_is_edited": (
        "import helper_lib, edited.inner\n"
        "for module in (helper_lib, edited, edited.inner):\n"
        "    assert not module.__file__.startswith(MARK), module.__file__\n"
    ),
    # Each of them starts the next one, and ends.
    "forks_daemons": (
        "import subprocess, sys\n"
        "code = 'import os, time\\nfor _ in range(200):\\n  if os.fork(): os._exit(0)\\n'\n"
        "code += '  os.setsid()\\n  time.sleep(0.1)\\n'\n"
        "subprocess.run([sys.executable, '-c', code, MARK])\n"
    ),
}
if landlock.version():
    TROUBLE["has_others_write"] = (
        "import ctypes, os\nfrom pathlib import Path\n"
        "there = Path(MARK).parent / 'elsewhere'\n"
        "os.system(f'rm -r {there}; touch {MARK}/made.txt')\n"
        "c = ctypes.CDLL(None)\n"
        "assert c.unlink(os.fsencode(there / 'kept.txt')) == -1\n"
        "assert c.truncate(os.fsencode(there / 'kept.txt'), 0) == -1\n"
    )
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
    "allocates_natively": "memory",
    "allocates_in_children": "memory",
    "ends_its_group": "signal 9",
    "patches_builtins": "status 1",
    "patches_jax": "object is not callable",
}

# Where the system does not keep signals in, they reach their aim.
REACHED = {
    "ends_its_parent": "the process that watched it",
    "ends_its_parents_group": "the process that watched it",
    "ends_the_server": "the process that started it",
    "ends_the_servers_group": "the process that started it",
}
if not landlock.holds_signals():
    REASONS |= REACHED

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
def project(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Path:
    folder = tmp_path_factory.mktemp("all") / "project"
    folder.mkdir()
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
    _install_to_be_edited(folder, site)
    for place in (folder / "outputs", folder.parent / "elsewhere", folder.parent / "home"):
        place.mkdir()
        (place / "kept.txt").write_text("kept")
    return folder


def _tree(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Everything below a folder: its mode, when it was changed, and what it holds."""
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
            path.read_bytes() if path.is_file() else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


WRITES_BESIDE = "import pathlib\npathlib.Path(__file__).with_name('made.txt').write_text('made')\n"
FINDER = """\
import importlib.util, pathlib, sys
SOURCES = pathlib.Path({folder!r}, "sources")

class Finder:
    @staticmethod
    def find_spec(fullname, path=None, target=None):
        if fullname == "edited":
            place = str(SOURCES / "edited")
            return importlib.util.spec_from_file_location(
                fullname, place + "/__init__.py", submodule_search_locations=[place]
            )

sys.meta_path.append(Finder)
"""


def _install_to_be_edited(project: Path, site: Path) -> None:
    """Let parts of a project be found as if they were installed."""
    (project / "sources" / "edited").mkdir(parents=True)
    (project / "lib").mkdir()
    for name in ("lib/helper_lib.py", "sources/edited/__init__.py", "sources/edited/inner.py"):
        (project / name).write_text(WRITES_BESIDE)
    (site / "sitecustomize.py").write_text(FINDER.format(folder=str(project)))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("site")


@pytest.fixture(scope="module")
def before(project: Path) -> dict[str, tuple[int, int, bytes]]:
    return _tree(project.parent)


@pytest.fixture(scope="module")
def outcome(
    project: Path, site: Path, before: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> tuple[subprocess.CompletedProcess[str], dict[str, Any], str]:
    own = tmp_path_factory.mktemp("own")
    page = own / "page.html"
    command = [sys.executable, "-m", "jitlint", "verify", str(project), "--output-format", "json"]
    command += ["--platform", "cpu", "--timeout", "12", "--memory-limit", "1"]
    command += ["--report", str(page), "--no-cache"]
    scratch = own / "scratch"
    scratch.mkdir()
    environment = {**os.environ, "TMPDIR": str(scratch), "HOME": str(project.parent / "home")}
    paths = [str(site), str(project / "lib"), environment.get("PYTHONPATH", "")]
    environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.stdout, done.stderr
    assert list(scratch.iterdir()) == []
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


def test_nothing_is_changed(outcome: Any, project: Path, before: dict[str, Any]) -> None:
    assert _tree(project.parent) == before


def test_what_is_tried_elsewhere_is_named(outcome: Any, project: Path) -> None:
    ((_, _, home),) = _verdicts(outcome, "writes_home")
    assert home["evidence"]["outside"] == [{"path": "~/results.txt", "refused": False}]
    ((_, _, elsewhere),) = _verdicts(outcome, "writes_elsewhere")
    there = (project.parent / "elsewhere").resolve()
    named = [change["path"] for change in elsewhere["evidence"]["outside"]]
    assert named[:3] == [str(there / "made.txt"), str(there / "kept.txt"), str(there)]
    assert named[3:] == [str(project.resolve() / "writes_elsewhere.py")]
    assert all(change["refused"] for change in elsewhere["evidence"]["outside"])
    ((_, _, beside),) = _verdicts(outcome, "deletes_beside_itself")
    assert "outside" not in beside["evidence"]


def test_paths_are_those_of_the_user(outcome: Any, project: Path) -> None:
    done, values, page = outcome
    for text in (done.stdout, done.stderr, page):
        assert "slot-" not in text
    assert str(project / "cannot_import.py") in " ".join(values["not_run"])


def test_nothing_is_left_behind(outcome: Any, project: Path) -> None:
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
    from jitlint.verify.plan import Plan
    from jitlint.verify.session import verify

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
    done = jitlint("verify", *options, cwd=tmp_path)
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
        ({"prose.md": f"```{{code-cell}}\n{_CONFIRMED}```\n"}, 1, ""),
    ],
)
def test_exit_codes(tmp_path: Path, files: dict[str, str], code: int, message: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    done = jitlint("verify", ".", "--platform", "cpu", cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert message in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupt_ends_the_job_too(tmp_path: Path, number: int, code: int) -> None:
    module = tmp_path / "sleeps.py"
    module.write_text(
        HEADER + "import os, pathlib, time\n"
        "pathlib.Path('pid').write_text(str(os.getpid()))\ntime.sleep(60)\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "jitlint", "verify", "--platform", "cpu", str(module)]
    environment = {**os.environ, "TMPDIR": str(scratch)}
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    pid = 0
    for _ in range(600):
        told = [mark.read_text() for mark in scratch.rglob("pid")]
        if any(told):
            pid = int(told[0])
            break
        time.sleep(0.1)
    process.send_signal(number)
    assert process.wait(timeout=30) == code
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert pid
    assert list(scratch.iterdir()) == []


def test_an_interrupt_leaves_what_is_known(tmp_path: Path) -> None:
    (tmp_path / "fine.py").write_text(_CONFIRMED)
    (tmp_path / "sleeps.py").write_text(
        f"{_CONFIRMED}\nimport pathlib, time\npathlib.Path('mark').touch()\ntime.sleep(60)\n"
    )
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "jitlint", "verify", "--platform", "cpu", "--no-cache"]
    process = subprocess.Popen(
        [*command, "--output-format", "json", "."],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(scratch)},
    )
    for _ in range(600):
        # The other module has ended when this one runs, or runs beside it for a short time.
        if any(scratch.rglob("mark")):
            time.sleep(3)
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    told = json.loads(output)
    assert told["interrupted"]
    found = {Path(r["filename"]).name: r["verdicts"][0] for r in told["reports"]}
    assert found["fine.py"]["verdict"] == "confirmed"
    assert found["sleeps.py"]["verdict"] == "inconclusive"
    assert "sleeps.py (cpu): the process was ended by an interrupt" in errors
    assert list(scratch.iterdir()) == []


_UNHELD = """\
import os
import subprocess
import sys
from pathlib import Path
try:
    Path(MARK, "made.txt").write_text("made")
except PermissionError:
    pass
else:
    raise AssertionError("it was not refused")
"""


def test_without_the_systems_help(tmp_path: Path) -> None:
    from jitlint.analysis.engine import analyze
    from jitlint.verify.plan import Plan
    from jitlint.verify.session import verify

    (tmp_path / "pyproject.toml").write_text("")
    mark = f"MARK = {str(tmp_path)!r}\n"
    ending = {name: TROUBLE[name] for name in REACHED if name in TROUBLE}
    for name, code in {**ending, "refused": _UNHELD}.items():
        (tmp_path / f"{name}.py").write_text(HEADER + mark + code)
    files = sorted(tmp_path.glob("*.py"))
    found = analyze(tmp_path, files).diagnostics
    plan = Plan(
        root=tmp_path, files=files, reports=found, everything=found, platforms=["cpu"], hold=False
    )
    verified = verify(plan)
    assert len(verified.notes) == 1
    assert "cannot hold what is run" in verified.notes[0]
    verdicts = {Path(r["filename"]).stem: r["verdicts"][0] for r in verified.reports}
    refused = verdicts.pop("refused")
    assert refused["verdict"] == "confirmed"
    made = {"path": str(tmp_path.resolve() / "made.txt"), "refused": True}
    assert refused["evidence"]["outside"] == [made]
    for name, verdict in verdicts.items():
        assert verdict["verdict"] == "inconclusive"
        assert REACHED[name] in verdict["evidence"]["summary"]
    assert sorted(tmp_path.glob("*.py")) == files
    assert not (tmp_path / "made.txt").exists()
