"""Functions are followed across the modules of a project, however they are imported."""

from __future__ import annotations

import pytest

from tests.linting import analysis, check_project

OPS = """\
def relu(x):
    return x if x > 0 else 0.0  # JIT101
"""


def _main(imports: str, call: str) -> str:
    return f"import jax\n{imports}\n\n@jax.jit\ndef f(x):\n    return {call}\n"


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("from pk.ops import relu", "relu(x)"),
        ("from pk.ops import relu as act", "act(x)"),
        ("from pk import ops", "ops.relu(x)"),
        ("import pk.ops", "pk.ops.relu(x)"),
        ("import pk.ops as po", "po.relu(x)"),
        ("from .ops import relu", "relu(x)"),
        ("from . import ops", "ops.relu(x)"),
        ("from .ops import *", "relu(x)"),
        ("from pk.ops import *", "relu(x)"),
        ("import pk", "pk.ops.relu(x)"),
        ("from ..pk.ops import relu", "relu(x)"),
    ],
)
def test_spellings(imports: str, call: str) -> None:
    if imports.startswith("from .."):
        files = {"top/__init__.py": "", "top/pk/__init__.py": "", "top/pk/ops.py": OPS}
        check_project({**files, "top/pk/main.py": _main(imports, call)})
        return
    package = "from . import ops\n" if imports == "import pk" else ""
    check_project({"pk/__init__.py": package, "pk/ops.py": OPS, "pk/main.py": _main(imports, call)})


def test_import_inside_a_function() -> None:
    check_project(
        {
            "ops.py": OPS,
            "main.py": """\
import jax

@jax.jit
def f(x):
    from ops import relu
    return relu(x)
""",
        }
    )


@pytest.mark.parametrize(
    "export",
    [
        "from .ops import relu",
        "from .ops import relu as relu",
        "from pk.ops import relu",
        "from .ops import *",
        "from . import ops\nrelu = ops.relu",
        "from .inner import relu",
    ],
)
def test_reexport(export: str) -> None:
    check_project(
        {
            "pk/__init__.py": export + "\n",
            "pk/ops.py": OPS,
            "pk/inner.py": "from .ops import relu\n",
            "main.py": _main("from pk import relu", "relu(x)"),
        }
    )


@pytest.mark.parametrize(
    "exports",
    [
        '__all__ = ["_relu"]',
        '__all__ = ("other",) + ("_relu",)',
        '__all__: list[str] = []\n__all__ += ["_relu"]',
        '__all__ = ["other"]\n__all__.append("_relu")',
        '__all__ = []\n__all__.extend(["other", "_relu"])',
    ],
)
def test_star_import_takes_what_all_lists(exports: str) -> None:
    check_project(
        {
            "ops.py": f"{exports}\n" + OPS.replace("relu", "_relu"),
            "main.py": _main("from ops import *", "_relu(x)"),
        }
    )


def test_star_import_takes_nothing_else() -> None:
    silent = OPS.replace("  # JIT101", "")
    check_project(
        {
            "ops.py": '__all__ = ["other"]\n' + silent,
            "inner.py": "def relu(x):\n    return x * 2\n",
            "main.py": _main("from inner import *\nfrom ops import *", "relu(x)"),
        }
    )
    check_project(
        {
            "ops.py": silent.replace("relu", "_relu"),
            "main.py": _main("from ops import *", "_relu(x)"),
        }
    )


def test_star_import_takes_public_names_where_all_is_computed() -> None:
    check_project(
        {
            "ops.py": "__all__ = [name for name in dir() if name[0] != '_']\n" + OPS,
            "main.py": _main("from ops import *", "relu(x)"),
        }
    )


def test_the_last_star_import_wins() -> None:
    check_project(
        {
            "plain.py": "def relu(x):\n    return x * 2\n",
            "ops.py": OPS,
            "main.py": _main("from plain import *\nfrom ops import *", "relu(x)"),
        }
    )


@pytest.mark.parametrize("layout", ["", "src/", "lib/python/"])
def test_import_roots(layout: str) -> None:
    check_project(
        {
            f"{layout}pk/__init__.py": "",
            f"{layout}pk/sub/__init__.py": "",
            f"{layout}pk/sub/ops.py": OPS,
            "scripts/run.py": _main("from pk.sub.ops import relu", "relu(x)"),
            "pyproject.toml": "",
        }
    )


def test_namespace_package() -> None:
    check_project(
        {
            "space/part/ops.py": OPS,
            "main.py": _main("from space.part.ops import relu", "relu(x)"),
        }
    )


