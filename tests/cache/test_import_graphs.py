"""The import graph of an earlier run, for as long as the texts say the same of each other."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from jitlint.cache.folder import digest
from jitlint.cache.memory import PartMemory
from jitlint.imports.graph import Edges, ImportGraph
from jitlint.project.project import Project
from jitlint.recall.import_graphs import recall

FILES = {
    "pkg/__init__.py": """
        from pkg import layers
        from pkg.base import Layer
    """,
    "pkg/base.py": """
        from abc import ABC, abstractmethod

        MODELS = {}

        def register(cls):
            MODELS[cls.__name__] = cls
            return cls

        class Layer(ABC):
            @abstractmethod
            def apply(self, x): ...

            def name(self):
                return "layer"
    """,
    "pkg/layers.py": """
        from pkg.base import Layer

        class Dense(Layer):
            size = 3

            def apply(self, x):
                return x * self.size

        class Free(Layer):
            pass
    """,
    "pkg/losses.py": """
        def mean(x):
            return x / 2
    """,
    "plugin.py": """
        from pkg import base

        class Own(base.Layer):
            pass
    """,
    "script.py": """
        import pkg

        print(pkg.layers.Dense().apply(1))
    """,
}
#: by what it is, a file, what is replaced in it, and whether that is nobody else's business
EDITS = {
    "a number": ("pkg/layers.py", "size = 3", "size = 4", True),
    "a local name": ("pkg/losses.py", "x / 2", "x / len(x)", True),
    "a new row": ("script.py", "import pkg\n", "import pkg\n\nlimit = 3\n", True),
    "an import": ("pkg/losses.py", "def mean", "import plugin\n\ndef mean", False),
    "a module as an attribute": ("script.py", "print(", "print(pkg.losses, ", False),
    "a method that was left open": (
        "plugin.py", "    pass", "    def apply(self, x):\n        return x", False,
    ),
    "a registration": ("plugin.py", "class Own", "@base.register\nclass Own", False),
    "nothing left open": ("pkg/base.py", "    @abstractmethod\n", "", False),
    "a name of the package": ("pkg/__init__.py", "import Layer", "import Layer as layers", False),
}  # fmt: skip


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def project_of(root: Path) -> Project:
    return Project(root, sorted(root.rglob("*.py")), lambda path: path.read_text())


def recalled(root: Path, store: PartMemory) -> Edges:
    project = project_of(root)
    recall(store, project, {str(path): digest(path.read_text()) for path in project.files})
    return project.graph.edges


@pytest.mark.parametrize("edit", EDITS)
def test_it_is_that_of_a_run_that_knows_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, edit: str
) -> None:
    for name, text in FILES.items():
        write(tmp_path, name, dedent(text))
    store = PartMemory()
    store.begin(sorted(tmp_path.rglob("*.py")))
    before = recalled(tmp_path, store)
    name, old, new, alone = EDITS[edit]
    text = dedent(FILES[name])
    assert old in text
    write(tmp_path, name, text.replace(old, new))
    expected = project_of(tmp_path).graph.edges
    assert alone is (expected == before)
    asked = []
    found_by = ImportGraph._imported

    def imported(graph: ImportGraph, path: Path) -> object:
        asked.append(path)
        return found_by(graph, path)

    monkeypatch.setattr(ImportGraph, "_imported", imported)
    for _ in range(2):
        assert recalled(tmp_path, store)[:2] == expected[:2]
    assert len(asked) == (0 if alone else len(FILES))


def test_it_is_another_with_other_files_or_roots(tmp_path: Path) -> None:
    for name, text in FILES.items():
        write(tmp_path, name, dedent(text))
    store = PartMemory()
    store.begin(sorted(tmp_path.rglob("*.py")))
    recalled(tmp_path, store)
    write(tmp_path, "pkg/more.py", "from pkg import losses\n")
    assert recalled(tmp_path, store) == project_of(tmp_path).graph.edges
    files = sorted(tmp_path.rglob("*.py"))
    project = Project(tmp_path, files, lambda path: path.read_text(), src=[tmp_path / "pkg"])
    recall(store, project, {str(path): digest(path.read_text()) for path in files})
    again = Project(tmp_path, files, lambda path: path.read_text(), src=[tmp_path / "pkg"])
    assert project.graph.edges == again.graph.edges


def test_a_text_need_be_no_unicode(tmp_path: Path) -> None:
    """An editor may hand over half of a character."""
    texts = {tmp_path / "a.py": "import b\n", tmp_path / "b.py": "x = 1\n"}
    store = PartMemory()
    for text in ("import b\nx = '\ud800'\n", "import b\n"):
        texts[tmp_path / "a.py"] = text
        project = Project(tmp_path, [*texts], lambda path: texts[path])
        recall(store, project, {str(path): digest(texts[path]) for path in texts})
        assert project.graph.edges.leads == [{1}, set()]
