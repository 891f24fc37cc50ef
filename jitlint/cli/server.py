"""``jitlint server``."""

from __future__ import annotations

from jitlint.usage_errors import UsageError


def server() -> int:
    """Run the language server on standard input and output.

    Returns:
      The exit code.

    Raises:
      UsageError: what it needs is not installed.
    """
    try:
        import jitlint.integrations.server.connection as connection

        connection.check_installed()
    except ImportError as error:
        raise UsageError(
            f"the language server needs {error.name or 'pygls'}: pip install 'jitlint[lsp]'"
        ) from None
    return connection.serve()
