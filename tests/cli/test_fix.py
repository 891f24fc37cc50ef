"""``check --fix`` and its kin: what becomes of files, and what is said of it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests.commands import jitlint

_SOURCE = """\
import jax


@jax.jit
def step(x, i):
    x = x + 1
    x[0] = 2.0  # first
    if x.sum() > 0:
        return x
    return -x
"""
_FIXED = _SOURCE.replace("x[0] = 2.0", "x = x.at[0].set(2.0)")


def _run(*arguments: str, cwd: Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return jitlint("check", "--no-cache", *arguments, cwd=cwd, stdin=stdin, text=False)


@pytest.fixture
def module(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").touch()
    path = tmp_path / "module.py"
    path.write_text(_SOURCE.replace("    if x.sum() > 0:\n        return x\n", ""))
    return path


_ALONE = _SOURCE.replace("    if x.sum() > 0:\n        return x\n", "")
_COVERED = """\
import jax
import jax.numpy as jnp


@jax.jit
def grid(x):
    size = int(x.sum())
    return jnp.zeros(size)
"""
_ALONE_FIXED = _FIXED.replace("    if x.sum() > 0:\n        return x\n", "")


def test_fix_writes_the_file_and_lists_what_is_left(module: Path) -> None:
    found = _run("--fix", "--show-fixes", "module.py", cwd=module.parent)
    assert found.returncode == 0
    assert module.read_text() == _ALONE_FIXED
    assert found.stdout.decode() == "Fixed 1 report. All checks passed!\n"
    assert "1 \N{MULTIPLICATION SIGN} JIT205 (in-place-array-update)" in found.stderr.decode()
    again = _run("--fix", "module.py", cwd=module.parent)
    assert (again.returncode, module.read_text()) == (0, _ALONE_FIXED)


def test_exit_codes(module: Path) -> None:
    assert _run("--diff", "module.py", cwd=module.parent).returncode == 1
    assert module.read_text() == _ALONE
    assert _run("--fix", "--exit-non-zero-on-fix", ".", cwd=module.parent).returncode == 1
    assert _run("--diff", "module.py", cwd=module.parent).returncode == 0
    assert _run("--fix-only", ".", cwd=module.parent).returncode == 0


def test_the_diff(module: Path) -> None:
    found = _run("--diff", "module.py", cwd=module.parent).stdout.decode()
    assert [line for line in found.splitlines() if line[:1] in "+-"] == [
        "--- module.py",
        "+++ module.py",
        "-    x[0] = 2.0  # first",
        "+    x = x.at[0].set(2.0)  # first",
    ]


def test_a_fix_that_brings_another_error_is_taken_back_and_named(module: Path) -> None:
    source = _ALONE.replace("x[0]", "x[i > 0, 0]")
    module.write_text(source)
    found = _run("--fix", "--unsafe-fixes", "module.py", cwd=module.parent)
    assert module.read_text() == source
    assert found.returncode == 1
    assert b"the fix of JIT205 was taken back: it brings JIT109 in row 7" in found.stderr


def test_a_fix_that_uncovers_another_error_says_so(module: Path) -> None:
    source = _COVERED
    module.write_text(source)
    found = _run("--fix", "--unsafe-fixes", "module.py", cwd=module.parent)
    assert module.read_text() == source
    words = "the fix of JIT105 was taken back: it uncovers JIT108 in row 8: "
    assert words in found.stderr.decode()
    assert "fixable" not in found.stdout.decode()


def test_standard_input_comes_out_fixed(module: Path) -> None:
    found = _run("--fix", "-", cwd=module.parent, stdin=_ALONE.encode())
    assert (found.returncode, found.stdout.decode()) == (0, _ALONE_FIXED)
    clean = b"import jax\r\n"
    assert _run("--fix", "-", cwd=module.parent, stdin=clean).stdout == clean


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8-sig", "latin-1"])
def test_bytes_mode_and_links_stay(module: Path, newline: str, encoding: str) -> None:
    text = _ALONE.replace("# first", "# caf\N{LATIN SMALL LETTER E WITH ACUTE}")
    if encoding == "latin-1":
        text = f"# coding: latin-1\n{text}"
    module.write_bytes(text.replace("\n", newline).encode(encoding))
    module.chmod(0o640)
    link = module.with_name("link.py")
    link.symlink_to(module)
    assert _run("--fix", "link.py", cwd=module.parent).returncode == 0
    expected = text.replace("x[0] = 2.0", "x = x.at[0].set(2.0)").replace("\n", newline)
    assert module.read_bytes() == expected.encode(encoding)
    assert stat.S_IMODE(module.stat().st_mode) == 0o640
    assert link.is_symlink()
    assert sorted(path.name for path in module.parent.iterdir()) == [
        "link.py", "module.py", "setup.cfg",
    ]  # fmt: skip


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes all")
def test_a_file_that_cannot_be_written_is_named_and_the_others_are_fixed(module: Path) -> None:
    other = module.with_name("other.py")
    other.write_text(_ALONE)
    module.chmod(0o444)
    found = _run("--fix", ".", cwd=module.parent)
    assert found.returncode == 2
    assert b"cannot write" in found.stderr
    assert (module.read_text(), other.read_text()) == (_ALONE, _ALONE_FIXED)


def test_the_json_and_sarif_forms(module: Path) -> None:
    (item,) = json.loads(_run("--output-format=json", ".", cwd=module.parent).stdout)
    assert item["fix"]["applicability"] == "safe"
    assert item["fix"]["edits"][0] == {
        "location": {"row": 7, "column": 5},
        "end_location": {"row": 7, "column": 5},
        "content": "x = ",
    }
    sarif = json.loads(_run("--output-format=sarif", ".", cwd=module.parent).stdout)
    (fix,) = sarif["runs"][0]["results"][0]["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["replacements"][0]["insertedContent"] == {"text": "x = "}


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        ("", b"[*] 1 fixable with `--fix`."),
        ("unfixable = ['JIT2']", b"Found 1 error in 1 file."),
        ("fixable = ['JIT1']", b"Found 1 error in 1 file."),
        ("fixable = ['JIT205']\nunfixable = ['JIT2']", b"[*] 1 fixable with `--fix`."),
        ("extend-unsafe-fixes = ['JIT205']", b"No safe fixes"),
    ],
)
def test_the_configuration(module: Path, settings: str, line: bytes) -> None:
    module.with_name("jitlint.toml").write_text(settings)
    assert _run(".", cwd=module.parent).stdout.splitlines()[-1].startswith(line)


def test_warm_runs_have_the_same_fixes(module: Path) -> None:
    runs = [
        jitlint("check", "--output-format=json", ".", cwd=module.parent).stdout for _ in range(2)
    ]
    assert runs[0] == runs[1]
    assert '"applicability": "safe"' in runs[0]


@pytest.mark.parametrize(
    ("fix", "other"),
    [
        ("--fix", "--write-baseline=b.json"),
        ("--fix", "--add-noqa"),
        ("--diff", "--statistics"),
        ("--fix-only", "--statistics"),
    ],
)
def test_what_does_not_go_together(module: Path, fix: str, other: str) -> None:
    found = _run(fix, other, ".", cwd=module.parent)
    assert found.returncode == 2
    name = other.partition("=")[0]
    assert f"{fix}: cannot be combined with {name}".encode() in found.stderr


_TWO = _ALONE.replace("    return -x", "    x[1] = 3.0\n    return -x")


def test_what_a_baseline_sets_aside_is_left_alone(module: Path) -> None:
    assert _run("--write-baseline=b.json", ".", cwd=module.parent).returncode == 0
    baseline = module.with_name("b.json").read_bytes()
    module.write_text(_TWO)
    diff = _run("--diff", "--baseline=b.json", ".", cwd=module.parent)
    assert (diff.returncode, b"+    x = x.at[1]" in diff.stdout) == (1, True)
    found = _run("--fix", "--baseline=b.json", ".", cwd=module.parent)
    assert (found.returncode, found.stdout) == (0, b"Fixed 1 report. All checks passed!\n")
    assert module.read_text() == _TWO.replace("x[1] = 3.0", "x = x.at[1].set(3.0)")
    assert module.with_name("b.json").read_bytes() == baseline


def test_only_lines_that_changed_are_fixed(module: Path) -> None:
    def git(*arguments: str) -> None:
        names = ("-c", "user.name=a", "-c", "user.email=a@b")
        subprocess.run(["git", *names, *arguments], cwd=module.parent, check=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    module.write_text(f"import os\n{_TWO}")
    found = _run("--fix", "--changed-since=HEAD", ".", cwd=module.parent)
    assert (found.returncode, found.stdout) == (0, b"Fixed 1 report. All checks passed!\n")
    new = _TWO.replace("x[1] = 3.0", "x = x.at[1].set(3.0)")
    assert module.read_text() == f"import os\n{new}"


def test_statistics_of_what_is_left(module: Path) -> None:
    module.write_text(_SOURCE)
    found = _run("--fix", "--statistics", ".", cwd=module.parent)
    assert found.returncode == 1
    assert b"JIT101" in found.stdout
    assert b"JIT205" not in found.stdout
    assert module.read_text() == _FIXED
