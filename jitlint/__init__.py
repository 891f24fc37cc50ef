"""jitlint: a static linter for JIT-hostile Python in JAX projects."""

__version__ = "0.1.0"