def test_import_cycles() -> None:
    check_project(
        {
            "pk/__init__.py": "from .a import *\nfrom .b import *\n",
            "pk/a.py": """\
import jax
from . import b
from .b import *

@jax.jit
def f(x):
    return b.relu(x) + g(x)
""",
            "pk/b.py": "from .a import *\nfrom . import a\n" + OPS + "\ndef g(x):\n    return x\n",
        }
    )


def test_transform_in_one_module_function_in_another() -> None:
    check_project(
        {
            "model.py": """\
def loss(params, batch, train):
    if train:
        batch = batch + 1
    return params if params > 0 else batch  # JIT101
""",
            "training.py": """\
import jax
from model import loss

step = jax.jit(jax.value_and_grad(loss), static_argnames="train")
""",
            "run.py": """\
import training
import jax.numpy as jnp

value, g = training.step(jnp.float32(1), jnp.float32(2), train=True)
if value > 3:
    print(float(value))
""",
        }
    )


def test_decorator_of_another_module() -> None:
    check_project(
        {
            "tools.py": "import jax\nfrom functools import partial\n\ncompiled = partial(jax.jit, "
            "static_argnames=('n',))\n\ndef fast(function):\n    return jax.jit(function)\n",
            "main.py": """\
from tools import compiled, fast

@compiled
def f(x, n):
    for _ in range(n):
        x = x + 1
    return float(x)  # JIT105

@fast
def g(x):
    return float(x + 1)  # JIT105
""",
        }
    )


def test_classes_and_constants_of_another_module() -> None:
    check_project(
        {
            "settings.py": "DEPTH = 3\nMODE = 'relu'\n",
            "layers.py": """\
from typing import NamedTuple
import jax

class Params(NamedTuple):
    w: jax.Array

class Base:
    def __call__(self, params, x):
        return self.forward(params, x)
""",
            "main.py": """\
import jax
import settings
from settings import MODE
from layers import Base, Params

class Net(Base):
    def forward(self, params, x):
        for _ in range(settings.DEPTH):
            x = x * params.w
        if MODE == "relu":
            x = x + 1
        return x if x > 0 else params.w  # JIT101

@jax.jit
def f(params: Params, x):
    return Net()(params, x)
""",
        }
    )


def test_call_sites_in_other_modules_count() -> None:
    check_project(
        {
            "ops.py": """\
import jax

@jax.jit
def f(x, flag=False):
    return x if flag else -x

@jax.jit
def g(x, flag=False):
    return x if flag else -x  # JIT101
""",
            "use.py": "import ops\n\nops.f(1.0)\nops.g(1.0, flag=True)\n",
        }
    )


def test_conditional_imports_that_disagree() -> None:
    check_project(
        {
            "main.py": """\
import jax
try:
    import jax.numpy as np
except ImportError:
    import numpy as np

@jax.jit
def f(x):
    return np.sin(x)
"""
        }
    )


def test_numpy_by_another_name() -> None:
    check_project(
        {
            "compat.py": "import numpy as onp\nimport jax.numpy as np\nfrom numpy import sin\n",
            "main.py": """\
import jax
import jax.numpy as np
import compat
from compat import onp

@jax.jit
def f(x):
    return np.sin(x) + compat.np.cos(x) + onp.sin(x)  # JIT106

@jax.jit
def g(x):
    return compat.sin(x)  # JIT106
""",
        }
    )


def test_missing_modules_are_unknown() -> None:
    check_project(
        {
            "main.py": _main(
                "from nowhere import relu\nimport gone.away as away\nfrom . import lost",
                "relu(x) if away.flag(x) else lost.f(x)",
            )
        }
    )


def test_nothing_is_imported_or_run() -> None:
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        marker = Path(folder) / "was_run"
        found = analysis(
            {
                "main.py": f"""\
import jax
import side
open({str(marker)!r}, "w").close()

@jax.jit
def f(x):
    return float(x)
""",
                "side.py": f"open({str(marker)!r}, 'w').close()\n",
            }
        )
        assert [d.code for d in found.diagnostics] == ["JIT105"]
        assert not marker.exists()


def test_a_broken_file_hides_no_other() -> None:
    found = analysis(
        {
            "broken.py": "import jax\ndef f(:\n",
            "main.py": "import jax\nimport broken\n\n@jax.jit\ndef f(x):\n    return float(x)\n",
        }
    )
    assert sorted(d.code for d in found.diagnostics) == ["JIT105", "JIT901"]
