"""Where the project and its rules are to be read of, on the network.

The one place for addresses is ``[project.urls]`` in pyproject.toml: what is built carries them in
its metadata, and they are read from there. Without any, nothing claims to have one.
"""

from __future__ import annotations

from functools import cache


def homepage() -> str | None:
    """The address of the project."""
    return _address("homepage") or _address("documentation")


def page_address(code: str) -> str | None:
    """The address of a rule's page on the documentation site.

    Args:
      code: the rule's code.
    """
    site = _address("documentation")
    return None if site is None else f"{site.rstrip('/')}/rules/{code}/"


@cache
def _address(label: str) -> str | None:
    # Not at the top: what reports as text needs none of it.
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        entries = metadata("jitlint").get_all("Project-URL") or ()
    except PackageNotFoundError:
        return None
    for entry in entries:
        name, _, address = entry.partition(",")
        if name.strip().lower() == label:
            return str(address).strip()
    return None
