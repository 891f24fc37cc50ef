"""Dtypes of 64 bits, which JAX has only where x64 is turned on, and how projects turn it on.

Without it JAX warns once and gives the dtype of half the width; ``float`` and ``int`` ask for
nothing, and get what there is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

#: what is given in place of each
NARROW: Final = {
    "float64": "float32",
    "int64": "int32",
    "uint64": "uint32",
    "complex128": "complex64",
}
_CODES: Final = {"f8": "float64", "i8": "int64", "u8": "uint64", "c16": "complex128"}
#: by the text that NumPy and JAX take for a dtype
BY_TEXT: Final = {
    **{name: name for name in NARROW},
    **{f"{order}{code}": name for order in ("", "<", "=") for code, name in _CODES.items()},
    "double": "float64",
}
#: by the qualified name of the scalar type
BY_NAME: Final = {
    f"{module}.{name}": wide
    for module in ("numpy", "jax.numpy")
    for name, wide in (*zip(NARROW, NARROW, strict=True), ("double", "float64"))
}
#: words that stand in the text wherever one of them is named
DTYPE_WORDS: Final = frozenset({*NARROW, *_CODES, "double"})
#: make a dtype of what they are given
DTYPE_MAKERS: Final = frozenset({"numpy.dtype", "jax.numpy.dtype"})
#: parameters that a dtype is passed for
PARAMETERS: Final = ("dtype", "new_dtype", "element_type")

#: where a text shows that its project knows of x64, and runs with it at times
_MENTION: Final = re.compile(
    r"(?:enable|use|set|with|jax|has|is)_?x64|x64_?(?:enabled|mode|context|flag)"
    r"|parse_flags_with_absl|config_with_absl|requested dtype",
    re.IGNORECASE,
)
#: packages that turn it on when they are imported, each seen to do so in its own source: klujax
#: 0.5.2, desc-opt 0.17.3, jax-fem 0.0.11 with its solvers, jaxlayerlumos 0.3.5, jaxmat 0.0.4,
#: jaxquantum 0.3.0, jaxsim 0.9.0, netket 3.23.0, qutip-jax 0.1.1, pytensor 3.3.8 with its default
#: of ``floatX``, which PyMC's samplers by JAX import
_ENABLING: Final = re.compile(
    r"^[ \t]*(?:import|from)[ \t]+"
    r"(klujax|desc|jax_fem\.(?:mma|solver)|jaxlayerlumos|jaxmat|jaxquantum|jaxsim|netket|qutip_jax"
    r"|pytensor\.link\.jax|pymc\.sampling\.jax)\b(?!_)",
    re.MULTILINE,
)
#: how code tells that it has 64 bits already; who tells integers apart looks for labels and indices
_ASKED: Final = re.compile(
    r"dtype(?:\.\w+)?\s*[!=]=\s[^\n]{0,40}(?:float64|complex128)"
    r"|(?:float64|complex128)[\"')\s]*[!=]=\s*[\w.]*dtype"
)
#: how code says that it never has them: ``assert x.dtype != jnp.float64``
_DENIED: Final = re.compile(r"\bassert[\s(]+[\w.]*dtype(?:\.\w+)?\s*!=")
#: what follows such a word where x64 is turned off
_OFF: Final = re.compile(r"""["']?\]?\s*[,=:(]\s*["']?(?:false|0|off|no)\b""", re.IGNORECASE)


def knows_x64(texts: Iterable[str], is_own: Callable[[str], bool] = lambda _: False) -> bool:
    """Whether one of the texts turns x64 on, imports what does, or asks whether it is on.

    Turning it off leaves everything as it is.  What compares dtypes next to JAX is made for both.

    Args:
      texts: all that belongs to a project.
      is_own: whether a package is the project's own, whose texts say what this state of it does.
    """
    for text in texts:
        knows, imported = x64_in(text)
        if knows or not all(map(is_own, imported)):
            return True
    return False


def x64_in(text: str) -> tuple[bool, frozenset[str]]:
    """What one text says of x64.

    Returns:
      Whether it turns x64 on or asks whether it is on, and the packages that it imports which do.
    """
    knows = ("jax" in text and _ASKED.search(_DENIED.sub("", text)) is not None) or any(
        not _OFF.match(text, found.end()) for found in _MENTION.finditer(text)
    )
    return knows, frozenset(found[1].partition(".")[0] for found in _ENABLING.finditer(text))
