"""Imports point one way, and what is heavy or dangerous is imported in few places only."""

from __future__ import annotations

import ast
import fnmatch
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "jitlint"

# The rooms of the house, from the ground up.  A room may import itself and the rooms named beside
# it, all of which stand above it in this list, so that rooms cannot form a circle.  A module is in
# the room with the longest name that its own begins with.
ROOMS: dict[str, str] = {
    "jitlint": "",
    # What everybody may know: the machine below, the reports, the mistakes of the user.
    "jitlint.foundation": "",
    "jitlint.diagnostics": "foundation",
    "jitlint.usage_errors": "",
    "jitlint.sketches": "",
    # From files to what is known of a project, and of JAX.
    "jitlint.source": "foundation",
    "jitlint.imports": "foundation source",
    "jitlint.project": "foundation source imports",
    "jitlint.jaxmodel": "",
    # The interpreter, room by room, and what watches it.
    "jitlint.absint.limits": "",
    "jitlint.absint.events": "foundation",
    "jitlint.absint.code": "foundation project absint.limits",
    "jitlint.absint.values": "foundation project absint.limits absint.code",
    "jitlint.absint.machine": (
        "foundation project jaxmodel absint.limits absint.events absint.code absint.values"
    ),
    "jitlint.absint.activations": (
        "foundation absint.limits absint.code absint.values absint.machine"
    ),
    "jitlint.absint.modules": (
        "foundation project jaxmodel absint.limits absint.code absint.values absint.machine"
    ),
    "jitlint.absint.program": (
        "foundation project jaxmodel absint.limits absint.code absint.values"
        " absint.machine absint.modules"
    ),
    "jitlint.absint.objects": (
        "foundation sketches project jaxmodel absint.limits absint.events absint.code"
        " absint.values absint.machine absint.modules absint.program"
    ),
    "jitlint.absint.operations": (
        "jaxmodel absint.limits absint.events absint.code absint.values absint.machine"
        " absint.program"
    ),
    "jitlint.absint.python": (
        "foundation jaxmodel absint.limits absint.events absint.code absint.values absint.machine"
        " absint.modules absint.program absint.operations absint.objects"
    ),
    "jitlint.absint.library": (
        "project jaxmodel absint.limits absint.events absint.values absint.machine"
        " absint.modules absint.program absint.operations absint.python absint.objects"
    ),
    "jitlint.absint.packages": (
        "jaxmodel absint.limits absint.events absint.values absint.machine absint.modules"
        " absint.program absint.operations absint.python absint.library absint.objects"
    ),
    "jitlint.absint.traces": (
        "foundation jaxmodel absint.limits absint.events absint.code absint.values"
        " absint.machine absint.modules absint.program absint.objects absint.operations"
        " absint.packages"
    ),
    "jitlint.absint.transforms": (
        "foundation jaxmodel absint.limits absint.events absint.code absint.values"
        " absint.machine absint.modules absint.program absint.operations absint.python"
        " absint.library absint.packages absint.objects absint.traces"
    ),
    "jitlint.absint.detectors": "",
    "jitlint.absint.detectors.surroundings": (
        "foundation project jaxmodel absint.limits absint.code absint.values absint.machine"
        " absint.program"
    ),
    "jitlint.absint.detectors.variants": (
        "jaxmodel absint.limits absint.code absint.values absint.machine absint.program"
        " absint.detectors.surroundings"
    ),
    "jitlint.absint.detectors.sizes": (
        "foundation project jaxmodel absint.limits absint.code absint.values absint.machine"
        " absint.modules absint.program absint.detectors.surroundings absint.detectors.variants"
    ),
    "jitlint.absint.detectors.effects": (
        "project jaxmodel absint.events absint.code absint.values absint.machine absint.modules"
        " absint.program absint.operations absint.detectors.surroundings"
        " absint.detectors.variants"
    ),
    "jitlint.absint.detectors.staleness": (
        "project jaxmodel absint.limits absint.events absint.code absint.values"
        " absint.machine absint.program absint.operations absint.detectors.surroundings"
        " absint.detectors.sizes absint.detectors.variants absint.detectors.effects absint.objects"
    ),
    "jitlint.absint.detectors.compilation": (
        "foundation project jaxmodel absint.limits absint.events absint.code absint.values"
        " absint.machine absint.modules absint.operations absint.program"
        " absint.detectors.surroundings absint.detectors.sizes absint.detectors.variants"
    ),
    "jitlint.absint.detectors.statics": (
        "jaxmodel absint.limits absint.events absint.code absint.values absint.machine"
        " absint.modules absint.program absint.detectors.surroundings absint.detectors.variants"
        " absint.detectors.compilation"
    ),
    "jitlint.absint.detectors.measurement": (
        "jaxmodel absint.limits absint.events absint.code absint.values absint.machine"
        " absint.modules absint.operations absint.detectors.surroundings absint.detectors.variants"
    ),
    "jitlint.absint.detectors.idioms": (
        "jaxmodel absint.events absint.values absint.machine absint.detectors.surroundings"
    ),
    # The one list that puts them together.
    "jitlint.absint": (
        "project jaxmodel absint.limits absint.code absint.machine absint.activations"
        " absint.modules absint.program absint.python absint.library absint.packages"
        " absint.transforms"
        " absint.detectors.effects absint.detectors.staleness absint.detectors.compilation"
        " absint.detectors.statics absint.detectors.measurement absint.detectors.idioms"
        " absint.objects"
    ),
    # From a project to starting points, and from events to findings.
    "jitlint.tracing": "foundation usage_errors imports project jaxmodel",
    "jitlint.rules": "diagnostics jaxmodel absint.events",
    # From events to edits of the file.
    "jitlint.fixes.making": "diagnostics project jaxmodel absint.events absint.code absint.machine",
    # The engine, on plain storage and plain processes that know nothing of what they hold or run.
    "jitlint.cache": "foundation diagnostics",
    "jitlint.recall": "diagnostics imports project cache",
    "jitlint.analysis.parts": (
        "foundation diagnostics sketches source project jaxmodel absint.limits absint.events"
        " absint.code absint.values absint.machine absint.modules absint.program absint.objects"
        " absint.transforms"
        " absint.detectors.surroundings absint.detectors.staleness absint.detectors.compilation"
        " tracing rules fixes.making cache recall"
    ),
    "jitlint.analysis": (
        "foundation diagnostics sketches source project jaxmodel absint.limits absint.code"
        " absint.machine absint.detectors.compilation absint tracing rules cache recall"
        " analysis.parts"
    ),
    # One run of it, and what of that is shown.
    "jitlint.config": "foundation diagnostics usage_errors rules",
    "jitlint.run": (
        "foundation diagnostics usage_errors sketches source tracing rules cache analysis config"
    ),
    "jitlint.filters": "foundation diagnostics usage_errors source imports rules config run",
    "jitlint.fixes": "foundation diagnostics source project analysis run filters",
    "jitlint.tracebacks": "diagnostics jaxmodel rules",
    "jitlint.output": "foundation diagnostics source jaxmodel rules tracebacks",
    "jitlint.verify.containment": "source",
    "jitlint.verify.recording": "",
    "jitlint.verify.driving": "sketches jaxmodel verify.recording",
    "jitlint.verify.proving": "verify.recording verify.driving",
    "jitlint.verify": (
        "foundation diagnostics usage_errors sketches source cache fixes output verify.containment"
        " verify.recording verify.driving verify.proving"
    ),
    # Those who ask.
    "jitlint.integrations": "foundation diagnostics usage_errors source rules run filters",
    "jitlint.integrations.pytest": (
        "foundation diagnostics usage_errors source rules config run filters output"
        " verify.recording verify"
    ),
    "jitlint.integrations.server": (
        "foundation diagnostics usage_errors source project rules recall analysis config run"
        " filters fixes"
    ),
    "jitlint.cli": (
        "foundation diagnostics usage_errors source rules cache config run filters fixes tracebacks"
        " output verify.driving verify integrations.server"
    ),
    "jitlint.__main__": "foundation cli",
}

