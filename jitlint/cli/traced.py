"""``jitlint traced``."""

from __future__ import annotations

import argparse
from pathlib import Path

from jitlint.cli.exit_codes import FAILED, OK
from jitlint.cli.running import make_request, run_request
from jitlint.cli.streams import uses_color, write


def traced(arguments: argparse.Namespace) -> int:
    """List the functions that JAX will trace.

    Args:
      arguments: the parsed command line.

    Returns:
      The exit code.

    Raises:
      UsageError: an option, a path or the configuration is wrong.
    """
    run = run_request(make_request(arguments), arguments)
    if arguments.output_format == "json":
        from jitlint.output.json_format import render_objects

        write(render_objects(item.to_json() for item in run.traced), arguments.output_file)
    else:
        from jitlint.output.colors import Painter
        from jitlint.output.traced_functions import render

        summary = not arguments.quiet and bool(run.targets)
        lines = render(run.traced, Path.cwd(), Painter(uses_color(arguments)), summary=summary)
        write(lines, arguments.output_file)
    return FAILED if run.failures else OK
