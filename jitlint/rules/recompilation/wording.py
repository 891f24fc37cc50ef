"""Phrases that several rules of the family share."""

from __future__ import annotations

from jitlint.absint.events import (
    ClearedCache,
    FreshControlFlow,
    JitInLoop,
    VaryingShapeArgument,
    VaryingStaticArgument,
)

#: an argument that makes a jitted function be compiled again
Varying = VaryingShapeArgument | VaryingStaticArgument

# Why the cache, which is keyed by the function object, misses.
_REASONS = {
    "lambda": "a lambda is a new function each time it is evaluated",
    "partial": "`functools.partial` makes a new object each time",
    "nested function": "a nested `def` makes a new function each time it runs",
    "callable instance": "each instance is another function, since its class compares by identity",
    "bound method": "a bound method is a new object at every access",
    "Optax transformation": "Optax makes new functions for each transformation",
    "linear map": "`jax.vjp` and `jax.linearize` give a new function each time",
    "transformed function": "the inner transform returns a new function each time",
}


def compiled_again(operand: str, made: str) -> str:
    """The opening of a message about repeated compilation.

    Args:
      operand: what is jitted, quoted; for a nested function, the decorator or its name.
      made: what is new, in the words of the events.

    Returns:
      The start of a sentence.
    """
    if made == "nested function" and operand.endswith(")`"):
        return f"What {operand} returns is compiled again"
    if made == "nested function":
        return f"The nested function {operand} is compiled again"
    return f"{operand} is compiled again"


def loop_of(event: JitInLoop | FreshControlFlow | ClearedCache | Varying) -> str:
    """Which loop repeats something.

    Args:
      event: what is repeated.

    Returns:
      ``the loop``, with the function that it calls, and what it stands in, where it is elsewhere.
    """
    if event.caller is None:
        return "the loop"
    around = "" if event.around is None else f" in `{event.around}`"
    cls, _, method = event.caller.rpartition(".")
    if method == "__init__":
        return f"the loop{around} that makes a new `{cls}`"
    return f"the loop{around} that calls `{event.caller}`"


def reason(made: str) -> str:
    """Why the function that is jitted is never the one that was compiled before.

    Args:
      made: what is new, in the words of the events (``lambda``, ``partial`` ...).

    Returns:
      A clause without a full stop.
    """
    return _REASONS.get(made, f"the {made} is a new object each time")


def type_phrase(python_type: str) -> str:
    """A type with its article.

    Args:
      python_type: a name (``list``), or a description that is quoted where it must be.

    Returns:
      ``a `list```, or the description after its article.
    """
    article = "an" if python_type.lstrip("`")[:1].lower() in "aeiou" else "a"
    plain = " " not in python_type and "`" not in python_type
    return f"{article} `{python_type}`" if plain else f"{article} {python_type}"
