"""What was read is asked again without a parser, and without the interpreter."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
#: asks the tables of JAX as well, of few modules
SLOW = {"jitlint.absint.program.subclasses:_array_namespaces"}
ASKS = """\
import importlib, sys
for name in sys.argv[1:]:
    importlib.import_module(name)
print([name for name in ("libcst", "jitlint.absint.machine") if name in sys.modules])
"""


def test_rules_are_quick_to_import(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    command = [sys.executable, "-m", "jitlint", "check", "--quiet", "--cache-dir", str(cache)]
    subprocess.run([*command, "fixtures"], cwd=ROOT, capture_output=True, check=False)
    written = b"".join(path.read_bytes() for path in cache.rglob("*") if path.is_file())
    rules = {rule.decode() for rule in re.findall(rb"jitlint(?:\.\w+)+:\w+", written)}
    assert len(rules) > 30
    modules = {rule.partition(":")[0] for rule in rules - SLOW}
    imported = subprocess.run(
        [sys.executable, "-c", ASKS, *sorted(modules)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert imported.stdout == "[]\n"
