"""What tests replace does not run while they do."""

from __future__ import annotations

from tests.linting import project_reports

_COPYING = """
from functools import partial

import jax


@partial(jax.jit, static_argnames=["spec"])
def copied(src, dest, spec=None):
    return dest + src


def insert(dest, src, spec):
    return copied(src=src, dest=dest, spec=spec)
"""

_WORKER = """
from lib.copying import {name}


class Worker:
    def __init__(self, caches):
        self.caches = caches
        self.pulled = {{}}

    def load(self, name):
        self.caches = {name}(self.caches, self.pulled.pop(name), None)
        return self.caches
"""

_TEST = """
import unittest
from unittest.mock import patch

from lib import worker


class TestWorker(unittest.TestCase):
    def setUp(self):
        patchers = {{"{name}": patch("lib.worker.{replaced}")}}
        self.mocks = {{key: patcher.start() for key, patcher in patchers.items()}}

    def test_load(self):
        self.mocks["{name}"].return_value = "new"
        tried = worker.Worker("old")
        tried.pulled = {{"a": "chunk"}}
        tried.load("a")
        self.assertEqual(tried.caches, "new")
"""


def _project(name: str, replaced: str) -> dict[str, str]:
    return {
        "lib/__init__.py": "",
        "lib/copying.py": _COPYING,
        "lib/worker.py": _WORKER.format(name=name),
        "tests/test_worker.py": _TEST.format(name=name, replaced=replaced),
    }


def test_what_a_test_replaces_is_not_called() -> None:
    assert project_reports(_project("insert", "insert")) == []
    assert project_reports(_project("copied", "copied")) == []


def test_what_it_does_not_replace_is() -> None:
    found = project_reports(_project("insert", "socket"))
    assert found == [("lib/copying.py", 13, "JIT308"), ("lib/copying.py", 13, "JIT308")]
