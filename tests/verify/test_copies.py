"""Copies of projects: what they hold, and that nothing leads from them to the originals."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from jitlint.verify.containment.copies import ProjectCopy
from jitlint.verify.containment.inventory import Inventory, take_inventory
from jitlint.verify.containment.relocation import Relocation

LARGE = 17 * 2**20


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    for name in ("pkg/sub", "data", "build", ".git", ".venv/lib", "own_env/lib", "pkg/__pycache__"):
        (root / name).mkdir(parents=True)
    (root / "own_env" / "pyvenv.cfg").touch()
    for name in (
        *("pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/mod.py", "data/rows.csv"),
        *("build/__init__.py", ".git/config", ".venv/lib/other.py", "own_env/lib/other.py"),
        "pkg/__pycache__/mod.pyc",
    ):
        (root / name).write_text(name)
    with (root / "data" / "large.bin").open("wb") as file:
        file.truncate(LARGE)
    with (root / "pkg" / "large.py").open("wb") as file:
        file.truncate(LARGE)
    outside = tmp_path / "outside"
    (outside / "inner").mkdir(parents=True)
    (outside / "rows.csv").write_text("outside")
    (root / "data" / "linked.csv").symlink_to(outside / "rows.csv")
    (root / "linked").symlink_to(outside)
    (outside / "inner" / "again").symlink_to(outside)
    (root / "package").symlink_to(root / "pkg")
    (root / "nowhere").symlink_to(root / "missing")
    os.mkfifo(root / "data" / "pipe")
    return root


def _inventory(root: Path) -> Inventory:
    return take_inventory(
        root, [root / "pkg" / "sub" / "mod.py"], [root / "pkg" / "sub" / "mod.py"]
    )


def test_what_is_copied(project: Path) -> None:
    inventory = _inventory(project)
    assert set(inventory.files) == {
        *("pkg/__init__.py", "pkg/sub/__init__.py", "pkg/sub/mod.py", "pkg/large.py"),
        *("data/rows.csv", "data/linked.csv", "build/__init__.py", "linked/rows.csv"),
    }
    assert inventory.links == [("package", "pkg")]
    assert inventory.left_out == [("data/large.bin", LARGE)]
    note = inventory.note()
    assert note is not None
    assert "data/large.bin (17 MiB)" in note


def test_data_near_the_modules_goes_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "pkg" / "sub" / "near.csv").write_text("near")
    shutil.rmtree(project / ".git")
    monkeypatch.setattr("jitlint.verify.containment.inventory._MOST_LOOSE_FILES", 1)
    inventory = _inventory(project)
    assert [name for name in inventory.files if name.endswith(".csv")] == ["pkg/sub/near.csv"]
    assert [name for name in inventory.files if name.endswith(".py")][0] == "pkg/sub/mod.py"
    assert "build/__init__.py" not in inventory.files
    # Of a project, more is.
    (project / "setup.py").touch()
    assert "build/__init__.py" in _inventory(project).files


def test_a_huge_root_is_not_searched_whole(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jitlint.verify.containment.inventory._MOST_ENTRIES", 2)
    inventory = _inventory(project)
    assert "pkg/sub/mod.py" in inventory.files
    assert "holds too much" in str(inventory.note())


def test_a_package_is_copied_with_its_name(project: Path) -> None:
    inventory = _inventory(project / "pkg" / "sub")
    assert inventory.base == str(project)
    assert "pkg/sub/mod.py" in inventory.files
    assert not any(name.startswith("data") for name in inventory.files)
    copy = Relocation(inventory.base, "/copy")
    moved = copy.into_copy([str(project), str(project / "pkg/sub/mod.py"), "mod"], inventory)
    assert moved == ["/copy", "/copy/pkg/sub/mod.py", "mod"]


def test_paths_there_and_back(project: Path) -> None:
    inventory = _inventory(project)
    relocation = Relocation(inventory.base, "/some/slot-0/project")
    module, environment = str(project / "pkg/sub/mod.py"), str(project / ".venv/lib/other.py")
    values = {"a": [module, 3, None], "b": {"c": [environment, "x"]}}
    moved = relocation.into_copy(values, inventory)
    assert moved["a"] == ["/some/slot-0/project/pkg/sub/mod.py", 3, None]
    # It is not in the copy, and found where it is.
    assert moved["b"] == values["b"]
    assert relocation.back({"told": [f"raised in {moved['a'][0]}:3"]}) == {
        "told": [f"raised in {module}:3"]
    }


def _made(project: Path, folder: Path) -> tuple[ProjectCopy, Path]:
    inventory = _inventory(project)
    kept = folder / "inventory.json"
    folder.mkdir()
    inventory.write(kept)
    assert Inventory.read(kept).files == inventory.files
    return ProjectCopy(Inventory.read(kept), folder / "copy", folder / "record"), folder / "copy"


def _content(folder: Path) -> dict[str, tuple[int, bytes | str]]:
    return {
        str(path.relative_to(folder)): (
            path.lstat().st_mode,
            os.readlink(path)
            if path.is_symlink()
            else path.read_bytes()
            if path.is_file()
            else b"",
        )
        for path in sorted(folder.rglob("*"))
    }


def test_nothing_leads_to_the_originals(project: Path, tmp_path: Path) -> None:
    copy, folder = _made(project, tmp_path / "copies")
    copy.refresh()
    assert (folder / "pkg/sub/mod.py").read_text() == "pkg/sub/mod.py"
    assert (folder / "data/linked.csv").read_text() == "outside"
    assert (folder / "package/sub/mod.py").exists()
    for path in folder.rglob("*"):
        assert path.resolve().is_relative_to(folder.resolve())
        if path.is_file() and not path.is_symlink():
            assert path.stat().st_nlink == 1
            original = project / path.relative_to(folder)
            if original.exists() and "package" not in str(path):
                assert not path.samefile(original)
                assert path.stat().st_mtime_ns == original.stat().st_mtime_ns


def _overwrite_with_old_times(folder: Path) -> None:
    path = folder / "pkg/sub/mod.py"
    status = path.stat()
    path.write_text("PKG/SUB/MOD.PY")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _remove_package(folder: Path) -> None:
    for path in sorted((folder / "pkg").rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    (folder / "pkg").rmdir()
    (folder / "pkg").write_text("a file now")


def _link_elsewhere(folder: Path) -> None:
    (folder / "package").unlink()
    (folder / "package").symlink_to("/")
    (folder / "data/rows.csv").rename(folder / "data/moved.csv")
    (folder / "data/rows.csv").symlink_to("moved.csv")


def _second_name(folder: Path) -> None:
    (folder / "second.py").hardlink_to(folder / "pkg/sub/mod.py")


def _close_folders(folder: Path) -> None:
    (folder / "made/deep").mkdir(parents=True)
    (folder / "made/deep/file").touch()
    (folder / "made").chmod(0)
    (folder / "data").chmod(0)


@pytest.mark.parametrize(
    "act",
    [_overwrite_with_old_times, _remove_package, _link_elsewhere, _second_name, _close_folders],
)
def test_what_was_done_is_undone(
    project: Path, tmp_path: Path, act: Callable[[Path], None]
) -> None:
    copy, folder = _made(project, tmp_path / "copies")
    copy.refresh()
    before, original = _content(folder), _content(project)
    act(folder)
    copy.refresh()
    after = _content(folder)
    assert after.keys() == before.keys()
    files = [name for name in before if (folder / name).is_file()]
    assert {name: after[name] for name in files} == {name: before[name] for name in files}
    assert _content(project) == original


def test_a_copy_that_is_whole_is_left_alone(project: Path, tmp_path: Path) -> None:
    copy, folder = _made(project, tmp_path / "copies")
    copy.refresh()
    before = (folder / "pkg/sub/mod.py").stat()
    copy.refresh()
    assert (folder / "pkg/sub/mod.py").stat() == before


def test_a_copy_without_its_record_is_made_anew(project: Path, tmp_path: Path) -> None:
    copy, folder = _made(project, tmp_path / "copies")
    copy.refresh()
    (tmp_path / "copies/record").write_text("{")
    (folder / "stray.py").touch()
    copy.refresh()
    assert not (folder / "stray.py").exists()
    assert (folder / "pkg/sub/mod.py").exists()
