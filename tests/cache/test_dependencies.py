"""Which files' functions an edit has interpreted again: those that would read something else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest

from jitlint.analysis import engine
from jitlint.analysis.options import AnalysisOptions
from jitlint.cache.folder import CacheFolder, PartFolder
from jitlint.config.configuration import TracedCallable

Run = Callable[..., tuple[set[str], list[str]]]


class Edited:
    """A project that is linted again after each edit, and each time compared with a cold run."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.folder = folder

    def lint(self, files: Mapping[str, str | None]) -> tuple[set[str], list[tuple[str, int, str]]]:
        """Write (or delete) files and lint.

        Args:
          files: their new texts.

        Returns:
          The files whose functions were interpreted, and file, row and code of each report.
        """
        for name, text in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
        warm = PartFolder(CacheFolder(self.folder / "warm"), "")
        # What is known of a whole run would keep back who has to be interpreted again.
        for path in (self.folder / "warm").rglob("whole-*"):
            path.unlink()
        found = engine.analyze(self.root, [self.root], cache=warm).diagnostics
        cold = engine.analyze(self.root, [self.root]).diagnostics
        assert [json.dumps(dict(d.to_json())) for d in found] == [
            json.dumps(dict(d.to_json())) for d in cold
        ]
        names = {str(path.relative_to(self.root)) for path in warm.interpreted}
        rows = [
            (str(Path(d.filename).relative_to(self.root)), d.location.row, d.code) for d in found
        ]
        return names, rows


@pytest.fixture
def edited(tmp_path: Path) -> Edited:
    return Edited(tmp_path)


APART = {
    "a.py": "import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n",
    "b.py": "import jax\n\n\n@jax.jit\ndef g(x):\n    return float(x)\n",
}


def test_nothing_is_interpreted_again_where_nothing_has_changed(edited):
    assert edited.lint(APART) == ({"a.py", "b.py"}, [("b.py", 6, "JIT105")])
    assert edited.lint({}) == (set(), [("b.py", 6, "JIT105")])


def test_files_that_have_nothing_to_do_with_each_other(edited):
    edited.lint(APART)
    assert edited.lint({"b.py": APART["b.py"].replace("float", "int")})[0] == {"b.py"}
    assert edited.lint({"a.py": APART["a.py"] + "\n# more\n"})[0] == set()
    assert edited.lint({"a.py": APART["a.py"] + "\nmore = 1\n"})[0] == set()


HELPER = "import jax\n\n\ndef helper(x):\n    return x\n"
CALLER = "import jax\nfrom helper import helper\n\n\n@jax.jit\ndef f(x):\n    return helper(x)\n"


def test_an_edit_of_what_is_imported(edited):
    assert edited.lint({"helper.py": HELPER, "caller.py": CALLER, **APART})[0] >= {"caller.py"}
    again, found = edited.lint({"helper.py": HELPER.replace("return x", "return float(x)")})
    assert again == {"caller.py"}
    assert ("helper.py", 5, "JIT105") in found


def test_an_edit_of_a_caller_changes_the_reports_in_what_it_calls(edited):
    helper = HELPER.replace("return x", "if x > 0:\n        return x\n    return -x")
    _, found = edited.lint({"helper.py": helper, "caller.py": CALLER, **APART})
    assert ("helper.py", 5, "JIT101") in found
    again, found = edited.lint({"caller.py": CALLER.replace("@jax.jit\n", "")})
    assert again <= {"caller.py"}
    assert not any(name == "helper.py" for name, *_ in found)


def test_what_a_function_at_some_distance_returns(edited):
    far = "def far(x):\n    return x.shape[0]\n"
    near = "from far import far\n\n\ndef near(x):\n    return far(x)\n"
    user = (
        "import jax\nfrom near import near\n\n\n"
        "@jax.jit\ndef f(x):\n    if near(x) > 2:\n        return x\n    return -x\n"
    )
    assert edited.lint({"far.py": far, "near.py": near, "user.py": user, **APART})[1][1:] == []
    again, found = edited.lint({"far.py": far.replace(".shape[0]", ".sum()")})
    assert again == {"user.py"}
    assert ("user.py", 7, "JIT101") in found


