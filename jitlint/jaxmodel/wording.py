"""What transforms are called where people are told of them."""

from __future__ import annotations

from typing import Final

from jitlint.jaxmodel.transforms import APPLIED, ASSUMED, STEPPED


def display_name(name: str) -> str:
    """A transform's name as users know it."""
    return _OWN_WORDS.get(name) or name.replace("jax.experimental.pjit.", "jax.experimental.")


def tracers_text(names: str) -> str:
    """What traces a function, as people are told.

    Args:
      names: of transforms, with commas between; those of JAX and its frameworks stay as they are.
    """
    return ", ".join(dict.fromkeys(_TRACERS.get(name, name) for name in names.split(", ")))


def trace_note(name: str) -> str:
    """What an explanation says of the place where a transform traces a function."""
    if name in APPLIED.values() or name == STEPPED:
        return f"{_TRACED_WHERE} {display_name(name)}"
    return f"{'assumed ' if name == ASSUMED else ''}{_TRACED_BY} {display_name(name)}"


def is_trace_note(note: str) -> bool:
    """Whether a note of an explanation says that a function is traced there."""
    return note.removeprefix("assumed ").startswith((_TRACED_BY, _TRACED_WHERE))


_TRACED_BY: Final = "traced by"
_TRACED_WHERE: Final = "traced where"
#: what stands for a transform that is none of JAX
_OWN_WORDS: Final = {
    ASSUMED: "the configuration",
    APPLIED["flax.linen"]: "users apply this Flax module under jit",
    APPLIED["flax.nnx"]: "users apply this Flax module under jit",
    APPLIED["haiku"]: "users apply this Haiku module under jit",
    APPLIED["equinox"]: "users apply this Equinox module under jit",
    STEPPED: "the jitted method of its base class calls it",
}

#: who stands for a transform that is none of JAX
_TRACERS: Final = {
    ASSUMED: "its users (`assume-traced` in the configuration)",
    APPLIED["flax.linen"]: "its users (a Flax module, applied under jit)",
    APPLIED["flax.nnx"]: "its users (a Flax module, called under jit)",
    APPLIED["haiku"]: "its users (a Haiku module, applied under jit)",
    APPLIED["equinox"]: "its users (an Equinox module, called under jit)",
    STEPPED: "its base class (`step` and `reset` of an environment, which are jitted)",
}
