"""``--fix``, ``--diff`` and ``--fix-only``: what is done to the files, and what is said of it."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from jitlint.cli.streams import tell, write
from jitlint.diagnostics import Diagnostic
from jitlint.filters.diagnostic_filter import Select
from jitlint.foundation.phrases import counted
from jitlint.run.execution import Run
from jitlint.run.request import Request
from jitlint.source.file_names import shown_name
from jitlint.usage_errors import UsageError

if TYPE_CHECKING:
    from jitlint.fixes.rounds import Outcome

#: options that write something else of the same reports
_NOT_WITH = ("write_baseline", "add_noqa")


@dataclass(frozen=True)
class Done:
    """What became of the files.

    Args:
      run: what came of linting them as they are now.
      shown: the reports that are left.
      fixed: those that are gone.
      failures: one line for each file that could not be written.
    """

    run: Run
    shown: Sequence[Diagnostic]
    fixed: Sequence[Diagnostic]
    failures: Sequence[str]


def wants_fixes(arguments: argparse.Namespace) -> bool:
    """Whether fixes are asked for, in files or as a diff."""
    return bool(arguments.fix or arguments.diff or arguments.fix_only)


def check_options(arguments: argparse.Namespace) -> None:
    """See that the options that are about fixes make sense together.

    Raises:
      UsageError: they do not.
    """
    for option, needs in (("show_fixes", "--fix, --fix-only or --diff"),):
        if getattr(arguments, option) and not wants_fixes(arguments):
            raise UsageError(f"--{option.replace('_', '-')}: needs {needs}")
    if not wants_fixes(arguments):
        return
    given = "--diff" if arguments.diff else "--fix-only" if arguments.fix_only else "--fix"
    # What reports nothing has nothing to count.
    silent = () if given == "--fix" else ("statistics",)
    for option in (*_NOT_WITH, *silent):
        if getattr(arguments, option) not in (None, False):
            raise UsageError(f"{given}: cannot be combined with --{option.replace('_', '-')}")


def fix(
    request: Request,
    run: Run,
    select: Select,
    arguments: argparse.Namespace,
    wanted: Callable[[Diagnostic], bool],
) -> Done:
    """Fix what can be fixed, or show how.

    Args:
      request: what was linted.
      run: what came of it.
      select: the rules to show under a configuration.
      arguments: the parsed command line.
      wanted: whether a report is among those to fix.

    Returns:
      What is left.
    """
    from jitlint.fixes.rounds import Fixing, fix_all, fixes_to_apply

    fixing = Fixing(request, select, arguments.unsafe_fixes, wanted)
    if not fixes_to_apply(fixing, run):
        if request.stdin is not None and not arguments.diff:
            sys.stdout.buffer.write(request.stdin)
        from jitlint.filters.diagnostic_filter import shown_of

        return Done(run, shown_of(run, select), (), ())
    outcome = fix_all(fixing, run)
    for back in outcome.taken_back:
        (item,) = outcome.run.sources.located([back.report])
        place = f"{item.filename}:{item.location.row}:{item.location.column}"
        tell(f"warning: {place}: the fix of {item.code} was taken back: {back.reason}")
    failures: list[str] = []
    if arguments.diff:
        write(_diff(outcome), arguments.output_file)
    elif request.stdin is not None:
        _print_fixed(outcome, request)
    else:
        failures = list(_write(outcome))
    # A fix that was just taken back is none to offer.
    vain = {back.report.lasting_key for back in outcome.taken_back}
    shown = [
        replace(it, fix=None) if it.fix is not None and it.lasting_key in vain else it
        for it in outcome.shown
    ]
    done = Done(outcome.run, shown, outcome.fixed, failures)
    if arguments.show_fixes:
        for line in _listed(outcome.fixed, would=arguments.diff):
            tell(line)
    return done


def _write(outcome: Outcome) -> Iterator[str]:
    """Write the files; one line for each that could not be."""
    from jitlint.fixes.writing import replace_bytes, replace_file

    for path, (before, after) in outcome.texts.items():
        try:
            if path in outcome.files:
                replace_bytes(path, *outcome.files[path])
            else:
                replace_file(path, before, after)
        except OSError as error:
            yield f"cannot write {path}: {error.strerror}"
        except ValueError as error:
            yield f"cannot fix {path}: {error}"


def _print_fixed(outcome: Outcome, request: Request) -> None:
    from jitlint.fixes.writing import encoded

    path = request.stdin_path
    document = outcome.run.sources.document(str(path))
    assert document is not None
    data = outcome.files[path][1] if path in outcome.files else encoded(document, document.text)
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def _diff(outcome: Outcome) -> Iterator[str]:
    from jitlint.fixes.documents import difference

    for path, (before, after) in sorted(outcome.texts.items()):
        name = shown_name(str(path), Path.cwd())
        if path in outcome.files:
            yield from difference(name, path, *outcome.files[path])
            continue
        lines = difflib.unified_diff(_rows(before), _rows(after), name, name)
        for line in lines:
            yield line.rstrip("\r\n")
            if not line.endswith(("\n", "\r")):
                yield "\\ No newline at end of file"


def _rows(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").splitlines(keepends=True)


def _listed(fixed: Sequence[Diagnostic], *, would: bool) -> Iterator[str]:
    """What was done to which file."""
    yield f"{'Would fix' if would else 'Fixed'} {counted(len(fixed), 'report')}:"
    for filename in dict.fromkeys(item.filename for item in fixed):
        yield f"- {shown_name(filename, Path.cwd())}:"
        rules = Counter((it.code, it.name) for it in fixed if it.filename == filename)
        for (code, name), count in sorted(rules.items()):
            yield f"    {count} \N{MULTIPLICATION SIGN} {code} ({name})"
