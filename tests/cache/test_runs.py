"""``jitlint check`` with results of earlier runs: what is kept, and what is done without."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from jitlint.cli.main import main
from jitlint.output.formats import FORMATS
from tests.commands import jitlint

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "import jax\n\n\n@jax.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
OLD = time.time() - 3600


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A project that nobody has touched for an hour."""
    root = tmp_path / "project"
    (root / "pkg").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.jitlint]\n")
    (root / "pkg" / "__init__.py").write_text("")
    (root / "pkg" / "a.py").write_text(HOSTILE)
    (root / "pkg" / "b.py").write_text("x = 1  # noqa: JIT101\n")
    (root / "notes.md").write_text("```python\n" + HOSTILE + "```\n")
    age(root)
    monkeypatch.chdir(root)
    monkeypatch.delenv("JITLINT_CACHE_DIR", raising=False)
    return root


def age(root: Path) -> None:
    for path in (root, *root.rglob("*")):
        os.utime(path, (OLD, OLD))


def run(*arguments: str, environment: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Run the command in a process of its own."""
    done = jitlint("check", *arguments, env=environment)
    return done.returncode, done.stdout, done.stderr


def checked(capsys, *arguments: str) -> str:
    main(["check", "--output-format", "json", *arguments])
    return capsys.readouterr().out


_IMPORTS = """
import sys
from jitlint.cli.main import main
code = main(["check", *sys.argv[1:]])
heavy = ("libcst", "jitlint.absint", "jitlint.analysis", "jitlint.rules.registry", "jax", "numpy")
print([name for name in heavy if name in sys.modules], file=sys.stderr)
sys.exit(code)
"""


def importing(*arguments: str) -> tuple[int, str, str]:
    """Run the command in a process that nobody has prepared; what it has imported comes last."""
    done = subprocess.run(
        [sys.executable, "-c", _IMPORTS, *arguments],
        capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr.splitlines()[-1]


@pytest.mark.parametrize("form", sorted({*FORMATS} - {"sarif"}))
def test_a_warm_run_imports_nothing_heavy_and_says_the_same(project, form):
    cold = run("--output-format", form)
    assert cold[0] == 1
    code, said, imported = importing("--output-format", form)
    assert (code, said) == cold[:2]
    assert imported == "[]"


def test_a_cold_run_imports_what_is_heavy(project):
    assert "jitlint.absint" in importing()[2]


def test_sarif_says_the_same(project):
    assert run("--output-format", "sarif") == run("--output-format", "sarif")


def test_the_folder_is_marked(project):
    run()
    folder = project / ".jitlint_cache"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f")
    assert (folder / ".gitignore").read_text() == "*\n"
    run("--no-cache", "--cache-dir", "other")
    assert not (project / "other").exists()


def test_where_the_folder_is(project, tmp_path, monkeypatch, capsys):
    (project / "pyproject.toml").write_text('[tool.jitlint]\ncache-dir = "kept"\n')
    checked(capsys)
    assert (project / "kept" / "CACHEDIR.TAG").exists()
    monkeypatch.setenv("JITLINT_CACHE_DIR", str(tmp_path / "variable"))
    checked(capsys)
    assert (tmp_path / "variable" / "CACHEDIR.TAG").exists()
    checked(capsys, "--cache-dir", str(tmp_path / "option"))
    assert (tmp_path / "option" / "CACHEDIR.TAG").exists()
    assert not (project / ".jitlint_cache").exists()


EDITS = {
    "an edit": lambda root: (root / "pkg" / "a.py").write_text(HOSTILE.replace("if x", "while x")),
    "an edit that keeps time and size": lambda root: keep_times(root / "pkg" / "a.py"),
    "a new file": lambda root: (root / "pkg" / "c.py").write_text(HOSTILE),
    "a new folder": lambda root: new_folder(root),
    "a deleted file": lambda root: (root / "pkg" / "a.py").unlink(),
    "a renamed file": lambda root: (root / "pkg" / "a.py").rename(root / "pkg" / "z.py"),
    "an environment": lambda root: (root / "pkg" / "pyvenv.cfg").write_text(""),
    "a document": lambda root: (root / "notes.md").write_text("nothing\n"),
    "a comment": lambda root: (root / "pkg" / "a.py").write_text(
        HOSTILE.replace("0:", "0:  # noqa")
    ),
    "the configuration": lambda root: (root / "pyproject.toml").write_text(
        '[tool.jitlint]\nextend-exclude = ["a.py"]\n'
    ),
    "the rules": lambda root: (root / "pyproject.toml").write_text(
        '[tool.jitlint]\nignore = ["JIT101"]\n'
    ),
    "a transform": lambda root: (root / "pyproject.toml").write_text(
        '[tool.jitlint.traced-callables]\n"pkg.b.go" = 0\n'
    ),
    "nothing": lambda root: None,
    "a touched file": lambda root: (root / "pkg" / "a.py").touch(),
}


def keep_times(path: Path) -> None:
    before = path.stat()
    path.write_text(HOSTILE.replace("x > 0", "x < 0"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def new_folder(root: Path) -> None:
    (root / "pkg" / "sub").mkdir()
    (root / "pkg" / "sub" / "d.py").write_text(HOSTILE)


@pytest.mark.parametrize("settled", [True, False])
@pytest.mark.parametrize("what", EDITS)
def test_a_warm_run_after(project, what, settled, capsys):
    first = checked(capsys)
    if settled:
        age(project)
        assert checked(capsys) == first
    EDITS[what](project)
    warm = checked(capsys)
    assert warm == checked(capsys, "--no-cache")
    assert (warm == first) == (what in ("nothing", "a touched file", "a transform"))
    assert checked(capsys) == warm


def test_each_request_by_itself(project, capsys):
    requests = (
        [], ["pkg"], ["pkg/a.py"], ["pkg/b.py"], ["notes.md"], ["--no-prefilter"], ["--isolated"],
        ["--exclude", "a.py"], ["--extend-exclude", "*.md"], ["--select", "JIT101"],
        ["--min-severity", "info"], ["--statistics"], ["--select", "JIT902"], ["--jobs", "2"],
    )  # fmt: skip
    for arguments in requests:
        expected = checked(capsys, "--no-cache", *arguments)
        assert checked(capsys, *arguments) == expected
        assert checked(capsys, *arguments) == expected


def test_standard_input_sees_the_others_and_leaves_nothing(project):
    text = "import jax\nfrom pkg.a import f\n\n\n@jax.jit\ndef g(x):\n    return float(f(x))\n"
    arguments = ("-", "--stdin-filename", "pkg/b.py", "--output-format", "json")

    def given(*more: str) -> str:
        return str(jitlint("check", *arguments, *more, stdin=text).stdout)

    run()
    files = sorted(project.rglob("*.msgpack"))
    assert given() == given("--no-cache") != "[]\n"
    assert sorted(project.rglob("*.msgpack")) == files


def test_a_folder_that_cannot_be_made(project, tmp_path):
    (tmp_path / "file").write_text("")
    expected = run("--no-cache")
    for folder in (tmp_path / "file", tmp_path / "file" / "inner"):
        code, out, err = run("--cache-dir", str(folder))
        assert (code, out) == expected[:2]
        assert err.splitlines() == [
            f"jitlint: warning: cannot keep results in {folder}: "
            f"{os.strerror(20 if folder.name == 'inner' else 20)}"
        ]


def test_a_folder_of_the_usual_name_that_is_a_file(project):
    (project / ".jitlint_cache").write_text("")
    assert run() == run("--no-cache")


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written(project):
    (project / ".jitlint_cache").mkdir(mode=0o500)
    assert run() == run("--no-cache")


@pytest.mark.parametrize("garbage", [b"", b"\x00\xff", b"{", b"[]", b"null", b'{"stamps": 3}'])
def test_broken_files(project, garbage, capsys):
    expected = checked(capsys)
    files = list((project / ".jitlint_cache").rglob("*.msgpack"))
    assert files
    for path in files:
        path.write_bytes(garbage)
    assert checked(capsys) == expected
    assert checked(capsys) == expected


def test_fields_of_another_shape(project, capsys):
    expected = checked(capsys)
    (record,) = (project / ".jitlint_cache").rglob("run-*.msgpack")
    good = msgspec.msgpack.decode(record.read_bytes())
    for field in good:
        for value in (None, 3, [3], {"a": 3}, [[3]]):
            record.write_bytes(msgspec.msgpack.encode({**good, field: value}))
            found = checked(capsys)
            assert found == expected or field == "commented", (field, value)


def test_results_of_other_versions_lie_apart(project, monkeypatch, capsys):
    from jitlint.cache import folder

    expected = checked(capsys)
    monkeypatch.setattr(folder, "version_key", lambda: "9.9.9-other")
    assert checked(capsys) == expected
    kept = {path.name for path in (project / ".jitlint_cache").iterdir() if path.is_dir()}
    assert len(kept) == 2


def test_what_is_old_or_too_much_is_thrown_away(project, monkeypatch, capsys):
    from jitlint.cache import folder

    checked(capsys)
    place = project / ".jitlint_cache"
    (own,) = (path for path in place.iterdir() if path.is_dir())
    for number in range(9):
        other = place / f"0.0.{number}-{number:016x}"
        other.mkdir()
        os.utime(other, (OLD - number, OLD - number))
    stale = own / "part-stale.msgpack"
    stale.write_text("{}")
    os.utime(stale, (OLD - 40 * 86400, OLD - 40 * 86400))
    (project / "pkg" / "new.py").write_text(HOSTILE)
    checked(capsys)
    assert not stale.exists()
    assert sum(path.is_dir() for path in place.iterdir()) == folder._KEPT_VERSIONS
    monkeypatch.setattr(folder, "_KEPT_BYTES", 2000)
    (project / "pkg" / "new.py").write_text(HOSTILE + "\n")
    checked(capsys)
    assert sum(path.stat().st_size for path in own.iterdir()) <= 2000


def test_a_folder_that_holds_other_things_keeps_them(project, capsys):
    others = [project / f"mine{number}" / "data.json" for number in range(9)]
    for other in others:
        other.parent.mkdir()
        other.write_text("{}")
    for path in (*others, *(other.parent for other in others)):
        os.utime(path, (OLD - 60 * 86400, OLD - 60 * 86400))
    first = checked(capsys, "--cache-dir", ".")
    assert checked(capsys, "--cache-dir", ".") == first
    assert all(other.exists() for other in others)
    # Git would leave out all of the project.
    assert not (project / ".gitignore").exists()
    assert not (project / "CACHEDIR.TAG").exists()
    (version,) = (file.parent for file in project.rglob("run-*.msgpack"))
    assert (version / ".gitignore").read_text() == "*\n"


def test_many_runs_at_once(project):
    expected = run("--no-cache")
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: run(), range(8)))
    assert all(result == expected for result in results)
    assert run() == expected
    names = {path.name for path in (project / ".jitlint_cache").glob("*/*")}
    assert all(name.endswith(".msgpack") or name.startswith("lock-") for name in names)


def test_what_could_not_be_read_is_tried_again(project, capsys):
    (project / "pkg" / "gone.py").symlink_to("nowhere.py")
    main(["check", "--output-format", "json"])
    first = capsys.readouterr()
    main(["check", "--output-format", "json"])
    assert capsys.readouterr() == first
    assert "cannot read" in first.err


def test_a_link_that_leads_nowhere_among_the_modules_is_no_version(tmp_path, monkeypatch):
    from jitlint.cache import versions

    (tmp_path / "cache").mkdir()
    (tmp_path / "one.py").write_text("")
    (tmp_path / ".#one.py").symlink_to(tmp_path / "nowhere")
    monkeypatch.setattr(versions, "__file__", str(tmp_path / "cache" / "versions.py"))
    assert len(list(versions._own_files())) == 1


def test_nothing_is_written_into_what_is_no_project(tmp_path, capsys, monkeypatch):
    package = tmp_path / "site-packages" / "somebody"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(HOSTILE)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("JITLINT_CACHE_DIR", raising=False)
    for _ in range(2):
        assert [item["code"] for item in json.loads(checked(capsys, str(package)))] == ["JIT101"]
    assert [path.name for path in package.iterdir()] == ["__init__.py"]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["jitlint"]


def test_configurations_of_folders_count_where_there_is_a_cache(project, capsys):
    def is_reported() -> bool:
        found = json.loads(checked(capsys))
        return "a.py" in {Path(item["filename"]).name for item in found}

    assert is_reported()
    own = project / "pkg" / "jitlint.toml"
    own.write_text("ignore = ['JIT101']\n")
    assert not is_reported()
    own.write_text("exclude = ['b.py']\n")
    assert is_reported()
    own.write_text("exclude = ['a.py']\n")
    assert not is_reported()
    # What it is based on counts as well, wherever that is.
    base = project.parent / "base.toml"
    base.write_text("exclude = ['b.py']\n")
    own.write_text("extend = '../../base.toml'\n")
    assert is_reported()
    base.write_text("exclude = ['a.py']\n")
    assert not is_reported()
    own.unlink()
    assert is_reported()


def test_functions_that_a_nested_configuration_names_are_traced(project, capsys):
    texts = {
        "a": "def f(x):\n    if x > 0:\n        return x\n    return -x\n",
        "fast": "import jax\n\ndef fast(f):\n    return f\n",
        "use": "from pkg.a import f\nfrom pkg.fast import fast\nfast(f)\n",
    }
    for name, text in texts.items():
        (project / "pkg" / f"{name}.py").write_text(text)
    assert json.loads(checked(capsys, "--select", "JIT1", "pkg")) == []
    (project / "pkg" / ".jitlint.toml").write_text("[traced-callables]\n'pkg.fast.fast' = 0\n")
    for arguments in (["pkg"], ["--no-cache", "pkg"], ["pkg"], ["pkg/a.py"]):
        (found,) = json.loads(checked(capsys, "--select", "JIT1", *arguments))
        assert (Path(found["filename"]).name, found["code"]) == ("a.py", "JIT101")