# Who may import what is heavy, by top-level name; everybody else may not, not even in functions.
RESTRICTED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (["jax", "jaxlib", "numpy", "scipy", "flax", "optax", "equinox", "chex", "haiku"]),
        # For all that runs in the children of `jitlint verify`.
        ("jitlint.verify.recording.real_jax",),
    ),
    "flake8": ("jitlint.integrations.*",),
    "pytest": ("jitlint.integrations.pytest.*",),
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
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


@cache
def _imports(path: Path) -> Sequence[tuple[str, int, bool]]:
    """Every imported dotted name with its row, and whether it is imported at module level."""
    return tuple(_imported(path.read_text(encoding="utf-8"), str(path)))


def _imported(text: str, filename: str = "") -> Iterator[tuple[str, int, bool]]:
    """As above; a module of ours that a string names is taken for one that is imported by name."""
    waiting: list[tuple[ast.AST, bool]] = [(ast.parse(text), True)]
    while waiting:
        node, outer = waiting.pop()
        outer = outer and not isinstance(node, FUNCTIONS)
        waiting += [(child, outer) for child in ast.iter_child_nodes(node)]
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno, outer
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{filename}:{node.lineno}: relative import"
            assert node.module is not None
            for alias in node.names:
                yield f"{node.module}.{alias.name}", node.lineno, outer
        elif isinstance(node, ast.Constant) and node.value in MODULES:
            yield node.value, node.lineno, outer


