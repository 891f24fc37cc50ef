"""PATH arguments to files, and the root of the project."""

import os
from pathlib import Path

import pytest

from jitlint.source.file_discovery import (
    DEFAULT_EXCLUDES,
    PatternSet,
    find_targets,
    make_excluder,
    project_files,
    project_root,
    walk,
)


def plant(top: Path, *names: str) -> None:
    for name in names:
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def found(top: Path, *, exclude: tuple[str, ...] = DEFAULT_EXCLUDES) -> list[str]:
    excluder = make_excluder(exclude, top)
    return [path.relative_to(top).as_posix() for path in walk(top, excluder)]


def test_walk_is_sorted_and_takes_python_files_only(tmp_path):
    plant(tmp_path, "b.py", "a.py", "gui.pyw", "stub.pyi", "notes.txt", "pkg/c.py", "pkg/sub/d.py")
    assert found(tmp_path) == ["a.py", "b.py", "gui.pyw", "pkg/c.py", "pkg/sub/d.py"]


def test_default_excludes(tmp_path):
    for folder in (".git", ".venv", "node_modules", "pkg/__pycache__", "x/site-packages"):
        plant(tmp_path, f"{folder}/hidden.py")
    plant(tmp_path, "pkg/shown.py")
    assert found(tmp_path) == ["pkg/shown.py"]


def test_an_environment_is_known_by_its_marker_whatever_its_name(tmp_path):
    plant(tmp_path, "my-env/pyvenv.cfg", "my-env/lib/a.py", "b.py")
    assert found(tmp_path, exclude=()) == ["b.py"]


def test_recursive_symlink_ends(tmp_path):
    plant(tmp_path, "pkg/a.py")
    (tmp_path / "pkg" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "self").symlink_to("self")
    assert found(tmp_path) == ["pkg/a.py"]


def test_dangling_link_is_reported_to_the_reader_but_an_editor_lock_is_not(tmp_path):
    (tmp_path / "gone.py").symlink_to("nowhere.py")
    (tmp_path / ".#edited.py").symlink_to("user@host.1234")
    assert found(tmp_path) == ["gone.py"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.py")
    assert found(tmp_path) == []


def test_a_very_deep_tree(tmp_path):
    deep = tmp_path.joinpath(*["d"] * 300)
    deep.mkdir(parents=True)
    (deep / "x.py").write_text("")
    assert len(found(tmp_path)) == 1


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("gen", "pkg/gen", True),
        ("gen", "pkg/general", False),
        ("*_pb2.py", "pkg/a_pb2.py", True),
        ("pkg/gen", "pkg/gen", True),
        ("pkg/gen", "other/pkg/gen", False),
        ("pkg/*.py", "pkg/sub/a.py", True),
        ("./pkg/gen/", "pkg/gen", True),
        ("", "pkg", False),
    ],
)
def test_patterns(tmp_path, pattern, path, expected):
    assert PatternSet([pattern], tmp_path).matches(tmp_path / path) is expected


def test_patterns_are_literal_about_the_folder_they_stand_in(tmp_path):
    base = tmp_path / "odd[1]"
    assert PatternSet(["pkg/a.py"], base).matches(base / "pkg" / "a.py")


def test_named_files_are_taken_whatever_is_excluded_and_only_once(tmp_path):
    plant(tmp_path, "build/a.py", "script", "pkg/b.py")
    (tmp_path / "pkg" / "same.py").symlink_to("b.py")
    excluder = make_excluder(DEFAULT_EXCLUDES, tmp_path)
    named = [tmp_path / "build" / "a.py", tmp_path / "script", tmp_path, tmp_path / "pkg" / "b.py"]
    targets = find_targets(named, excluder)
    assert targets == [*named[:2], tmp_path / "pkg" / "b.py"]


def test_unlistable_folder_is_told(tmp_path):
    errors: list[OSError] = []
    assert list(walk(tmp_path / "missing", lambda _: False, errors.append)) == []
    assert len(errors) == 1


class TestProjectRoot:
    @pytest.mark.parametrize("marker", ["pyproject.toml", "setup.cfg", "setup.py", ".git"])
    def test_nearest_marked_ancestor(self, tmp_path, marker):
        plant(tmp_path, f"p/{marker}", "p/src/pkg/a.py")
        assert project_root([tmp_path / "p/src/pkg/a.py"]) == tmp_path / "p"

    def test_common_folder_of_paths_decides(self, tmp_path):
        plant(tmp_path, "p/pyproject.toml", "p/a/setup.py", "p/a/x.py", "p/b/y.py")
        assert project_root([tmp_path / "p/a/x.py"]) == tmp_path / "p/a"
        assert project_root([tmp_path / "p/a/x.py", tmp_path / "p/b/y.py"]) == tmp_path / "p"

    @pytest.mark.parametrize("path", ["lib", "lib/jax", "lib/jax/a.py", "lib/__init__.py"])
    def test_without_a_marker_it_is_the_folder_above_the_outermost_package(self, tmp_path, path):
        plant(tmp_path, "p/lib/__init__.py", "p/lib/jax/__init__.py", "p/lib/jax/a.py", "p/run.py")
        assert project_root([tmp_path / "p" / path]) == tmp_path / "p"

    @pytest.mark.parametrize("beside", ["site-packages", "target/lib-1.0.dist-info"])
    def test_of_an_installed_package_it_is_the_package(self, tmp_path, beside):
        site = tmp_path / beside.partition("/")[0]
        plant(site, "lib/__init__.py", "lib/sub/__init__.py", "jax/__init__.py")
        (tmp_path / beside).mkdir(exist_ok=True)
        assert project_root([site / "lib" / "sub"]) == site / "lib"

    def test_installed_package_is_no_part_of_the_project_around_its_environment(self, tmp_path):
        site = "env/lib/python3/site-packages"
        plant(tmp_path, "pyproject.toml", "env/pyvenv.cfg", f"{site}/optax/a.py")
        assert project_root([tmp_path / site / "optax"]) == tmp_path / site / "optax"


def test_an_unmarked_folder_ends_where_another_project_begins(tmp_path):
    plant(tmp_path, "script.py", "notes/more.py", "clone/.git/HEAD", "clone/a.py", "old/setup.py")

    def listed(*targets: str) -> list[str]:
        paths = project_files(tmp_path, [tmp_path / target for target in targets], ())
        return sorted(path.relative_to(tmp_path).as_posix() for path in paths)

    assert listed("script.py") == ["notes/more.py", "script.py"]
    # One that is asked about is part of it, as all are of a project that is marked.
    assert listed("script.py", "clone/a.py") == ["clone/a.py", "notes/more.py", "script.py"]
    assert listed(".") == ["clone/a.py", "notes/more.py", "old/setup.py", "script.py"]
    plant(tmp_path, "pyproject.toml")
    assert listed("script.py") == ["clone/a.py", "notes/more.py", "old/setup.py", "script.py"]
