"""Digests that name results and reports."""

from __future__ import annotations

try:
    # ``hashlib`` has the same function, but loads OpenSSL for its others: a tenth of a warm run.
    from _blake2 import blake2b
except ImportError:  # another Python than CPython
    from hashlib import blake2b

__all__ = ["blake2b"]
