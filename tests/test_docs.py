"""The README says what the rules say, and the guide for contributors names what there is."""

import re
from importlib import import_module

from tools.readme import README, renewed

ROOT = README.parent
#: where the guide's names begin: it calls the rooms of the interpreter by their own
ROOMS = ("", "jitlint.", "jitlint.absint.")


def test_the_table_of_rules_in_the_readme_is_fresh():
    text = README.read_text(encoding="utf-8")
    assert renewed(text) == text, "the README's table of rules is stale: run python -m tools.readme"


def test_the_files_that_the_guide_names_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"[\w./]*\w\.(?:py|json)\b", text)
    folders = [ROOT.joinpath(*room.split(".")) for room in (*ROOMS, "fixtures", "tools.probes")]
    assert named
    assert not [name for name in named if not any((folder / name).is_file() for folder in folders)]


def test_the_names_that_the_guide_gives_are_there():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = re.findall(r"`([a-z]\w*(?:\.\w+){2,})`", text)
    assert named
    assert not [name for name in named if not any(_is_there(f"{room}{name}") for room in ROOMS)]


def _is_there(name):
    module, _, attribute = name.rpartition(".")
    try:
        return hasattr(import_module(module), attribute)
    except ModuleNotFoundError:
        return False
