"""Edits of files and of configuration."""

from __future__ import annotations

import json
import random

from benchmarks.edits.kinds import kind
from benchmarks.edits.sources import (
    Files,
    definitions,
    dotted_name,
    modules,
    some_module,
    tree_of,
)

_CODE = "import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x)\n"


def _folders(files: Files) -> list[str]:
    """Every folder that holds something, with a slash, and the root without."""
    found = {""}
    for name in files:
        parts = name.split("/")[:-1]
        found |= {"/".join(parts[: number + 1]) + "/" for number in range(len(parts))}
    return sorted(found)


def _python(files: Files) -> list[str]:
    return [name for name in files if name.endswith(".py")]


@kind("files")
def file_removed(rng: random.Random, files: Files) -> Files | None:
    if len(_python(files)) < 3:
        return None
    gone = rng.choice(_python(files))
    return {name: text for name, text in files.items() if name != gone}


@kind("files")
def file_added(rng: random.Random, files: Files) -> Files | None:
    new = rng.choice(_folders(files)) + rng.choice(
        ("fresh.py", "conftest.py", "test_it.py", "utils.py", "__init__.py", "main.py", "_a.py")
    )
    if new in files:
        return None
    other = rng.choice(modules(files) or [new])
    names = [node.name for node in definitions(tree_of(files, other))] if other in files else []
    name = rng.choice(names or ["f"])
    text = rng.choice(
        (
            _CODE,
            "",
            f"from {dotted_name(other)} import *\n",
            f"import jax\nfrom {dotted_name(other)} import {name}\njax.jit({name})(1)\n",
            "import jax\njax.config.update('jax_enable_x64', True)\n",
        )
    )
    return {**files, new: text}


@kind("files")
def file_copied(rng: random.Random, files: Files) -> Files | None:
    """The same code under two names."""
    name = some_module(rng, files)
    if name is None:
        return None
    folder, _, base = name.rpartition("/")
    new = rng.choice((f"{folder}/copy_of_{base}" if folder else f"copy_of_{base}", base))
    return None if new in files else {**files, new: files[name]}


