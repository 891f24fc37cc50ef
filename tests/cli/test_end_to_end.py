"""The command line with the real engine, on inputs of every kind."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import jitlint.analysis.engine
from jitlint.run.request import Request
from jitlint.run.runner import run

HOSTILE = """\
import jax


@jax.jit
def step(x):
    if x > 0:
        return x
    return -x
"""
CLEAN = """\
import jax
import jax.numpy as jnp


@jax.jit
def step(x):
    return jnp.where(x > 0, x, -x)
"""


def write(path: Path, text: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.fixture
def reports(project, jitlint_run):
    """Runs check and gives exit code and (file, row, column, code) of each report."""

    def check(*arguments):
        result = jitlint_run("check", "--output-format", "json", *arguments)
        found = [
            (
                Path(item["filename"]).relative_to(project).as_posix(),
                item["location"]["row"],
                item["location"]["column"],
                item["code"],
            )
            for item in json.loads(result.out)
        ]
        return result.code, found

    return check


def test_a_fault_and_its_cure(project, jitlint_run):
    write(project / "a.py", HOSTILE)
    result = jitlint_run("check")
    assert result.code == 1
    assert "error[JIT101]" in result.out
    assert " --> a.py:6:8 in step" in result.out
    assert "6 |     if x > 0:\n  |        ^" in result.out
    assert "= why: a.py:4:2: " in result.out
    assert "= help: " in result.out
    assert "Found 1 error in 1 file." in result.lines
    write(project / "a.py", CLEAN)
    assert jitlint_run("check").code == 0


def test_nothing_that_is_linted_is_imported_or_run(project, reports):
    marker = project / "marker"
    write(
        project / "side_effect.py",
        f"import pathlib\n\npathlib.Path({str(marker)!r}).write_text('ran')\n\n\n{HOSTILE}",
    )
    write(project / "user.py", "import side_effect\n\nside_effect.step(1.0)\n")
    code, found = reports()
    assert code == 1
    assert [item[3] for item in found] == ["JIT101"]
    assert not marker.exists()


def loaded_modules(folder: Path, *arguments: str) -> tuple[int, set[str]]:
    script = (
        "import sys\n"
        "from jitlint.cli.main import main\n"
        "try:\n"
        "    code = main(sys.argv[1:])\n"
        "except SystemExit as exit_:\n"
        "    code = exit_.code\n"
        "print('\\nMODULES', code or 0, *sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(jitlint.__file__).parent.parent)},
    )
    code, *modules = done.stdout.rpartition("MODULES ")[2].split()
    return int(code), set(modules)


class TestStartUp:
    def test_check_imports_nothing_heavy(self, project):
        write(project / "a.py", HOSTILE)
        code, modules = loaded_modules(project, "check", "--no-prefilter", ".")
        assert code == 1
        heavy = {"jax", "numpy", "pygls", "lsprotocol", "libcst.matchers", "flake8"}
        assert not heavy & modules

    @pytest.mark.parametrize("arguments", [["--version"], ["check", "--help"], ["rules"]])
    def test_what_needs_no_parser_imports_none(self, project, arguments):
        code, modules = loaded_modules(project, *arguments)
        assert code == 0
        assert not {"libcst", "jitlint.absint.machine.interpreter"} & modules


class TestBrokenFiles:
    @pytest.mark.parametrize(
        ("data", "row", "column"),
        [
            ("import jax\nx = (\n", 2, 5),
            ("import jax\nif x:\n", None, None),
            (b"import jax\ns = '\xff\xfe'\n", 2, 6),
            (b"import jax\0\n", 1, 11),
            (b"\x7fELF\x02\x01\x01\x00\x00\xff\xfejax", 1, 8),
            ("# coding: klingon\nimport jax\n", 1, 1),
        ],
    )
    def test_is_reported_and_hides_no_other(self, project, reports, data, row, column):
        write(project / "broken.py", data)
        write(project / "hostile.py", HOSTILE)
        code, found = reports()
        assert code == 1
        assert [(item[0], item[3]) for item in found] == [
            ("broken.py", "JIT901"),
            ("hostile.py", "JIT101"),
        ]
        if row is not None:
            assert found[0][1:3] == (row, column)

    @pytest.mark.parametrize(
        ("name", "texts"),
        [("broken.py", ["import jax\nx = (\n"]), ("two.ipynb", ["import jax\nx = (", "y = ("])],
    )
    def test_what_an_editor_passes_has_the_same_fingerprints(
        self, project, jitlint_run, monkeypatch, name, texts
    ):
        cells = [
            {"cell_type": "code", "metadata": {}, "outputs": [], "source": each} for each in texts
        ]
        notebook = json.dumps({"nbformat": 4, "metadata": {}, "cells": cells})
        data = notebook if name.endswith(".ipynb") else texts[0]
        write(project / name, data)
        saved = json.loads(jitlint_run("check", "--output-format", "json", name).out)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data.encode())))
        options = ("--output-format", "json", "--stdin-filename", name)
        passed = json.loads(jitlint_run("check", "-", *options).out)
        prints = [item["fingerprint"] for item in saved]
        assert prints == [item["fingerprint"] for item in passed]
        assert len({*prints}) == len(texts)
        assert all(prints)

    @pytest.mark.skipif(sys.version_info >= (3, 12), reason="this Python knows the syntax")
    def test_syntax_newer_than_this_python(self, project, reports):
        write(project / "newer.py", f"type Vector = list[float]\n{HOSTILE}")
        write(project / "hostile.py", HOSTILE)
        _, found = reports()
        assert [(item[0], item[3]) for item in found] == [
            ("hostile.py", "JIT101"),
            ("newer.py", "JIT101"),
        ]

    def test_a_file_without_jax_is_parsed_when_named_or_asked_for(self, project, reports):
        write(project / "broken.py", "x = (\n")
        write(project / "clean.py", CLEAN)
        assert reports(".") == (0, [])
        assert [item[3] for item in reports("broken.py")[1]] == ["JIT901"]
        assert [item[3] for item in reports(".", "--no-prefilter")[1]] == ["JIT901"]

    @pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
    def test_unreadable(self, project, jitlint_run):
        write(project / "secret.py", HOSTILE).chmod(0)
        write(project / "hostile.py", HOSTILE)
        result = jitlint_run("check", "--output-format", "concise")
        assert result.code == 2
        assert "secret.py" in result.err
        assert "hostile.py:6:8: JIT101" in result.out

    def test_vanished_during_the_run(self, project):
        doomed = write(project / "doomed.py", HOSTILE)
        write(project / "hostile.py", HOSTILE)

        def analyze(*arguments, **keywords):
            doomed.unlink()
            return jitlint.analysis.engine.analyze(*arguments, **keywords)

        result = run(Request(paths=(project,)), analyze=analyze)
        assert any("doomed.py" in failure for failure in result.failures)
        names = {Path(item.filename).name for item in result.diagnostics if item.code == "JIT101"}
        assert names == {"hostile.py"}


class TestOddFiles:
    def test_byte_order_mark(self, project, reports):
        write(project / "a.py", b"\xef\xbb\xbf" + HOSTILE.encode())
        assert reports() == (1, [("a.py", 6, 8, "JIT101")])

    @pytest.mark.parametrize("end", ["\r\n", "\r"])
    def test_line_ends(self, project, reports, jitlint_run, end):
        write(project / "a.py", HOSTILE.replace("\n", end))
        assert reports() == (1, [("a.py", 6, 8, "JIT101")])
        assert "6 |     if x > 0:\n  |        ^" in jitlint_run("check").out

    def test_coding_cookie_and_columns_in_code_points(self, project, reports):
        text = f"# coding: latin-1\n{HOSTILE}".replace("if x", "if len('äöü') and x")
        write(project / "a.py", text.encode("latin-1"))
        code, found = reports()
        assert (code, found[0][1], found[0][3]) == (1, 7, "JIT101")
        assert found[0][2] in (8, 23)

    @pytest.mark.parametrize("text", ["", "\n", "\x0c\n", "# nothing", "\ufeff"])
    def test_empty(self, project, reports, text):
        write(project / "a.py", text)
        assert reports("a.py") == (0, [])

    def test_no_newline_at_the_end(self, project, reports):
        write(project / "a.py", HOSTILE.rstrip("\n"))
        assert reports() == (1, [("a.py", 6, 8, "JIT101")])

    @pytest.mark.slow
    def test_two_megabytes_of_generated_code(self, project, reports):
        rows = "".join(f"    'key_{number}': ({number}, 'value'),\n" for number in range(70_000))
        write(project / "a.py", f"{HOSTILE}\n\nTABLE = {{\n{rows}}}\n")
        assert (project / "a.py").stat().st_size > 2_000_000
        assert reports() == (1, [("a.py", 6, 8, "JIT101")])

    @pytest.mark.parametrize(
        "expression",
        [
            "x" + " + x" * 500,
            "-" * 500 + "x",
            "x" + ".T" * 500,
            "x" + ".reshape(-1)" * 500,
            "(" * 150 + "x" + ")" * 150,
            " if x is None else ".join(["x"] * 500),
            "[" * 90 + "x" + "]" * 90 + "[0]" * 90,
        ],
        ids=["sum", "minus", "attributes", "calls", "parentheses", "conditionals", "lists"],
    )
    def test_deep_expressions(self, project, reports, expression):
        write(project / "a.py", HOSTILE.replace("    if x", f"    y = {expression}\n    if x"))
        found = reports()
        if sys.version_info[:2] == (3, 12) and found[1][0][3] == "JIT903":
            # Some of its releases cannot walk that deep, and say so.
            pytest.xfail("too deeply nested for this Python")
        assert found == (1, [("a.py", 7, 8, "JIT101")])

    def test_long_elif_chain(self, project, reports):
        chain = "".join(f"    elif mode == {number}:\n        pass\n" for number in range(300))
        text = HOSTILE.replace(
            "def step(x):\n", f"def step(x, mode=None):\n    if x is None:\n        pass\n{chain}"
        )
        write(project / "a.py", text)
        code, found = reports()
        assert code == 1
        assert "JIT900" not in {item[3] for item in found}

    def test_recursive_symlink(self, project, reports):
        write(project / "pkg" / "a.py", HOSTILE)
        (project / "pkg" / "again").symlink_to(project, target_is_directory=True)
        assert reports() == (1, [("pkg/a.py", 6, 8, "JIT101")])


def test_the_row_whose_comment_silences(project, jitlint_run):
    write(
        project / "a.py",
        """\
