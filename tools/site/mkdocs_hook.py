"""Gives MkDocs the addresses of pyproject.toml, where they are known."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

_PYPROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def on_config(config: Any) -> Any:
    """Called by MkDocs with its configuration."""
    project = tomllib.loads(_PYPROJECT.read_text(encoding="utf-8"))["project"]
    urls = {label.lower(): address for label, address in project.get("urls", {}).items()}
    config.site_url = urls.get("documentation")
    config.repo_url = urls.get("source")
    return config
