"""What is handed out: the sdist is the whole tree, the wheel what its users can run."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
#: of the tree, what is no part of it: what tools leave behind, and git's own
LEFT_OUT = shutil.ignore_patterns(
    *(".git", "__pycache__", ".*_cache", ".*venv*", ".hypothesis", ".packages", ".coverage"),
    *("build", "dist", "*.egg-info", "node_modules"),
)
BUILD = """
import sys
from setuptools import build_meta

print(getattr(build_meta, "build_" + sys.argv[1])(sys.argv[2]))
"""


def _files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def _build(kind: str, tree: Path, folder: Path) -> Path:
    """Build from a tree with the setuptools that is installed, so that nothing is fetched."""
    command = [sys.executable, "-c", BUILD, kind, str(folder)]
    result = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return folder / result.stdout.splitlines()[-1]


@pytest.mark.slow
def test_the_sdist_is_the_tree_and_the_wheel_is_the_package(tmp_path: Path) -> None:
    setuptools = pytest.importorskip("setuptools")
    if int(setuptools.__version__.partition(".")[0]) < 77:
        pytest.skip("pyproject.toml asks for a newer setuptools")
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=LEFT_OUT)
    expected = _files(tree)
    with tarfile.open(_build("sdist", tree, tmp_path)) as sdist:
        # Python 3.11.3 and before it have no filters.
        sdist.extraction_filter = getattr(tarfile, "data_filter", None)
        sdist.extractall(tmp_path / "unpacked")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    held = {name for name in _files(unpacked) if not name.startswith("jitlint.egg-info/")}
    assert held - {"PKG-INFO"} == expected
    with zipfile.ZipFile(_build("wheel", unpacked, tmp_path)) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == {name for name in expected if name.startswith("jitlint/")}
