"""Configuration files: which one holds, every key, and what is said about a wrong one."""

from pathlib import Path

import pytest

from jitlint.config.configuration import Config, TracedCallable, load_config
from jitlint.config.nearest import Configurations
from jitlint.diagnostics import Severity
from jitlint.usage_errors import UsageError


def find_config(folder: Path) -> Config:
    return Configurations(folder).main


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


FULL_TOML = """
[tool.jitlint]
select = ["JIT1"]
ignore = ["jit104"]
extend-select = ["JIT901"]
exclude = ["gen"]
extend-exclude = ["*_pb2.py"]
min-severity = "error"
docstring-examples = true
jobs = 3
src = ["lib"]
[tool.jitlint.per-file-ignores]
"tests/*" = ["JIT101"]
[tool.jitlint.traced-callables]
"mylib.jit" = { argument = "fun", static = "static_names" }
"mylib.scan" = 1
"""

FULL_CFG = """
[jitlint]
select = JIT1
ignore =
    jit104
extend-select = JIT901
exclude = gen
extend_exclude = *_pb2.py
min-severity = error
docstring-examples = true
jobs = 3
src = lib
per-file-ignores =
    tests/*: JIT101
traced-callables =
    mylib.jit: argument=fun static=static_names
    mylib.scan: argument=1
"""


@pytest.mark.parametrize(("name", "text"), [("pyproject.toml", FULL_TOML), ("setup.cfg", FULL_CFG)])
def test_every_key(tmp_path, name, text):
    path = write(tmp_path / name, text)
    config = find_config(tmp_path)
    assert config.path == path
    assert config.base == tmp_path
    assert config.select == ("JIT1",)
    assert config.ignore == ("JIT104",)
    assert config.extend_select == ("JIT901",)
    assert config.exclude == ("gen",)
    assert config.extend_exclude == ("*_pb2.py",)
    assert config.min_severity is Severity.ERROR
    assert config.docstring_examples is True
    assert config.jobs == 3
    assert config.src == (tmp_path / "lib",)
    assert config.per_file_ignores == {"tests/*": ("JIT101",)}
    assert config.traced_callables == {
        "mylib.jit": TracedCallable("fun", "static_names"),
        "mylib.scan": TracedCallable(1),
    }


def test_the_nearest_file_that_speaks_of_jitlint_holds(tmp_path):
    write(tmp_path / "pyproject.toml", "[tool.jitlint]\nmin-severity = 'info'\n")
    write(tmp_path / "a/pyproject.toml", "[tool.other]\n")
    write(tmp_path / "a/b/setup.cfg", "[flake8]\n")
    (tmp_path / "a/b/c").mkdir()
    assert find_config(tmp_path / "a/b/c").path == tmp_path / "pyproject.toml"


def test_pyproject_goes_before_setup_cfg_and_they_are_not_merged(tmp_path):
    write(tmp_path / "pyproject.toml", "[tool.jitlint]\nselect = ['JIT1']\n")
    write(tmp_path / "setup.cfg", "[jitlint]\nignore = JIT101\n")
    config = find_config(tmp_path)
    assert (config.select, config.ignore) == (("JIT1",), ())


def test_no_configuration(tmp_path):
    config = find_config(tmp_path)
    assert config.path is None
    assert config.min_severity is Severity.WARNING