@kind("files")
def file_renamed(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    folder, _, base = name.rpartition("/")
    new = (f"{folder}/" if folder else "") + rng.choice((f"z_{base}", f"a_{base}", "_impl.py"))
    if new in files:
        return None
    moved = {new if each == name else each: text for each, text in files.items()}
    if rng.random() < 0.4:
        old, now = dotted_name(name), dotted_name(new)
        return {each: text.replace(old, now) for each, text in moved.items()}
    return moved


@kind("files")
def file_moved_to_another_folder(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None:
        return None
    new = rng.choice([*_folders(files), "lib/"]) + name.rpartition("/")[2]
    if new in files:
        return None
    return {new if each == name else each: text for each, text in files.items()}


@kind("files")
def file_emptied(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    return None if name is None else {**files, name: rng.choice(("", "\n", "# nothing\n"))}


@kind("files")
def files_exchanged(rng: random.Random, files: Files) -> Files | None:
    found = modules(files)
    if len(found) < 2:
        return None
    one, other = rng.sample(found, 2)
    return {**files, one: files[other], other: files[one]}


@kind("files")
def package_made_or_unmade(rng: random.Random, files: Files) -> Files | None:
    folder = rng.choice([each for each in _folders(files) if each] or [""])
    if not folder:
        return None
    name = f"{folder}__init__.py"
    if name in files:
        return {each: text for each, text in files.items() if each != name}
    return {**files, name: ""}


@kind("files")
def module_becomes_a_package(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    if name is None or name.endswith("__init__.py"):
        return None
    package = name.removesuffix(".py") + "/__init__.py"
    if package in files:
        return None
    moved = {package if each == name else each: text for each, text in files.items()}
    # Both, for a while: the package goes first.
    return {**moved, name: _CODE} if rng.random() < 0.3 else moved


@kind("files")
def module_that_shadows(rng: random.Random, files: Files) -> Files | None:
    """A module of the project has the name of a library, or of one elsewhere in the project."""
    names = ["jax.py", "numpy.py", "functools.py", "flax/__init__.py", "math.py", "equinox.py"]
    names += [name.rpartition("/")[2] for name in _python(files)]
    new = rng.choice(["", "", *_folders(files)]) + rng.choice(names)
    if new in files:
        return None
    return {
        **files,
        new: rng.choice((_CODE, "def jit(f):\n    return f\n", "", "ones = zeros = 3\n")),
    }


@kind("files")
def notebook(rng: random.Random, files: Files) -> Files | None:
    name = rng.choice(modules(files) or [""])
    source = [f"import {dotted_name(name)}\n" if name else "\n", "import jax\n"]
    cells = [
        {"cell_type": "code", "source": source, "metadata": {}, "outputs": []},
        {"cell_type": "markdown", "source": ["# Notes\n"] * rng.randrange(3), "metadata": {}},
        {"cell_type": "code", "source": _CODE.splitlines(keepends=True)[: rng.randrange(7)]},
    ]
    new = rng.choice(_folders(files)) + "notes.ipynb"
    if new in files and rng.random() < 0.5:
        return {each: text for each, text in files.items() if each != new}
    return {**files, new: json.dumps({"cells": cells, "nbformat": 4, "metadata": {}})}


@kind("files")
def prose(rng: random.Random, files: Files) -> Files | None:
    new = rng.choice(_folders(files)) + rng.choice(("README.md", "notes.rst"))
    text = "Words.\n\n" * rng.randrange(3)
    if rng.random() < 0.7:
        text += f"```python\n{_CODE}```\n"
    return {**files, new: text}


def _notebooks(files: Files) -> list[str]:
    return [name for name in files if name.endswith(".ipynb")]


@kind("files")
def cells_of_a_notebook(rng: random.Random, files: Files) -> Files | None:
    if not _notebooks(files):
        return None
    name = rng.choice(_notebooks(files))
    try:
        whole = json.loads(files[name])
    except ValueError:
        return None
    cells = whole.get("cells") or []
    if not cells:
        return None
    at = rng.randrange(len(cells))
    cell = cells[at]
    match rng.randrange(8):
        case 0:
            cells.insert(at, {"cell_type": "code", "source": ["x = 1\n"], "metadata": {}})
        case 1:
            del cells[at]
        case 2:
            cells.insert(at, {"cell_type": "markdown", "source": ["words"], "metadata": {}})
        case 3:
            cells.insert(rng.randrange(len(cells)), cells.pop(at))
        case 4:
            cell["source"] = ["%timeit f(x)\n", *cell["source"]]
        case 5:
            cell["source"] = ["# a remark\n", "\n", *cell["source"]]
        case 6:
            broken = {"cell_type": "code", "source": ["def (:\n"], "metadata": {}}
            cells.insert(rng.randrange(len(cells) + 1), broken)
        case _:
            cell["outputs"] = [{"output_type": "stream", "text": [str(rng.random())]}]
    return {**files, name: json.dumps(whole)}


@kind("files")
def rows_of_prose(rng: random.Random, files: Files) -> Files | None:
    found = [name for name in files if name.endswith((".md", ".rst"))]
    if not found:
        return None
    name = rng.choice(found)
    lines = files[name].split("\n")
    row = rng.randrange(len(lines) + 1)
    lines[row:row] = rng.choice((["words"], [""], ["", "```python", "import jax", "```", ""]))
    return {**files, name: "\n".join(lines)}


@kind("files")
def settings_of_tests(rng: random.Random, files: Files) -> Files | None:
    """How the project is run: x64 is turned on, or not."""
    name = rng.choice((".env", "Makefile", "tox.ini", ".github/workflows/t.yml", "tests/run.sh"))
    if name in files and rng.random() < 0.5:
        return {each: text for each, text in files.items() if each != name}
    said = rng.choice(("JAX_ENABLE_X64=1\n", "# JAX_ENABLE_X64=0\n", "all:\n\ttrue\n"))
    return {**files, name: said}


@kind("trivia")
def what_is_no_code(rng: random.Random, files: Files) -> Files | None:
    name = rng.choice(("data.txt", "CHANGES", "LICENSE", "table.csv", "docs/index.html", "a.c"))
    return {**files, name: f"import jax {rng.randrange(1000)}\n"}


@kind("files")
def text_that_is_no_text(rng: random.Random, files: Files) -> Files | None:
    name = some_module(rng, files)
    return None if name is None else {**files, name: "# coding: unknown\n" + files[name]}


@kind("files")
def configuration(rng: random.Random, files: Files) -> Files | None:
    name = rng.choice(modules(files) or [""])
    module = dotted_name(name) if name else "none"
    folder = rng.choice(_folders(files)) or "none/"
    found = [node.name for node in definitions(tree_of(files, name))] if name else []
    function = rng.choice(found or ["f"])
    text = rng.choice(
        (
            "",
            'select = ["JIT1"]\n',
            'ignore = ["JIT101", "JIT105"]\n',
            f'extend-exclude = ["{name}"]\n',
            f'exclude = ["{folder.rstrip("/")}"]\n',
            f'src = ["{folder.rstrip("/")}"]\n',
            "docstring-examples = true\n",
            'min-severity = "error"\n',
            f'[tool.jitlint.per-file-ignores]\n"{name}" = ["JIT1"]\n',
            f'[tool.jitlint.traced-callables]\n"{module}.{function}" = 0\n',
            f'[tool.jitlint.traced-callables]\n"{module}.{function}" = '
            '{ argument = 0, static = "s" }\n',
            f'assume-traced = ["{name}"]\n' if name else "",
            'assume-traced = ["*.py"]\n',
            "respect-gitignore = false\n",
        )
    )
    return {**files, "pyproject.toml": f"[tool.jitlint]\n{text}"}


@kind("files")
def configuration_of_a_folder(rng: random.Random, files: Files) -> Files | None:
    folder = rng.choice(_folders(files))
    name = folder + rng.choice(("jitlint.toml", ".jitlint.toml"))
    if name in files:
        return {each: text for each, text in files.items() if each != name}
    said = rng.choice(('ignore = ["JIT101"]\n', 'exclude = ["fresh.py"]\n', "src = ['.']\n", ""))
    return {**files, name: said}


@kind("files")
def project_inside(rng: random.Random, files: Files) -> Files | None:
    """A folder becomes a project of its own, or is none any more."""
    folder = rng.choice([each for each in _folders(files) if each] or [""])
    if not folder:
        return None
    name = folder + rng.choice(("pyproject.toml", "setup.cfg"))
    if name in files:
        return {each: text for each, text in files.items() if each != name}
    return {**files, name: ""}


@kind("files")
def ignored_by_git(rng: random.Random, files: Files) -> Files | None:
    name = rng.choice(_folders(files)) + ".gitignore"
    if name in files:
        return {each: text for each, text in files.items() if each != name}
    return {**files, name: rng.choice(_python(files) or ["x"]).rpartition("/")[2] + "\n"}