import functools
import jax


@functools.partial(
    jax.jit,
    static_argnames="missing",
)
def other(x):
    return x


@jax.jit
def step(
    x, y
):
    if (
        x > 0
    ):  # why
        # no header any more
        @jax.jit
        def inner(z):
            return z
    elif (
        y > 2
    ): pass
    return float(x) + len('''
        ''')
""",
    )
    result = jitlint_run("check", "--output-format", "json")
    rows = {(item["location"]["row"], item["noqa_row"]) for item in json.loads(result.out)}
    assert rows == {(7, 8), (18, 19), (25, 26), (27, 28)}


def test_standard_input_sees_the_project_around_it(project, jitlint_run, monkeypatch):
    write(project / "pkg" / "__init__.py", "")
    write(project / "pkg" / "tools.py", "def positive(x):\n    return x > 0\n")
    text = (
        "import jax\nfrom pkg.tools import positive\n\n\n"
        "@jax.jit\ndef step(x):\n    if positive(x):\n        return x\n    return -x\n"
    )
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    result = jitlint_run(
        "check", "-", "--stdin-filename", "pkg/train.py", "--output-format", "concise"
    )
    assert result.code == 1
    assert result.lines[0].startswith("pkg/train.py:7:8: JIT101 ")


def test_a_declared_transform_traces(project, reports):
    write(
        project / "pyproject.toml",
        """
