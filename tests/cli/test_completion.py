"""``jitlint completion``: what shells are given, and what Bash makes of it."""

from __future__ import annotations

import shutil
import subprocess

import pytest

_ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}
_shtab_jitlint
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["che"], {"check"}),
        (["check", "--output-format", "s"], {"sarif"}),
        (["check", "--output-format", "gr"], {"grouped"}),
        (["explain", "--al"], {"--all"}),
        (["check", "--write-b"], {"--write-baseline"}),
        (["verify", "--aud"], {"--audit"}),
        (["check", "--baseline", "base"], {"base.json"}),
        (["check", "so"], {"some.py"}),
    ],
)
def test_bash(project, jitlint_run, words, found):
    (project / "base.json").write_text("")
    (project / "some.py").write_text("")
    script = project / "script"
    script.write_text(jitlint_run("completion", "bash").out)
    done = subprocess.run(
        ["bash", "-c", _ASK, "bash", str(script), "jitlint", *words],
        capture_output=True, text=True, check=True, cwd=project,
    )  # fmt: skip
    assert {*done.stdout.split()} == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_can_read_it(project, jitlint_run, shell):
    result = jitlint_run("completion", shell)
    assert result.code == 0
    assert "write-baseline" in result.out
    program = shutil.which(shell)
    if program is not None:
        script = project / "script"
        script.write_text(result.out)
        subprocess.run([program, "-n", str(script)], check=True)


def test_another_shell(jitlint_run):
    result = jitlint_run("completion", "tcsh")
    assert result.code == 2
    assert "bash" in result.err