def test_a_broken_file_that_does_not_concern_jitlint_is_passed_over(tmp_path):
    write(tmp_path / "pyproject.toml", "this is = = not TOML")
    write(tmp_path / "setup.cfg", "neither is this\n")
    assert find_config(tmp_path).path is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("selekt = ['JIT1']", ["selekt", "extend-select", "traced-callables"]),
        ("select = ['JIT8']", ["select", "JIT8", "JIT101"]),
        ("select = ['E501']", ["E501", "JIT101"]),
        ("select = 'JIT1'", ["select", "list of strings"]),
        ("min-severity = 'fatal'", ["min-severity", "fatal", "info, warning, error"]),
        ("jobs = 0", ["jobs", "expected a number from 1", "0"]),
        ("jobs = true", ["jobs", "expected a number from 1", "True"]),
        ("jobs = 'all'", ["jobs", "expected a number from 1", "all"]),
        ("docstring-examples = 'yes'", ["docstring-examples", "yes", "true or false"]),
        ("min-severity = 3", ["min-severity", "3", "info, warning, error"]),
        ("exclude = [1]", ["exclude", "list of strings"]),
        ("assume-traced = 'a.*'", ["assume-traced", "list of patterns", "table"]),
        ("assume-traced = ['']", ["assume-traced", "mylib.losses.*"]),
        ("assume-traced = {'a.f' = 'n'}", ["assume-traced", "list of strings"]),
        ("assume-traced = {'a.f' = ['n m']}", ["assume-traced", "n m", "parameter"]),
        ("per-file-ignores = ['x']", ["per-file-ignores", "table"]),
        ("per-file-ignores = {x = ['JIT777']}", ["per-file-ignores", "JIT777"]),
        ("traced-callables = {'a b' = 0}", ["traced-callables", "a b"]),
        ("traced-callables = {f = {arg = 0}}", ["traced-callables", "arg", "argument"]),
        ("traced-callables = {f = -1}", ["traced-callables", "-1"]),
        ("traced-callables = {f = true}", ["traced-callables", "True"]),
        ("traced-callables = {f = {static = 'a b'}}", ["traced-callables", "a b"]),
        ("extend-exclude = []\nextend_exclude = []", ["extend-exclude", "twice"]),
        ("jitlint = ", ["not valid TOML"]),
    ],
)
def test_what_is_wrong_is_named_on_one_line(tmp_path, text, words):
    path = write(tmp_path / "pyproject.toml", f"[tool.jitlint]\n{text}\n")
    with pytest.raises(UsageError) as caught:
        find_config(tmp_path)
    message = str(caught.value)
    assert "\n" not in message
    for word in (str(path), *words):
        assert word in message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("per-file-ignores = JIT101", ["per-file-ignores", "JIT101"]),
        ("traced-callables =\n  f: zero", ["traced-callables", "zero"]),
        ("nonsense", ["not a valid configuration file"]),
    ],
)
def test_wrong_setup_cfg(tmp_path, text, words):
    path = write(tmp_path / "setup.cfg", f"[jitlint]\n{text}\n")
    with pytest.raises(UsageError) as caught:
        find_config(tmp_path)
    for word in (str(path), *words):
        assert word in str(caught.value)


def test_named_file(tmp_path):
    path = write(tmp_path / "other.toml", "[tool.jitlint]\nignore = ['JIT104']\n")
    assert load_config(path).ignore == ("JIT104",)
    with pytest.raises(UsageError, match="no such configuration file"):
        load_config(tmp_path / "missing.toml")
    with pytest.raises(UsageError, match=r"no \[tool.jitlint\] table"):
        load_config(write(tmp_path / "empty.toml", ""))
    with pytest.raises(UsageError, match=r"no \[jitlint\] section"):
        load_config(write(tmp_path / "empty.cfg", ""))


def test_functions_that_are_assumed_to_be_traced(tmp_path):
    base = write(
        tmp_path / "pyproject.toml",
        """
[tool.jitlint.assume-traced]
"mylib.solve" = ["method", "steps"]
"src/ops/*.py" = []
""",
    ).parent
    expected = {"mylib.solve": ("method", "steps"), str(base / "src/ops/*.py"): ()}
    assert find_config(tmp_path).assume_traced == expected
    write(tmp_path / "pyproject.toml", "[tool.jitlint]\nassume-traced = ['a.*', 'b.f']\n")
    assert find_config(tmp_path).assume_traced == {"a.*": (), "b.f": ()}


def test_the_same_in_an_ini_file(tmp_path):
    write(tmp_path / "setup.cfg", "[jitlint]\nassume-traced = a.*, b.f\n")
    assert find_config(tmp_path).assume_traced == {"a.*": (), "b.f": ()}
    write(tmp_path / "setup.cfg", "[jitlint]\nassume-traced =\n  a.*: n, m\n  b.f:\n")
    assert find_config(tmp_path).assume_traced == {"a.*": ("n", "m"), "b.f": ()}
