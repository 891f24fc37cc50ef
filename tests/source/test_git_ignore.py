"""What git ignores, compared with what git itself says."""

from __future__ import annotations

import os
import subprocess

import pytest

from jitlint.source.git_ignore import GitIgnore

FILES = (
    "a.py", "build/b.py", "src/build/c.py", "src/gen_x.py", "src/keep/gen_y.py", "top.py",
    "src/top.py", "docs/deep/er/d.py", "out/e.py", "only_folder", "src/only_folder/f.py",
    "with space.py", "é.py", "#hash.py", "local.py", "users.py", "data/x/keep.py", "data/y/drop.py",
)  # fmt: skip
IGNORES = {
    ".gitignore": """
# a comment
build/
gen_*.py
!src/keep/gen_y.py
/top.py
docs/**/d.py
out/*
only_folder/
with\\ space.py
é.py
\\#hash.py
data/*
!data/x/
[
""",
    "src/.gitignore": "!build/\n",
    "data/x/.gitignore": "*\n!keep.py\n",
    ".git/info/exclude": "local.py\n",
}


@pytest.fixture
def repository(tmp_path, monkeypatch):
    top = tmp_path / "repository"
    top.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    subprocess.run(["git", "init", "-q"], cwd=top, check=True)
    for name in FILES:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")
    for name, text in IGNORES.items():
        (top / name).write_text(text)
    users = tmp_path / "config" / "git" / "ignore"
    users.parent.mkdir(parents=True)
    users.write_text("users.py\n")
    return top


def kept(top, folder):
    """The files that a walk finds."""
    ignore = GitIgnore.around(folder)
    found = []
    waiting = [folder]
    while waiting:
        for entry in os.scandir(waiting.pop()):
            path = folder.__class__(entry.path)
            if entry.name.startswith(".git") or ignore.ignores(path):
                continue
            if entry.is_dir():
                waiting.append(path)
            else:
                found.append(path.relative_to(top).as_posix())
    return sorted(found)


def said_by_git(top):
    done = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=top, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = (name for name in done.stdout.split("\0") if name)
    return sorted(name for name in found if not name.endswith(".gitignore"))


def test_it_is_what_git_says(repository):
    found = kept(repository, repository)
    assert found == said_by_git(repository)
    assert "src/build/c.py" in found
    assert not {"build/b.py", "local.py", "users.py", "src/only_folder/f.py"} & {*found}


def test_the_user_may_keep_it_elsewhere(repository, tmp_path):
    (tmp_path / "mine").write_text("a.py\n")
    subprocess.run(
        ["git", "config", "--global", "core.excludesFile", "~/mine"], cwd=repository, check=True
    )
    found = kept(repository, repository)
    assert found == said_by_git(repository)
    assert "a.py" not in found


def test_another_working_tree(repository, tmp_path, monkeypatch):
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "n")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "e@example.org")
    for command in (["add", "a.py"], ["commit", "-qm", "one"], ["worktree", "add", "-q", "../two"]):
        subprocess.run(["git", *command], cwd=repository, check=True, capture_output=True)
    other = tmp_path / "two"
    (other / "local.py").write_text("")
    (other / "b.py").write_text("")
    assert kept(other, other) == ["a.py", "b.py"]


def test_a_folder_that_is_ignored_may_be_named(repository):
    assert kept(repository, repository / "build") == ["build/b.py"]


def test_no_repository(tmp_path):
    assert GitIgnore.around(tmp_path / "somewhere") is None
