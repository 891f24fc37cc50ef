"""Imports point one way, and what is heavy or dangerous is imported in few places only."""

from __future__ import annotations

import ast
import fnmatch
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "jitlint"

# Each layer may import itself and the layers before it.  A pattern is matched against the dotted
# module name; the first layer that matches counts.
LAYERS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "contracts",
        (
            "jitlint",
            "jitlint.errors",
            "jitlint.collection",
            "jitlint.diagnostics",
            "jitlint.digests",
            "jitlint.records",
            "jitlint.rules.meta",
        ),
    ),
    ("source", ("jitlint.source", "jitlint.source.*")),
    ("project", ("jitlint.project", "jitlint.project.*")),
    ("jaxmodel", ("jitlint.jaxmodel", "jitlint.jaxmodel.*")),
    ("absint", ("jitlint.absint", "jitlint.absint.*", "jitlint.tracing", "jitlint.tracing.*")),
    ("rules", ("jitlint.rules", "jitlint.rules.*")),
    ("fixes", ("jitlint.fixes", "jitlint.fixes.*")),
    ("selection", ("jitlint.selection", "jitlint.config", "jitlint.unused_suppressions")),
    (
        "engine",
        (
            "jitlint.engine",
            "jitlint.cache",
            "jitlint.cache.*",
            "jitlint.forks",
            "jitlint.incremental",
            "jitlint.parallel",
        ),
    ),
    ("runner", ("jitlint.runner",)),
    ("tracebacks", ("jitlint.tracebacks", "jitlint.tracebacks.*")),
    ("output", ("jitlint.output", "jitlint.output.*")),
    ("recording", ("jitlint.verify.recording", "jitlint.verify.recording.*")),
    ("driving", ("jitlint.verify.driving", "jitlint.verify.driving.*")),
    ("verify", ("jitlint.verify", "jitlint.verify.*")),
    ("frontends", ("jitlint.integrations", "jitlint.integrations.*", "jitlint.*")),
)

# Imports that point forward on purpose, each with its reason.
EXCEPTIONS: dict[tuple[str, str], str] = {}

# Who may import what is heavy, by top-level name; everybody else may not, not even in functions.
RESTRICTED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (["jax", "jaxlib", "numpy", "scipy", "flax", "optax", "equinox", "chex", "haiku"]),
        # For all that runs in the children of `jitlint verify`.
        ("jitlint.verify.recording.real_jax",),
    ),
    "flake8": ("jitlint.integrations.*",),
    "pygls": ("jitlint.integrations.*",),
    "lsprotocol": ("jitlint.integrations.*",),
    # Not in the wheel.
    "tools": (),
}
# Even those import it inside functions only, so that importing the module stays harmless.
NEVER_AT_MODULE_LEVEL = {"jax", "jaxlib", "numpy", "scipy", "flax", "equinox", "haiku", "pygls"}

FORBIDDEN_ON_THE_CHECK_PATH = ("jax", "numpy", "pygls", "libcst.matchers")


def _modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = _modules()


def _imports(path: Path) -> Iterator[tuple[str, int, bool]]:
    """Every imported dotted name with its row, and whether it is imported at module level."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inner = {
        id(child)
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.walk(node)
    }
    for node in ast.walk(tree):
        outer = id(node) not in inner
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, outer
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            assert node.module is not None
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno, outer


def _layer(module: str) -> int:
    for position, (_, patterns) in enumerate(LAYERS):
        if any(fnmatch.fnmatchcase(module, pattern) for pattern in patterns):
            return position
    raise AssertionError(f"{module} belongs to no layer")


def _own_module(name: str) -> str | None:
    """The module of ours that an imported name lies in."""
    while name:
        if name in MODULES:
            return name
        name = name.rpartition(".")[0]
    return None


@pytest.mark.parametrize("module", MODULES)
def test_imports_point_one_way(module: str) -> None:
    wrong = []
    for name, row, _ in _imports(MODULES[module]):
        target = _own_module(name) if name.split(".")[0] == "jitlint" else None
        if target is None or (module, target) in EXCEPTIONS:
            continue
        if _layer(target) > _layer(module):
            wrong.append(
                f"row {row}: {LAYERS[_layer(module)][0]} imports {target}"
                f" of {LAYERS[_layer(target)][0]}"
            )
    assert not wrong, f"{module}: " + "; ".join(wrong)


@pytest.mark.parametrize("module", MODULES)
def test_heavy_imports(module: str) -> None:
    wrong = []
    for name, row, outer in _imports(MODULES[module]):
        top = name.partition(".")[0]
        allowed = RESTRICTED.get(top)
        if allowed is None:
            continue
        if not any(fnmatch.fnmatchcase(module, pattern) for pattern in allowed):
            wrong.append(f"row {row}: {top} is not for this module")
        elif outer and top in NEVER_AT_MODULE_LEVEL:
            wrong.append(f"row {row}: {top} must be imported inside a function")
    assert not wrong, f"{module}: " + "; ".join(wrong)


def test_exceptions_are_still_needed() -> None:
    for module, target in EXCEPTIONS:
        assert any(_own_module(name) == target for name, _, _ in _imports(MODULES[module]))


def _check_path() -> list[str]:
    """Modules that a run of `check` may import."""
    skipped = (
        "jitlint.verify",
        "jitlint.integrations",
        "jitlint.__main__",
    )
    return [name for name in MODULES if not name.startswith(skipped)]


def test_the_check_path_imports_nothing_heavy() -> None:
    program = (
        "import importlib, sys\n"
        f"for name in {_check_path()!r}: importlib.import_module(name)\n"
        f"print([name for name in {FORBIDDEN_ON_THE_CHECK_PATH!r} if name in sys.modules])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("parent", ["jitlint.verify.session", "tools.labels.checking"])
def test_a_parent_of_children_does_not_import_jax(parent: str) -> None:
    program = f"import sys, {parent}; print('jax' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert result.stdout.strip() == "False", result.stderr