[tool.jitlint.traced-callables]
"fast.compiled" = { argument = 0, static = "fixed" }
""",
    )
    write(project / "fast.py", "def compiled(function, fixed=()):\n    return function\n")
    write(
        project / "a.py",
        """
import jax
from fast import compiled


def sign(x, n):
    if n > 0:
        x = x + 1
    return x if x > 0 else -x


hostile = compiled(sign, fixed=("n",))
""",
    )
    code, found = reports()
    assert (code, [(name, row, rule) for name, row, _, rule in found]) == (
        1,
        [("a.py", 9, "JIT101")],
    )


def test_traced_lists_kinds_of_parameters(project, jitlint_run):
    write(
        project / "a.py",
        "import functools\nimport jax\n\n\n"
        "@functools.partial(jax.jit, static_argnames=('n',))\ndef power(x, n):\n    return x**n\n",
    )
    result = jitlint_run("traced", "--output-format", "json")
    assert result.code == 0
    (item,) = json.loads(result.out)
    assert item["qualname"].endswith("power")
    assert item["transform"] == "jax.jit"
    assert item["parameters"] == {"x": "traced", "n": "static"}
    assert "power" in jitlint_run("traced").out


def test_python_dash_m_and_a_closed_pipe(project):
    write(project / "a.py", HOSTILE)
    environment = {**os.environ, "PYTHONPATH": str(Path(jitlint.__file__).parent.parent)}
    command = [sys.executable, "-m", "jitlint", "check", "a.py"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (1, "")
    assert "JIT101" in done.stdout
    reader, writer = os.pipe()
    os.close(reader)
    closed = subprocess.run(
        command, cwd=project, stdout=writer, stderr=subprocess.PIPE, text=True, env=environment
    )
    os.close(writer)
    assert "Traceback" not in closed.stderr
    assert "Exception ignored" not in closed.stderr


def test_functions_that_somebody_else_will_jit(project, jitlint_run):
    """Patterns of files are relative to the current folder, or to the configuration."""
    (project / "ops").mkdir()
    (project / "ops" / "relu.py").write_text("def relu(x):\n    return x if x > 0 else 0.0\n")
    assert jitlint_run("check").code == 0
    found = jitlint_run("check", "--assume-traced", "ops/*.py", "--output-format", "concise")
    assert found.lines[0].startswith("ops/relu.py:2:17: JIT101")
    # Results of runs that assumed something else are not taken.
    assert jitlint_run("check").code == 0
    table = '[tool.jitlint]\nassume-traced = ["ops/*.py"]\n'
    (project / "pyproject.toml").write_text(table)
    assert jitlint_run("check", "ops").code == 1
    wrong = jitlint_run("check", "--assume-traced", "opps.*")
    assert (wrong.code, wrong.out) == (2, "")
    assert "'opps.*' matches no function" in wrong.err


@pytest.mark.parametrize("marker", ["pyproject.toml", "notes.txt"])
def test_a_folder_or_file_by_itself_has_the_reports_of_the_whole(tmp_path, jitlint_run, marker):
    root = tmp_path / "work"
    write(root / marker, "")
    write(root / "lib" / "__init__.py", "")
    write(root / "lib" / "jax" / "__init__.py", "from jax.numpy import sin\n")
    write(root / "lib" / "ops" / "__init__.py", "")
    helper = "def relu(x):\n    return x if x > 0 else 0.0\n"
    write(root / "lib" / "ops" / "helper.py", helper)
    user = "import jax\nfrom lib.ops.helper import relu\n\nstep = jax.jit(relu)\n"
    write(root / "lib" / "run.py", user)

    def found(path):
        result = jitlint_run("check", "--isolated", "--output-format", "json", str(root / path))
        return [(Path(r["filename"]).name, r["location"]["row"]) for r in json.loads(result.out)]

    for path in (".", "lib", "lib/ops", "lib/ops/helper.py"):
        assert found(path) == [("helper.py", 2)], path


def test_what_git_ignores_is_left_out(project, reports):
    subprocess.run(["git", "init", "-q"], cwd=project, check=True)
    write(project / ".gitignore", "gen/\n")
    write(project / "gen/a.py", HOSTILE)
    write(project / "b.py", HOSTILE)
    both = [("b.py", 6, 8, "JIT101"), ("gen/a.py", 6, 8, "JIT101")]
    assert reports() == (1, both[:1])
    assert reports("--no-respect-gitignore") == (1, both)
    # Naming it is a decision, unless that counts too.
    assert reports("gen/a.py") == (1, both[1:])
    assert reports("gen") == (1, both[1:])
    assert reports("--force-exclude", "gen/a.py") == (0, [])
    write(project / ".gitignore", "b.py\n")
    assert reports() == (1, both[1:])
    write(project / "jitlint.toml", "respect-gitignore = false\n")
    assert reports() == (1, both)