def _own_module(name: str) -> str | None:
    """The module of ours that an imported name lies in."""
    while name:
        if name in MODULES:
            return name
        name = name.rpartition(".")[0]
    return None


def _own_imports(text: str, filename: str = "") -> dict[str, int]:
    """The modules of ours that a text imports, wherever in it, with the row of one import."""
    return _own(_imported(text, filename))


def _own(imported: Iterable[tuple[str, int, bool]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, row, _ in imported:
        target = _own_module(name)
        if target is not None:
            found[target] = min(row, found.get(target, row))
    return found


# An import counts wherever it stands: in a function it hides a circle, but makes none go away; for
# type checkers only, it still means that one module cannot be understood without the other.
@cache
def graph() -> dict[str, dict[str, int]]:
    """What each module of ours imports of the others, with the first row of each import."""
    return {module: _own(_imports(path)) for module, path in MODULES.items()}


def _room(module: str) -> str:
    while module not in ROOMS:
        module = module.rpartition(".")[0]
    return module


def _allowed(room: str) -> list[str]:
    return [f"jitlint.{name}" for name in ROOMS[room].split()]


def _circle(graph: Mapping[str, Collection[str]]) -> list[str]:
    """The modules of one circle, the first also at the end; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_every_module_is_in_a_room() -> None:
    assert [module for module in MODULES if _room(module) == "jitlint"] == ["jitlint"]


def test_the_rooms_are_listed_from_the_ground_up() -> None:
    above = ["jitlint"]
    for room in ROOMS:
        wrong = [name for name in _allowed(room) if name not in above]
        assert not wrong, f"{room} may import {wrong}, which stand below it"
        above.append(room)


def test_rooms_import_only_the_rooms_below_them() -> None:
    wrong = []
    for module, targets in graph().items():
        room = _room(module)
        allowed = {"jitlint", room, *_allowed(room)}
        wrong += [
            f"{module}:{row}: {room} imports {target}"
            for target, row in targets.items()
            if _room(target) not in allowed
        ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", ROOMS)
def test_no_arrow_is_drawn_in_vain(room: str) -> None:
    used = {
        _room(target)
        for module, targets in graph().items()
        if _room(module) == room
        for target in targets
    }
    assert not set(_allowed(room)) - used


def _drawn() -> set[tuple[str, str]]:
    """The arrows of the picture in CONTRIBUTING.md; a room goes by the end of its name."""
    _, _, rest = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("rooms: begin")
    picture = rest.partition("rooms: end")[0]
    return set(re.findall(r"^ *(\w+) --> (\w+)$", picture, re.MULTILINE))


def test_the_picture_shows_the_arrows_that_do_not_follow_from_others() -> None:
    reached: dict[str, set[str]] = {}
    for room in ROOMS:  # from the ground up
        allowed = _allowed(room)
        reached[room] = {*allowed, *(far for near in allowed for far in reached[near])}
    needed = {
        (room.rpartition(".")[2], target.rpartition(".")[2])
        for room in ROOMS
        for target in _allowed(room)
        if not any(target in reached[other] for other in _allowed(room))
    }
    assert _drawn() == {arrow for arrow in needed if arrow[0] != "__main__"}


def _typed_only(module: str) -> set[str]:
    """The modules of ours that a module imports for type checkers alone."""
    found: set[str] = set()
    text = MODULES[module].read_text(encoding="utf-8")
    for node in ast.parse(text).body if "TYPE_CHECKING" in text else ():
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            found |= _own_imports(ast.unparse(node)).keys()
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    judged = {}
    for module, targets in graph().items():
        # Within a room, a type may name what holds it: a rule of the machine is given the machine.
        named = {target for target in _typed_only(module) if _room(target) == _room(module)}
        judged[module] = [target for target in targets if target != module and target not in named]
    circle = _circle(judged)
    steps = [
        f"{module} (row {graph()[module][target]}) imports {target}"
        for module, target in pairwise(circle)
    ]
    assert not steps, "; ".join(steps)


@pytest.mark.parametrize(
    "text",
    [
        "import jitlint.output.full",
        "from jitlint.output import full",
        "from jitlint.output.full import render",
        "def f():\n    from jitlint.output import full",
        "class C:\n    def f(self):\n        return lambda: __import__('jitlint.output.full')",
        "if TYPE_CHECKING:\n    from jitlint.output.full import render",
        "MODULE = 'jitlint.output.full'",
    ],
)
def test_an_import_counts_wherever_it_stands(text: str) -> None:
    assert set(_own_imports(text)) == {"jitlint.output.full"}


def test_circles_are_found() -> None:
    assert not _circle({"a": ["b", "c"], "b": ["c"]})
    assert set(_circle({"a": ["b"], "b": ["c"], "c": ["b"]})) == {"b", "c"}


# Lists of classes with their fields, which only grow as there is more to say.
CATALOGUES = {"jitlint.absint.events", "jitlint.absint.machine.signals"}


def test_no_module_and_no_room_is_too_long_to_be_read() -> None:
    rooms: Counter[str] = Counter()
    for module, path in MODULES.items():
        rows = len(path.read_text(encoding="utf-8").splitlines())
        assert rows <= 500 or module in CATALOGUES, module
        rooms[".".join(path.relative_to(ROOT).parts[:-1])] += rows
    assert not {room: rows for room, rows in rooms.items() if rows > 4_000}


def test_a_room_says_its_job_and_holds_nothing_but_modules() -> None:
    for module, path in MODULES.items():
        if path.name != "__init__.py" or module == "jitlint":
            continue
        body = ast.parse(path.read_text(encoding="utf-8")).body
        assert len(body) == 1, f"{module}: the code belongs in a module of its own"
        assert ast.get_docstring(ast.Module(body, [])), module


def test_heavy_imports() -> None:
    wrong = []
    for module, path in MODULES.items():
        for name, row, outer in _imports(path):
            top = name.partition(".")[0]
            allowed = RESTRICTED.get(top)
            if allowed is None:
                continue
            if not any(fnmatch.fnmatchcase(module, pattern) for pattern in allowed):
                wrong.append(f"{module}:{row}: {top} is not for this module")
            elif outer and top in NEVER_AT_MODULE_LEVEL:
                wrong.append(f"{module}:{row}: {top} must be imported inside a function")
    assert not wrong, "\n".join(wrong)


def test_the_interpreter_reads_declarations_alone_with_ast() -> None:
    found = {
        module
        for module, path in MODULES.items()
        if module.startswith("jitlint.absint.")
        and any(name.partition(".")[0] == "ast" for name, _, _ in _imports(path))
    }
    readers = {"code.bare_classes", "code.class_changes", "code.declarations", "code.signatures"}
    readers |= {"modules.annotations"}
    assert found == {f"jitlint.absint.{reader}" for reader in readers}


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
