"""The language server: what ``jitlint check`` says, in an editor, while it is being typed.

Only :mod:`jitlint.integrations.server.connection` knows pygls.  The rest is plain: open documents,
which project each belongs to, a thread that analyses what changed last, and the protocol's form of
what came of it.
"""
