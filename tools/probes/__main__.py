"""Compare the tables with the installed libraries, or write them anew.

``python -m tools.probes [TABLE ...]`` prints in what the stored tables differ from what the
libraries do, and exits with 1 if they do.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import jax

from jitlint.jaxmodel import frameworks, functions
from tools.probes.documents import Document, differences, merged, other_versions, read, rendered
from tools.probes.framework_tables import facts_document, transforms_document
from tools.probes.function_table import functions_document

Measure = Callable[[Document, str], Mapping[str, Any]]

#: How each table is measured, by the name of its file.
_TABLES: Final[dict[str, tuple[Path, Measure]]] = {
    path.stem: (path, measure)
    for path, measure in (
        (functions.DATA_FILE, functions_document),
        (frameworks.FACTS_FILE, facts_document),
        (frameworks.TRANSFORMS_FILE, transforms_document),
    )
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
      arguments: the command line without the program's name.

    Returns:
      The exit code: 1 when differences were found and not written.
    """
    parser = argparse.ArgumentParser(prog="python -m tools.probes", description=__doc__)
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"of {', '.join(_TABLES)}")
    parser.add_argument("--write", action="store_true", help="rewrite the stored tables")
    parser.add_argument("--only", default="", metavar="PREFIX", help="measure only these names")
    parser.add_argument("--notes", action="store_true", help="print every failure that was seen")
    options = parser.parse_args(arguments)
    for name in options.tables:
        if name not in _TABLES:
            parser.error(f"no table {name!r} (expected one of {', '.join(_TABLES)})")
    logging.basicConfig(format="%(message)s")
    logging.getLogger("tools").setLevel(logging.INFO if options.notes else logging.ERROR)
    if "JAX_PLATFORMS" not in os.environ:
        jax.config.update("jax_platforms", "cpu")  # type: ignore[no-untyped-call]
    status = 0
    for name in options.tables or _TABLES:
        path, measure = _TABLES[name]
        stored = read(path)
        document = merged(stored, measure(stored, options.only), options.only)
        found = differences(stored, document)
        if found:
            found += other_versions(stored, document)
        sys.stdout.writelines(f"{line}\n" for line in found)
        if options.write:
            path.write_text(rendered(document), encoding="utf-8")
        elif found:
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
