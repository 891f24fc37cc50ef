"""Which file an import finds: packages anywhere, scripts in their own folder, nothing installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from jitlint.run.request import Request
from jitlint.run.runner import run
from jitlint.source.layout import Layout
from tests.linting import check_project

_FAULT = """\
import jax


@jax.jit
def f(x):
    if x > 0:  # JIT101
        return x
    return -x
"""
_FUNCTOOLS = """\
import functools

import jax


@functools.partial(jax.jit, static_argnums=1)
def f(x, n):
    if n > 0 and x > 0:  # JIT101
        return x
    return -x
"""


@pytest.mark.parametrize(
    "other",
    [
        "my-lib/pkg/utils/jax.py",
        "benchmarks/jax.py",
        "examples/functools.py",
        "third-party/jax/__init__.py",
        "vendor/functools/__init__.py",
        "jax.py",
        "src/functools.py",
    ],
)
def test_a_neighbour_takes_no_name_from_what_is_installed(other: str) -> None:
    files = {
        other: "def jit(f):\n    return f\n\n\ndef partial(f, *args, **kwargs):\n    return f\n",
        "pkg/__init__.py": "",
        "pkg/plain.py": _FAULT,
        "pkg/partial.py": _FUNCTOOLS,
        "my-lib/pkg/__init__.py": "",
        "my-lib/pkg/utils/__init__.py": "",
        "my-lib/pkg/utils/ops.py": _FAULT,
    }
    check_project(files)


def _layout(*names: str) -> tuple[Layout, Path]:
    root = Path("/project")
    return Layout([root / name for name in names], [root, root / "src"]), root


@pytest.mark.parametrize(
    ("name", "folder", "found"),
    [
        # A script finds what lies beside it, and below that as Python's first import root.
        ("model", "scripts", "scripts/model.py"),
        ("parts.layer", "scripts", "scripts/parts/layer.py"),
        ("model", "other", None),
        ("model", None, None),
        # What is installed is found beside a script only.
        ("jax", "benchmarks", "benchmarks/jax.py"),
        ("jax", "scripts", None),
        ("jax", "pkg", None),
        # What lies beside it in a package is run from there, if nothing else has that name.
        ("ops", "pkg", "pkg/ops.py"),
        ("gym", "pkg", None),
        ("ops", "scripts", None),
        ("ops", None, None),
        # Namespace packages are found from an import root, and so are lone modules.
        ("benchmarks.jax", "pkg", "benchmarks/jax.py"),
        ("settings", "pkg", "settings.py"),
        ("lone", "pkg", "src/lone.py"),
        # Of two copies the nearest wins, from elsewhere the one below an import root.
        ("pkg.ops", "pkg", "pkg/ops.py"),
        ("pkg.ops", "copies/two/pkg", "copies/two/pkg/ops.py"),
        ("pkg.ops", "copies/two/tests", "copies/two/pkg/ops.py"),
        ("pkg.ops", "scripts", "pkg/ops.py"),
        # What only the package around it places is found from anywhere.
        ("far", "scripts", "deep/down/far/__init__.py"),
        ("", "scripts", None),
    ],
)
def test_what_a_name_stands_for(name: str, folder: str | None, found: str | None) -> None:
    layout, root = _layout(
        "settings.py",
        "src/lone.py",
        "scripts/run.py",
        "scripts/model.py",
        "scripts/parts/layer.py",
        "benchmarks/jax.py",
        "pkg/__init__.py",
        "pkg/ops.py",
        "pkg/gym.py",
        "copies/two/pkg/__init__.py",
        "copies/two/pkg/ops.py",
        "deep/down/far/__init__.py",
    )
    where = None if folder is None else root / folder
    assert layout.locate(name, where) == (None if found is None else root / found)


def test_scripts_in_a_package_find_each_other() -> None:
    wide = "import jax.numpy as jnp\n\n\ndef zeros(n):\n    return jnp.zeros(n, jnp.float64)"
    files = {
        "study/__init__.py": "",
        "study/precision.py": 'import jax\n\njax.config.update("jax_enable_x64", True)\n',
        "study/energies.py": f"{wide}\n",
        "study/run.py": "import precision\nfrom energies import zeros\n\nprint(zeros(3))\n",
        "other/__init__.py": "",
        "other/energies.py": f"{wide}  # JIT403\n",
        "other/run.py": "from energies import zeros\n\nprint(zeros(3))\n",
    }
    check_project(files)


def test_a_checkout_of_a_library_is_that_library() -> None:
    layout, root = _layout("jax/__init__.py", "jax/numpy/__init__.py", "tests/check.py")
    assert layout.locate("jax", root / "tests") == root / "jax/__init__.py"
    assert layout.locate("jax.numpy", root / "jax") == root / "jax/numpy/__init__.py"


def test_a_copy_of_a_library_is_that_library_beside_it() -> None:
    layout, root = _layout("vendor/flax/__init__.py", "vendor/use.py", "pkg/__init__.py")
    assert layout.locate("flax", root / "vendor") == root / "vendor/flax/__init__.py"
    assert layout.locate("flax", root / "pkg") is None


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("pkg/__init__.py", "pkg"),
        ("pkg/ops.py", "pkg.ops"),
        ("my-script.py", "my-script"),
        ("a/b/script.py", "script"),
        ("notes.ipynb", "notes"),
    ],
)
def test_what_a_file_is_called(path: str, name: str) -> None:
    layout, root = _layout("pkg/__init__.py", "pkg/ops.py", path)
    assert layout.name_of(root / path) == name


def test_what_lies_in_a_package_is_not_what_is_installed() -> None:
    root = Path("/p/lib")
    files = [root / "__init__.py", root / "jax" / "__init__.py", root / "jax" / "numpy.py"]
    layout = Layout(files, [root])
    assert layout.locate("jax.numpy", root / "jax") is None
    assert layout.locate("lib.jax.numpy", root / "jax") == files[2]


def test_a_folder_without_init_in_an_installed_package_goes_by_its_name() -> None:
    root = Path("/site-packages/optax")
    files = [root / "__init__.py", root / "_src" / "base.py", root / "_src" / "base_test.py"]
    layout = Layout(files, [root])
    assert "optax._src.base" in layout.names_of(files[1])
    assert layout.locate("optax._src.base", files[2].parent) == files[1]


def test_relative_imports_lead_out_of_a_folder_without_init() -> None:
    layout, root = _layout("pkg/__init__.py", "pkg/_src/ops.py", "pkg/sub/__init__.py", "run/a.py")
    assert layout.package_of(root / "pkg/_src/ops.py") == "pkg._src"
    assert layout.package_of(root / "pkg/sub/__init__.py") == "pkg.sub"
    assert layout.package_of(root / "pkg/__init__.py") == "pkg"
    assert layout.package_of(root / "run/a.py") == ""


def test_a_checkout_that_nobody_can_import_is_no_package(tmp_path: Path) -> None:
    """In `my-lib/pkg/dataclasses.py` too, `import dataclasses` is that of Python."""
    files = {
        "__init__.py": "",
        "pkg/__init__.py": "from pkg import dataclasses\n",
        "pkg/dataclasses.py": """\
import dataclasses

import jax


def dataclass(cls):
    return jax.tree_util.register_dataclass(dataclasses.dataclass(frozen=True)(cls))
""",
        "pkg/state.py": """\
import jax

from pkg import dataclasses


@dataclasses.dataclass
class State:
    x: jax.Array


@jax.jit
def step(state):
    return State(state.x + 1)


def run(x):
    return step(State(x))
""",
    }
    root = tmp_path / "my-lib"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "pyproject.toml").touch()
    assert run(Request(paths=(root,))).diagnostics == []


_BOUNCE = """\
def bounce(x):
    if x > 0:
        return x
    return -x
"""


def test_what_a_script_imports_sees_the_folder_of_the_script() -> None:
    main = "import jax\nfrom physics.stepping import step\n\nfast = jax.jit(step)\n"
    step = "from physics.contact import bounce\n\n\ndef step(x):\n    return bounce(x)\n"
    check_project(
        {
            "web-app/main.py": main,
            "web-app/physics/stepping.py": step,
            "web-app/physics/contact.py": _BOUNCE.replace("x > 0:", "x > 0:  # JIT101"),
            "other/physics/contact.py": _BOUNCE,
        }
    )