def test_a_module_that_appears_and_goes(edited):
    user = "import jax\nfrom fast import go\n\n\n@jax.jit\ndef f(x):\n    return go(x)\n"
    edited.lint({"user.py": user, **APART})
    again, found = edited.lint({"fast.py": "def go(x):\n    return float(x)\n"})
    assert again == {"user.py"}
    assert ("fast.py", 2, "JIT105") in found
    again, found = edited.lint({"fast.py": None})
    assert again == {"user.py"}
    assert found == [("b.py", 6, "JIT105")]


REGISTRY = "HANDLERS = {}\n\n\ndef register(f):\n    HANDLERS[f.__name__] = f\n    return f\n"
DISPATCH = (
    "import jax\nfrom registry import HANDLERS\n\n\n@jax.jit\ndef run(x):\n"
    "    for handler in HANDLERS.values():\n        x = handler(x)\n    return x\n"
)


def test_a_registry_that_another_module_fills(edited):
    plugin = "from registry import register\n\n\n@register\ndef first(x):\n    return x\n"
    project = {"registry.py": REGISTRY, "dispatch.py": DISPATCH, "plugin.py": "# jax\n" + plugin}
    _, found = edited.lint({**project, **APART})
    assert found == [("b.py", 6, "JIT105")]
    again, found = edited.lint(
        {"plugin.py": "# jax\n" + plugin.replace("return x", "return float(x)")}
    )
    assert again == {"dispatch.py"}
    assert ("plugin.py", 7, "JIT105") in found
    # A module of which nobody knew.
    again, found = edited.lint({"more.py": "# jax\n" + plugin.replace("return x", "return int(x)")})
    assert again == {"dispatch.py"}
    assert ("more.py", 7, "JIT105") in found


def test_rules_of_differentiation_that_another_module_defines(edited):
    rooted = (
        "import jax\n\n\n@jax.custom_vjp\ndef rooted(x):\n    return x\n\n\n"
        "def forward(x):\n    return x, x\n\n\ndef backward(kept, g):\n    return (float(kept),)\n"
    )
    rules = "import jax\nimport rooted\n\nrooted.rooted.defvjp(rooted.forward, rooted.backward)\n"
    user = "import jax\nfrom rooted import rooted\n\n\n@jax.jit\ndef f(x):\n    return rooted(x)\n"
    main = {"main.py": "import rules, user\n"}
    files = {"rooted.py": rooted, "rules.py": rules, "user.py": user, **main, **APART}
    _, found = edited.lint(files)
    assert ("rooted.py", 14, "JIT105") in found
    again, found = edited.lint({"rules.py": rules.replace("rooted.rooted.defvjp", "print")})
    assert "user.py" in again
    assert not again & set(APART)
    assert ("rooted.py", 14, "JIT105") not in found


def test_an_object_that_another_module_changes(edited):
    settings = (
        "import jax\n\n\nclass Settings:\n    pass\n\n\nsettings = Settings()\nsettings.f = abs\n"
    )
    setting = "import jax\nfrom settings import settings\n\nsettings.f = jax.jit(abs)\n"
    user = (
        "import jax\nfrom settings import settings\n\n\n"
        "@jax.jit\ndef f(x):\n    return settings.f(x)\n"
    )
    files = {"settings.py": settings, "setting.py": setting, "user.py": user, **APART}
    edited.lint({**files, "main.py": "import setting, user\n"})
    again, _ = edited.lint({"setting.py": setting.replace("abs", "float")})
    assert "user.py" in again
    assert not again & set(APART)


