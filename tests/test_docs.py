"""The documentation shows what jitlint says today, and its links and names lead somewhere."""

import re
from importlib import import_module

import pytest

from tools.site.files import DOCS, renewed_files, stale

ROOT = DOCS.parent
#: where the guide's names begin: it calls the rooms of the interpreter by their own
ROOMS = ("", "jitlint.", "jitlint.absint.")
PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md"])


def test_what_is_made_is_fresh():
    found = stale(renewed_files())
    assert not found, "stale: run python -m tools.site"


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page):
    text = page.read_text(encoding="utf-8")
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    links = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    local = [link for link in links if "://" not in link]
    assert not [link for link in local if not (page.parent / link).exists()]
    names = re.findall(r'--8<-- "([^":]+)', page.read_text(encoding="utf-8"))
    assert not [name for name in names if not (ROOT / name).is_file()]


def test_every_page_is_in_the_navigation():
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = set(re.findall(r": ([\w/-]+\.md)$", settings, re.MULTILINE))
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    # A rule's page is reached from the table of rules.
    assert listed == {name for name in pages if not re.match(r"rules/JIT", name)}


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
