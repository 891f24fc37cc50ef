"""What the names of parameters tell of their values."""

from __future__ import annotations

KEY_NAMES = frozenset({"key", "rng", "rng_key", "prng_key", "subkey", "prng"})
FUNCTION_NAMES = frozenset({"function", "func", "fn", "callback"})
_COUNT_WORDS = (
    "num count steps size length turns limit iterations epochs seed width depth features hidden "
    "classes layers rounds rows columns"
).split()


def is_key(name: str) -> bool:
    """Whether a parameter takes a random key."""
    return name in KEY_NAMES or name.endswith(("_key", "_rng"))


def is_count(name: str) -> bool:
    """Whether a parameter takes a whole number, and no array."""
    return any(word in name for word in _COUNT_WORDS)