def test_a_subclass_in_another_module(edited):
    base = "import jax\n\n\nclass Base:\n    @jax.jit\n    def call(self, x):\n        return x\n"
    _, found = edited.lint({"base.py": base, **APART})
    assert ("base.py", 5, "JIT309") in found
    derived = (
        "import jax\nfrom base import Base\n\n\n@jax.tree_util.register_pytree_node_class\n"
        "class Derived(Base):\n    def tree_flatten(self):\n        return (), None\n"
    )
    again, found = edited.lint({"derived.py": derived})
    assert "base.py" in again
    assert not again & set(APART)
    assert ("base.py", 5, "JIT309") not in found


FACTORY = "import jax\n\n\ndef make(k):\n    f = jax.jit(lambda x: x * k)\n    return f(1)\n"


def test_calls_in_a_loop_of_another_module(edited):
    loop = "import jax\nfrom factory import make\n\n\ndef main():\n    make(2)\n"
    _, found = edited.lint({"factory.py": FACTORY, "loop.py": loop, **APART})
    assert found == [("b.py", 6, "JIT105")]
    looped = loop.replace("    make(2)", "    for k in range(3):\n        make(k)")
    again, found = edited.lint({"loop.py": looped})
    assert ("factory.py", 5, "JIT301") in found
    assert not again & set(APART)
    again, found = edited.lint({"loop.py": loop})
    assert found == [("b.py", 6, "JIT105")]
    assert not again & set(APART)


def test_who_calls_a_transformed_function_decides_whether_it_is_traced_by_itself(edited):
    made = "import jax\n\n\n@jax.jit\ndef step(x, n):\n    return range(n)\n"
    user = "import jax\nfrom made import step\n\n\ndef main(x):\n    step(x, 2)\n"
    _, found = edited.lint({"made.py": made, **APART})
    assert ("made.py", 6, "JIT107") in found
    again, found = edited.lint({"user.py": user})
    assert not again & set(APART)
    assert ("made.py", 6, "JIT107") in found
    again, _ = edited.lint({"user.py": None})
    assert not again & set(APART)


def test_what_is_selected_in_a_module_belongs_to_it(edited):
    lib = "import jax\n\n\ndef wrap(f):\n    return f\n"
    long = "\n".join(f"    y = {n}" for n in range(60))
    user = (
        "import jax\nfrom lib import wrap\n\n\n"
        f"def big(x):\n{long}\n    return wrap(lambda z: float(z))(x)\n\n\n"
        "@jax.jit\ndef f(x):\n    return x\n\n\ndef main():\n    big(f(1))\n"
    )
    edited.lint({"lib.py": lib, "user.py": user, **APART})
    again, _ = edited.lint({"lib.py": lib.replace("return f", "return jax.jit(f)")})
    assert "user.py" in again
    assert not again & set(APART)


def test_options_that_decide_what_is_found_are_part_of_the_key(edited, tmp_path):
    edited.lint({"mine.py": "import jax\n\n\ndef go(f):\n    return f\n", **APART})
    rows = {"mine.go": TracedCallable()}
    options = AnalysisOptions(traced_callables=rows)
    kept = PartFolder(CacheFolder(tmp_path / "warm"), "other")
    engine.analyze(edited.root, [edited.root], options=options, cache=kept)
    assert {path.name for path in kept.interpreted} >= {"a.py", "b.py"}


def test_a_broken_record_is_as_good_as_none(edited, tmp_path):
    first = edited.lint(APART)
    for number, path in enumerate(sorted((tmp_path / "warm").rglob("part-*.msgpack"))):
        data = path.read_bytes()
        path.write_bytes([b"{", data[: len(data) // 2], b"[]", b""][number % 4])
    assert edited.lint({}) == first
    for path in (tmp_path / "warm").rglob("part-*.msgpack"):
        record = msgspec.msgpack.decode(path.read_bytes())
        record["segments"][0]["reports"] = [[0, 1]]
        path.write_bytes(msgspec.msgpack.encode(record))
    assert edited.lint({}) == first
