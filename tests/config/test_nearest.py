"""Which configuration holds for which file, and what one that extends another comes to."""

from pathlib import Path

import pytest

from jitlint.config.configuration import TracedCallable, load_config
from jitlint.config.nearest import Configurations
from jitlint.config.rule_selection import Layer
from jitlint.diagnostics import Severity
from jitlint.source.file_discovery import make_excluder
from jitlint.usage_errors import UsageError


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def enabled(config):
    return config.selection(Layer(), None).enabled


def test_the_nearest_above_a_file_holds(tmp_path, write):
    write("pyproject.toml", "[tool.jitlint]\nselect = ['JIT1']\n")
    write("packages/a/pyproject.toml", "[tool.jitlint]\nselect = ['JIT2']\n")
    write("packages/b/pyproject.toml", "[project]\nname = 'b'\n")
    configs = Configurations(tmp_path)
    assert configs.main.select == ("JIT1",)
    assert configs.of(tmp_path / "packages/a/deep/er/x.py").select == ("JIT2",)
    assert configs.of(tmp_path / "packages/b/x.py") is configs.main


def test_files_of_our_own_go_first_and_need_no_table(tmp_path, write):
    write("setup.cfg", "[jitlint]\nselect = JIT1\n")
    assert Configurations(tmp_path).main.select == ("JIT1",)
    write("pyproject.toml", "[tool.jitlint]\nselect = ['JIT2']\n")
    assert Configurations(tmp_path).main.select == ("JIT2",)
    write("jitlint.toml", "select = ['JIT3']\n")
    assert Configurations(tmp_path).main.select == ("JIT3",)
    write(".jitlint.toml", "")
    assert Configurations(tmp_path).main.select is None
    assert load_config(write("shared.toml", "select = ['JIT9']\n")).select == ("JIT9",)


def test_a_file_that_holds_for_all(tmp_path, write):
    write("a/jitlint.toml", "select = ['JIT2']\n")
    named = write("other.toml", "select = ['JIT1']\n")
    assert Configurations.of_file(named, tmp_path).of(tmp_path / "a/x.py").select == ("JIT1",)
    assert Configurations.none(tmp_path).of(tmp_path / "a/x.py").select is None


BASE = """
select = ["JIT1", "JIT2"]
ignore = ["JIT104"]
min-severity = "error"
exclude = ["gen", "old/code"]
extend-exclude = ["tmp"]
src = ["lib"]
[per-file-ignores]
"tests/*" = ["JIT101"]
[traced-callables]
"m.fast" = 1
"""


def test_extending_another(tmp_path, write):
    write("base.toml", BASE)
    write(
        "a/jitlint.toml", "extend = '../base.toml'\nextend-exclude = ['x/y']\nignore = ['JIT201']"
    )
    config = Configurations(tmp_path / "a").main
    assert config.files == [tmp_path / "a/jitlint.toml", tmp_path / "base.toml"]
    assert config.base == tmp_path / "a"
    assert config.min_severity is Severity.ERROR
    assert config.src == (tmp_path / "lib",)
    assert config.traced_callables == {"m.fast": TracedCallable(1)}
    # Choices of rules are layers: what is ignored below stays so, what is selected anew is not.
    assert "JIT101" in enabled(config)
    assert not {"JIT104", "JIT201", "JIT301"} & enabled(config)
    write("a/jitlint.toml", "extend = '../base.toml'\nselect = ['JIT104']")
    assert "JIT104" in enabled(Configurations(tmp_path / "a").main)
    # Patterns of paths mean what they mean where they stand.
    excluded = make_excluder((*config.exclude, *config.extend_exclude), config.base)
    for name in ("old/code", "a/gen", "a/tmp", "a/x/y"):
        assert excluded(tmp_path / name), name
    for name in ("a/old/code", "x/y"):
        assert not excluded(tmp_path / name), name
    assert list(config.per_file_ignores) == [f"{tmp_path}/tests/*"]


def test_a_chain_and_a_table(tmp_path, write):
    write("pyproject.toml", "[tool.jitlint]\nmin-severity = 'info'\n")
    write("a/setup.cfg", "[jitlint]\nextend = ../pyproject.toml\nselect = JIT1\n")
    write("a/b/jitlint.toml", "extend = '../setup.cfg'\n")
    config = Configurations(tmp_path / "a/b").main
    assert len(config.files) == 3
    assert config.min_severity is Severity.INFO
    assert {code[:4] for code in enabled(config)} == {"JIT1", "JIT9"}


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({"jitlint.toml": "extend = 'no.toml'"}, ["jitlint.toml: extend:", "no.toml: no such"]),
        ({"jitlint.toml": "extend = 3"}, ["extend", "expected a string"]),
        (
            {"jitlint.toml": "extend = 'b.toml'", "b.toml": "extend = 'jitlint.toml'"},
            ["extend each other", "jitlint.toml -> ", "b.toml -> "],
        ),
        ({"jitlint.toml": "extend = 'jitlint.toml'"}, ["extend each other"]),
        (
            {"jitlint.toml": "extend = 'pyproject.toml'", "pyproject.toml": "[tool.x]\n"},
            ["pyproject.toml: no [tool.jitlint] table"],
        ),
        (
            {"jitlint.toml": "extend = 'b.toml'", "b.toml": "selekt = []"},
            ["b.toml: unknown key 'selekt'"],
        ),
    ],
)
def test_what_is_wrong_with_extending(tmp_path, write, files, words):
    for name, text in files.items():
        write(name, text)
    with pytest.raises(UsageError) as caught:
        Configurations(tmp_path).main  # noqa: B018
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_what_holds_for_the_whole_analysis(tmp_path, write):
    write("jitlint.toml", "src = ['lib']\nselect = ['JIT1']\n[traced-callables]\n'm.f' = 0\n")
    write("a/jitlint.toml", "src = ['lib']\n[traced-callables]\n'a.g' = 1\n'm.f' = 2\n")
    write("b/jitlint.toml", "assume-traced = ['ops.*']\n")
    configs = Configurations(tmp_path)
    folders = [Path(tmp_path, name) for name in ("a", "b/c", "")]
    whole = configs.whole(folders)
    assert whole.select == ("JIT1",)
    assert whole.src == (tmp_path / "lib", tmp_path / "a/lib")
    # What is said nearer to the code weighs more.
    assert whole.traced_callables == {"m.f": TracedCallable(2), "a.g": TracedCallable(1)}
    assert whole.assume_traced == {"ops.*": ()}
    assert Configurations(tmp_path / "a").whole(folders).src[0] == tmp_path / "a/lib"
    assert Configurations(tmp_path).whole([tmp_path]).src == (tmp_path / "lib",)
